import { readFile, stat } from 'node:fs/promises'
import { localizable, withMessage } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import { readHead } from '../../../../system/disk.ts'
import type { Block } from '../../../block.ts'
import { CompoundFile, OLE2_SIGNATURE } from '../../detection/ole2.ts'
import {
  createDamagedError,
  type Metadata,
  type Parser,
  type ParserEvent,
  type ParserInput,
} from '../../parser.ts'
import { SkippedText } from '../../skipped-text.ts'
import { toBlockEvents } from '../block-events.ts'
import { readSummary } from '../ole2/summary.ts'
import { TableBlocks } from '../table-blocks.ts'
import { MergedCells } from '../xlsx/cells.ts'
import { warnOfCutCells, warnOfHiddenSheets, warnOfLostCells } from '../xlsx/xlsx.ts'
import { CellReader } from './cells.ts'
import { decryptWorkbook } from './decryption.ts'
import type { BiffRecord } from './records.ts'
import { collectSheet, type SheetContents } from './sheet.ts'
import { readVersion, readWorkbook, type Workbook } from './workbook.ts'

/** Protects memory: a workbook is read at once. */
const MAX_BYTES = 256 * 1024 * 1024
/** Newer one first: some files have both. */
const STREAMS = ['Workbook', 'Book']
const EMBEDDED = /^MBD[0-9A-F]+$/
/** Excel's limit before 2007; others are damage. */
const MAX_COLUMNS = 256
/**
 * Characters that a cell of 14 bytes pays for: twice this is below 4 a byte, so that nothing
 * multiplies.
 */
const CHARS_PER_CELL = 24
const CUT_OFF =
  'A sheet of the workbook is cut off: its last rows may be missing. Add a complete copy of it.'

export const xlsParser: Parser = {
  id: 'xls@5',
  mediaTypes: ['application/vnd.ms-excel'],
  parse: parseXls,
}

async function* parseXls(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const skipped = new SkippedText()
  const { bytes: stored, metadata } = await readBytes(input, skipped)
  const bytes = decryptWorkbook(stored, input)
  const version = readVersion(bytes)
  if (!version) throw createDamagedError(input.name, 'it is damaged or cut off')
  const workbook = readWorkbook(bytes, { version, name: input.name, charsPerCell: CHARS_PER_CELL })
  yield { type: 'metadata', metadata }
  yield* warnOfHiddenSheets(workbook.sheets)
  const reading = new WorkbookReading(workbook, skipped)
  yield* toBlockEvents(reading.readBlocks(signal), input.name, signal)
  yield* reading.listWarnings()
  yield* skipped.listWarnings()
}

type WorkbookBytes = { readonly bytes: Buffer; readonly metadata: Metadata }

/** A workbook before Excel 5 is the file itself. */
async function readBytes(
  { path, name }: ParserInput,
  skipped: SkippedText,
): Promise<WorkbookBytes> {
  const { size } = await stat(path)
  if (size === 0) throw new AppError('empty', localizable`${name} is empty: it has no bytes.`)
  const head = await readHead(path, OLE2_SIGNATURE.length)
  if (!head.equals(OLE2_SIGNATURE)) {
    if (size > MAX_BYTES) throw createTooLargeError(name, size)
    return { bytes: await readFile(path), metadata: {} }
  }
  const file = await CompoundFile.open(path, name)
  try {
    for (const stream of STREAMS) {
      const bytes = await file.readNamed(stream)
      if (!bytes) continue
      const names = [...file.root.entries.keys()]
      skipped.add('embedded objects', names.filter(entry => EMBEDDED.test(entry)).length)
      return { bytes, metadata: await readSummary(file, skipped) }
    }
    throw createDamagedError(name, 'there is no workbook in it')
  } finally {
    await file.close()
  }
}

function createTooLargeError(name: string, size: number): AppError {
  const message = localizable`${name} has ${size} bytes; a workbook of this age may have ${MAX_BYTES}. Save it as .xlsx.`
  return new AppError('too_large', message)
}

class WorkbookReading {
  readonly #workbook: Workbook
  readonly #skipped: SkippedText
  readonly #cells: CellReader
  #isCutOff = false

  constructor(workbook: Workbook, skipped: SkippedText) {
    this.#workbook = workbook
    this.#skipped = skipped
    this.#cells = new CellReader(workbook)
  }

  *readBlocks(signal?: AbortSignal): Iterable<Block> {
    for (const { name, offset } of this.#workbook.sheets) {
      signal?.throwIfAborted()
      let isEmpty = true
      for (const block of this.#readSheet(offset)) {
        if (isEmpty && name.trim()) yield { kind: 'heading', level: 1, text: name.trim() }
        isEmpty = false
        yield block
      }
    }
  }

  *listWarnings(): Iterable<ParserEvent> {
    yield* warnOfLostCells(this.#cells.lost)
    yield* warnOfCutCells(this.#workbook.strings.cut)
    if (this.#isCutOff)
      yield { type: 'warning', warning: withMessage({ code: 'corrupt' }, CUT_OFF) }
  }

  *#readSheet(offset: number): Iterable<Block> {
    const sheet = collectSheet(this.#workbook, offset, this.#skipped)
    this.#isCutOff ||= sheet.isCutOff
    yield* this.#readTables(sheet)
    for (const { cell, text } of sheet.texts)
      yield { kind: 'paragraph', text: cell ? `${cell}: ${text}` : text }
  }

  *#readTables({ rows, merges }: SheetContents): Iterable<Block> {
    const merged = new MergedCells(merges)
    const tables = new TableBlocks({
      areBlanksWritten: false,
      numbers: 'native',
      charsPerCell: CHARS_PER_CELL,
    })
    let lastRow = -1
    for (const row of [...rows.keys()].toSorted((a, b) => a - b)) {
      const { cells, native } = this.#readRow(rows.get(row) ?? [])
      const isBlank = cells.length === 0
      merged.fill(row, cells)
      if (isBlank) continue
      if (row > lastRow + 1) yield* tables.add([])
      lastRow = row
      yield* tables.add(cells, native)
    }
    yield* tables.end()
  }

  #readRow(records: readonly BiffRecord[]): {
    readonly cells: string[]
    readonly native: ReadonlySet<number>
  } {
    const cells: string[] = []
    const native = new Set<number>()
    for (const record of records) {
      for (const { column, text, isNumber } of this.#cells.read(record)) {
        if (text === '' || column >= MAX_COLUMNS) continue
        for (let blank = cells.length; blank < column; blank++) cells.push('')
        cells[column] = text
        if (isNumber) native.add(column)
      }
    }
    return { cells, native }
  }
}
