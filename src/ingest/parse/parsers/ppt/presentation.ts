import { localizable } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import type { CompoundEntry, CompoundFile } from '../../detection/ole2.ts'
import { createDamagedError, createPasswordError } from '../../parser.ts'
import { type PptRecord, PptRecords, RECORD } from './records.ts'
import { collectTexts, type PptText } from './text.ts'

const STREAM = 'POWERPOINT DOCUMENT'
const USER_STREAM = 'CURRENT USER'
/** Present if it is saved for PowerPoint 95 and 97 at once. */
const DUAL_STORAGE = 'PP97_DUALSTORAGE'
/** Main stream of PowerPoint 4 and, with another form of the stream above, of 95. */
const OLD_STREAM = 'PP40'
/** Encryption mark in the stream of the current user ([MS-PPT] 2.3.2). */
const ENCRYPTED = 0xf3d1c4df
/** Record of an edit that names its encryption ([MS-PPT] 2.3.3). */
const ENCRYPTED_EDIT_BYTES = 32
/** [MS-PPT] 2.4.14.3. */
const LISTS = { slides: 0, masters: 1, notes: 2 } as const
/** Protects against circles; PowerPoint saves fewer without compacting. */
const MAX_EDITS = 10_000
/** Size of all slides in sizes of the stream, so that slides within slides multiply nothing. */
const MAX_READ_TIMES = 2
const CUT_OFF = 'it is damaged or cut off'

/** A slide, notes page or master, and its texts in the outline. */
export type Page = {
  readonly record: PptRecord
  readonly id: number
  readonly outline: readonly PptText[]
}

export type Presentation = {
  readonly records: PptRecords
  readonly document: PptRecord | undefined
  /** Ordered as shown. */
  readonly slides: readonly Page[]
  /** Keyed by the number that slides name. */
  readonly masters: ReadonlyMap<number, Page>
  readonly notes: ReadonlyMap<number, Page>
  /** Slides that the presentation lists but does not have. */
  readonly missing: number
}

/** Throws `encrypted`, `unsupported_format` for older ones, and `corrupt`. */
export async function openPresentation(file: CompoundFile, name: string): Promise<Presentation> {
  const entries = file.root.entries.get(DUAL_STORAGE)?.entries ?? file.root.entries
  const stream = entries.get(STREAM) ?? file.find(STREAM)
  const user = await readStream(file, entries.get(USER_STREAM))
  if (isOld(user) || (!stream && file.find(OLD_STREAM))) throw createOldError(name)
  if (!stream || stream.isStorage) throw createDamagedError(name, CUT_OFF)
  const records = new PptRecords(await file.read(stream))
  if (user.length >= 16 && user.readUInt32LE(12) === ENCRYPTED) throw createPasswordError(name)
  const edit = findLastEdit(records, user)
  if (edit && isEncrypted(records, edit)) throw createPasswordError(name)
  const places = listPlaces(records, edit)
  const documentPlace = edit && places.get(records.read(edit, 20).readUInt32LE(16))
  const stated = documentPlace === undefined ? undefined : records.readAt(documentPlace)
  const document =
    stated?.type === RECORD.document
      ? stated
      : records.listTop().findLast(({ type }) => type === RECORD.document)
  return new PageLists(records, places, name).read(document)
}

async function readStream(file: CompoundFile, entry: CompoundEntry | undefined): Promise<Buffer> {
  return entry && !entry.isStorage ? await file.read(entry) : Buffer.alloc(0)
}

function isOld(user: Buffer): boolean {
  return user.length >= 4 && user.readUInt32LE(0) === user.length - 4
}

function createOldError(name: string): AppError {
  const message = localizable`Cannot read ${name}: it is a presentation of PowerPoint 95 or before. Save it as .pptx, in Office or with LibreOffice, and add it again.`
  return new AppError('unsupported_format', message)
}

function findLastEdit(records: PptRecords, user: Buffer): PptRecord | undefined {
  const stated = user.length >= 20 ? records.readAt(user.readUInt32LE(16)) : undefined
  return stated?.type === RECORD.userEdit
    ? stated
    : records.listTop().findLast(({ type }) => type === RECORD.userEdit)
}

