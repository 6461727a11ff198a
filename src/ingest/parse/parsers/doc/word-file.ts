import { localizable } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import type { CompoundFile } from '../../detection/ole2.ts'
import { createDamagedError, createPasswordError } from '../../parser.ts'
import { DEFAULT_CODE_PAGE, decodeBytes } from '../rtf/charsets.ts'

const WORD = 0xa5ec
const OLD_WORD = 0xa5dc
const WORD_97 = 0xc1
/** Header flags ([MS-DOC] 2.5.2). */
const ENCRYPTED = 0x0100
const USES_TABLE_1 = 0x0200
/** Offsets in the header ([MS-DOC] 2.5.4 and 2.5.6). */
const FIRST_COUNT = 0x4c
const FIRST_TABLE = 0x9a
/** No text shares its bytes more often. Protects against growth. */
const MAX_CHARS_PER_BYTE = 2

export const TABLE = {
  styles: 1,
  noteReferences: 2,
  noteTexts: 3,
  commentReferences: 4,
  commentTexts: 5,
  headers: 11,
  characterPages: 12,
  paragraphPages: 13,
  pieces: 33,
  commentAuthors: 36,
  endnoteReferences: 46,
  endnoteTexts: 47,
  boxTexts: 56,
  variables: 60,
  lists: 73,
  listReferences: 74,
} as const

const STORIES = [
  'text',
  'notes',
  'headers',
  'macros',
  'comments',
  'endnotes',
  'boxes',
  'headerBoxes',
] as const

/** Characters from the beginning of all text. */
export type Story = { readonly start: number; readonly end: number }

type Piece = Story & { readonly offset: number; readonly width: 1 | 2 }

export type WordFile = {
  readonly main: Buffer
  readonly text: string
  readonly stories: Readonly<Record<(typeof STORIES)[number], Story>>
  readonly readTable: (table: number) => Buffer
  readonly readBehindTable: (table: number) => Buffer
  readonly locate: (index: number) => {
    readonly offset: number
    readonly end: number
    readonly width: number
  }
}

/** Throws `encrypted`, `unsupported_format` for Word 6 and 95, and `corrupt`. */
export async function openWordFile(file: CompoundFile, name: string): Promise<WordFile> {
  const main = await file.readNamed('WordDocument')
  const magic = main && main.length > 0x200 ? main.readUInt16LE(0) : 0
  if (!main || (magic !== WORD && magic !== OLD_WORD)) throw createDamagedError(name, CUT_OFF)
  if (magic === OLD_WORD || main.readUInt16LE(2) < WORD_97) throw createOldError(name)
  const flags = main.readUInt16LE(0x0a)
  if (flags & ENCRYPTED) throw createPasswordError(name)
  const tables = await file.readNamed(flags & USES_TABLE_1 ? '1Table' : '0Table')
  if (!tables) throw createDamagedError(name, CUT_OFF)
  const findTable = (table: number) => {
    const place = FIRST_TABLE + table * 8
    const start = main.readUInt32LE(place)
    return { start, end: start + main.readUInt32LE(place + 4) }
  }
  const readTable = (table: number) => {
    const { start, end } = findTable(table)
    return tables.subarray(start, end)
  }
  const pieces = readPieces(readTable(TABLE.pieces))
  const length = pieces.at(-1)?.end ?? 0
  if (pieces.length === 0 || length > main.length * MAX_CHARS_PER_BYTE)
    throw createDamagedError(name, CUT_OFF)
  const text = pieces.map(piece => readPiece(main, piece)).join('')
  if (text.length < length) throw createDamagedError(name, CUT_OFF)
  return {
    main,
    text,
    stories: readStories(main, length),
    readTable,
    readBehindTable: table => tables.subarray(findTable(table).end),
    locate: index => locate(pieces, index),
  }
}

const CUT_OFF = 'it is damaged or cut off'

function createOldError(name: string): AppError {
  const message = localizable`Cannot read ${name}: it is a document of Word 6 or 95. Save it as .docx, in Office or with LibreOffice, and add it again.`
  return new AppError('unsupported_format', message)
}

/** Skips properties before the table of pieces ([MS-DOC] 2.9.38). */
function readPieces(table: Buffer): readonly Piece[] {
  let tableOffset = 0
  while (tableOffset + 3 <= table.length && table[tableOffset] === 1)
    tableOffset += 3 + table.readUInt16LE(tableOffset + 1)
  if (tableOffset + 5 > table.length || table[tableOffset] !== 2) return []
  const list = table.subarray(
    tableOffset + 5,
    tableOffset + 5 + table.readUInt32LE(tableOffset + 1),
  )
  const count = Math.max(0, Math.floor((list.length - 4) / 12))
  const pieces: Piece[] = []
  for (let index = 0; index < count; index++) {
    const start = list.readUInt32LE(index * 4)
    const end = list.readUInt32LE(index * 4 + 4)
    const stated = list.readUInt32LE((count + 1) * 4 + index * 8 + 2)
    const isNarrow = (stated & 0x4000_0000) !== 0
    const offset = isNarrow ? (stated & 0x3fff_ffff) >>> 1 : stated
    if (end < start || start !== (pieces.at(-1)?.end ?? 0)) return []
    pieces.push({ start, end, offset, width: isNarrow ? 1 : 2 })
  }
  return pieces
}

function readPiece(main: Buffer, { start, end, offset, width }: Piece): string {
  const bytes = main.subarray(offset, offset + (end - start) * width)
  return width === 2
    ? bytes.toString('utf16le')
    : decodeBytes(bytes.toString('latin1'), DEFAULT_CODE_PAGE)
}

function readStories(main: Buffer, length: number): WordFile['stories'] {
  let end = 0
  const stories = STORIES.map((story, index) => {
    const start = end
    end = Math.min(length, start + main.readUInt32LE(FIRST_COUNT + index * 4))
    return [story, { start, end }] as const
  })
  return Object.fromEntries(stories) as WordFile['stories'] // one for each name
}

function locate(pieces: readonly Piece[], index: number): ReturnType<WordFile['locate']> {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((pieces[middle]?.start ?? 0) <= index) low = middle
    else high = middle - 1
  }
  const { start, end, offset, width } = pieces[low] ?? { start: 0, end: 0, offset: 0, width: 1 }
  return { offset: offset + (index - start) * width, end: Math.max(index + 1, end), width }
}

/** Reads a table of positions and values of `valueBytes` each. */
export function readPositions(table: Buffer, valueBytes: number): readonly number[] {
  const count = Math.max(0, Math.floor((table.length - 4) / (4 + valueBytes)))
  if (table.length < 4) return []
  return Array.from({ length: count + 1 }, (_, index) => table.readUInt32LE(index * 4))
}