function isEncrypted(records: PptRecords, edit: PptRecord): boolean {
  return (
    edit.end - edit.start >= ENCRYPTED_EDIT_BYTES &&
    records.read(edit, ENCRYPTED_EDIT_BYTES).readUInt32LE(28) !== 0
  )
}

/**
 * Lists offsets of parts by number, from the last edit to the first ([MS-PPT] 2.3.4). All
 * stored directories replace a broken chain of edits.
 */
function listPlaces(records: PptRecords, last: PptRecord | undefined): ReadonlyMap<number, number> {
  const places = new Map<number, number>()
  const read = new Set<number>()
  const add = (directory: PptRecord | undefined) => {
    if (directory?.type !== RECORD.persistDirectory) return
    for (const [number, place] of readDirectory(records.getContent(directory)))
      if (!places.has(number)) places.set(number, place)
  }
  let edit = last
  while (edit?.type === RECORD.userEdit && !read.has(edit.start) && read.size < MAX_EDITS) {
    read.add(edit.start)
    const facts = records.read(edit, 16)
    add(records.readAt(facts.readUInt32LE(12)))
    const before = facts.readUInt32LE(8)
    if (before === 0) return places
    edit = records.readAt(before)
  }
  for (const record of records.listTop().toReversed()) add(record)
  return places
}

function* readDirectory(bytes: Buffer): Iterable<readonly [number: number, place: number]> {
  for (let offset = 0; offset + 4 <= bytes.length; ) {
    const stated = bytes.readUInt32LE(offset)
    const first = stated & 0xf_ffff
    const count = stated >>> 20
    offset += 4
    for (let index = 0; index < count && offset + 4 <= bytes.length; index++, offset += 4)
      yield [first + index, bytes.readUInt32LE(offset)]
  }
}

class PageLists {
  readonly #records: PptRecords
  readonly #places: ReadonlyMap<number, number>
  readonly #name: string
  readonly #read = new Set<number>()
  #bytes = 0
  #missing = 0

  constructor(records: PptRecords, places: ReadonlyMap<number, number>, name: string) {
    this.#records = records
    this.#places = places
    this.#name = name
  }

  read(document: PptRecord | undefined): Presentation {
    const slides = this.#readList(document, LISTS.slides, [RECORD.slide])
    const missing = this.#missing
    const masters = this.#readList(document, LISTS.masters, [RECORD.master, RECORD.slide])
    const notes = this.#readList(document, LISTS.notes, [RECORD.notes])
    return {
      records: this.#records,
      document,
      slides: slides.length > 0 || missing > 0 ? slides : this.#listLoose(),
      masters: new Map(masters.map(page => [page.id, page])),
      notes: new Map(notes.map(page => [page.id, page])),
      missing,
    }
  }

  #readList(
    document: PptRecord | undefined,
    list: number,
    types: readonly number[],
  ): readonly Page[] {
    const container = this.#records
      .listChildren(document, RECORD.outline)
      .find(({ instance }) => instance === list)
    const groups: PptRecord[][] = []
    for (const record of this.#records.listChildren(container)) {
      if (record.type === RECORD.slidePersist) groups.push([record])
      else groups.at(-1)?.push(record)
    }
    return groups.flatMap(([persist, ...texts]) =>
      persist ? this.#openPage(persist, texts, types) : [],
    )
  }

  #openPage(
    persist: PptRecord,
    texts: readonly PptRecord[],
    types: readonly number[],
  ): readonly Page[] {
    const facts = this.#records.read(persist, 16)
    const place = this.#places.get(facts.readUInt32LE(0))
    const record = place === undefined ? undefined : this.#records.readAt(place)
    if (!record || !types.includes(record.type)) {
      this.#missing++
      return []
    }
    if (!this.#claim(record)) return []
    const outline = collectTexts(this.#records, texts)
    return [{ record, id: facts.readUInt32LE(12), outline }]
  }

  #listLoose(): readonly Page[] {
    return this.#records
      .listTop()
      .filter(record => record.type === RECORD.slide && this.#claim(record))
      .map((record, index) => ({ record, id: index, outline: [] }))
  }

  #claim({ start, end }: PptRecord): boolean {
    if (this.#read.has(start)) return false
    this.#read.add(start)
    this.#bytes += end - start
    if (this.#bytes > MAX_READ_TIMES * this.#records.bytes.length)
      throw createDamagedError(this.#name, CUT_OFF)
    return true
  }
}
