import { type LocalizableMessage, localizable, withMessage } from '../../../errors/localizable.ts'
import type { Block } from '../../block.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'
import { toBlockEvents } from './block-events.ts'
import { DecodedText } from './decoded-text.ts'
import { TableBlocks } from './table-blocks.ts'

/** Bounded, so that a bad file does not flood the warnings. */
const MAX_MISQUOTES = 20

const TAB_SEPARATED = 'text/tab-separated-values'
/** Bounded, so that a stray quotation mark does not quote the rest. */
const MAX_QUOTED = 256 * 1024
const SEPARATORS = [',', ';', '\t', '|']
const SAMPLE_RECORDS = 200

const SAID: Readonly<Record<Misquote['what'], (line: number) => LocalizableMessage>> = {
  'text after the closing mark': line =>
    localizable`The quoted field that begins in line ${line} goes on after its closing mark: a mark in it is not doubled, or one before it is missing.`,
  'no closing mark': line =>
    localizable`The quoted field that begins in line ${line} has no closing mark: its opening one was read as text.`,
}

export const csvParser: Parser = { id: 'csv@7', mediaTypes: ['text/csv'], parse: parseCsv }

/** Separate, because tab-separated names change how the same bytes are read. */
export const tsvParser: Parser = { id: 'tsv@7', mediaTypes: [TAB_SEPARATED], parse: parseCsv }

async function* parseCsv(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const decoded = await DecodedText.open(input)
  yield { type: 'metadata', metadata: { charset: decoded.charset } }
  const usual = input.mediaType === TAB_SEPARATED ? '\t' : ','
  const misquotes = new Misquotes()
  yield* toBlockEvents(
    readSeparatedBlocks(decoded.readPieces(signal), usual, misquotes.add),
    input.name,
    signal,
  )
  yield* decoded.listWarnings()
  yield* misquotes.listWarnings()
}

async function* readSeparatedBlocks(
  pieces: AsyncIterable<string>,
  usual: string,
  onMisquote: (misquote: Misquote) => void,
): AsyncGenerator<Block> {
  let open: { readonly records: CsvRecords; readonly tables: TableBlocks } | undefined
  for await (const piece of pieces) {
    const { separator, text, line } = open
      ? { separator: '', text: piece, line: 0 }
      : readStart(piece, usual)
    open ??= {
      records: new CsvRecords(separator, onMisquote, line),
      tables: new TableBlocks({
        areBlanksWritten: true,
        ...(separator === ';' && { numbers: 'semicolons' }),
      }),
    }
    for (const record of open.records.add(text)) yield* open.tables.add(record)
  }
  if (!open) return
  for (const record of open.records.end()) yield* open.tables.add(record)
  yield* open.tables.end()
}

class Misquotes {
  readonly #first: Misquote[] = []
  #count = 0

  readonly add = (misquote: Misquote): void => {
    if (this.#count++ < MAX_MISQUOTES) this.#first.push(misquote)
  };

  *listWarnings(): Iterable<ParserEvent> {
    for (const { line, what } of this.#first) yield buildMisquoteWarning(SAID[what](line))
    const more = this.#count - this.#first.length
    if (more > 0)
      yield buildMisquoteWarning(localizable`${more} more quoted fields do not end as they should.`)
  }
}

function buildMisquoteWarning(message: LocalizableMessage): ParserEvent {
  return { type: 'warning', warning: withMessage({ code: 'bad_quoting' }, message) }
}

/** Excel writes `sep=;` on a first line of its own. */
function readStart(
  piece: string,
  usual: string,
): { separator: string; text: string; line: number } {
  const stated = /^sep=(.)\r?\n/i.exec(piece)
  if (stated) return { separator: stated[1] ?? usual, text: piece.slice(stated[0].length), line: 2 }
  return { separator: detectSeparator(piece, usual), text: piece, line: 1 }
}

type Misquote = {
  readonly line: number
  readonly what: 'text after the closing mark' | 'no closing mark'
}

/** Records of RFC 4180. A quotation mark opens a field only at its start. */
class CsvRecords {
  readonly #separator: string
  readonly #onMisquote: (misquote: Misquote) => void
  #line: number
  #openedAt = 0
  #record: string[] = []
  #field = ''
  #state: 'start' | 'plain' | 'quoted' | 'quote' = 'start'
  #isAfterReturn = false

  constructor(
    separator: string,
    onMisquote: (misquote: Misquote) => void = () => {},
    firstLine = 1,
  ) {
    this.#separator = separator
    this.#onMisquote = onMisquote
    this.#line = firstLine
  }

  *add(piece: string): Iterable<readonly string[]> {
    for (let index = 0; index < piece.length; index++) {
      const character = piece.charAt(index)
      const record =
        this.#state === 'quoted' ? this.#readQuoted(character) : this.#readPlain(character)
      if (record) yield record
      if (this.#state === 'quoted' && this.#field.length > MAX_QUOTED) yield* this.#rereadUnquoted()
    }
  }

  *end(): Iterable<readonly string[]> {
    if (this.#state === 'quoted') yield* this.#rereadUnquoted()
    if (this.#field !== '' || this.#record.length > 0) yield this.#endRecord()
  }

  #readQuoted(character: string): undefined {
    if (character === '"') this.#state = 'quote'
    else {
      this.#field += character
      if (character === '\n') this.#line++
    }
  }

  #readPlain(character: string): readonly string[] | undefined {
    const isRest = character === '\n' && this.#isAfterReturn
    this.#isAfterReturn = character === '\r'
    if (isRest) return undefined
    if (character === '\n' || character === '\r') {
      this.#line++
      return this.#endRecord()
    }
    if (character === this.#separator) this.#endField()
    else if (character === '"' && this.#state !== 'plain') this.#openQuote()
    else {
      if (this.#state === 'quote' && character.trim() !== '')
        this.#reportMisquote('text after the closing mark')
      this.#field += character
      this.#state = 'plain'
    }
    return undefined
  }

  /** After an apparent end it is a doubled quote. */
  #openQuote(): void {
    if (this.#state === 'quote') this.#field += '"'
    else this.#openedAt = this.#line
    this.#state = 'quoted'
  }

  #reportMisquote(what: Misquote['what']): void {
    this.#onMisquote({ line: this.#openedAt, what })
  }

  #endField(): void {
    this.#record.push(this.#field)
    this.#field = ''
    this.#state = 'start'
  }

  #endRecord(): readonly string[] {
    this.#endField()
    const record = this.#record
    this.#record = []
    return record
  }

  *#rereadUnquoted(): Iterable<readonly string[]> {
    this.#reportMisquote('no closing mark')
    this.#line = this.#openedAt
    const swallowed = this.#field
    this.#field = '"'
    this.#state = 'plain'
    yield* this.add(swallowed)
  }
}

function detectSeparator(sample: string, usual = ','): string {
  const scored = SEPARATORS.map(separator => ({
    separator,
    score: measureEvenness(sample, separator) + (separator === usual ? 0.01 : 0),
  }))
  return scored.reduce((best, candidate) => (candidate.score > best.score ? candidate : best))
    .separator
}

function measureEvenness(sample: string, separator: string): number {
  const records = [...new CsvRecords(separator).add(`${sample}\n`)].filter(record =>
    record.some(field => field.trim()),
  )
  const widths = records.slice(0, SAMPLE_RECORDS).map(record => record.length)
  const tally = new Map<number, number>()
  for (const width of widths) if (width > 1) tally.set(width, (tally.get(width) ?? 0) + 1)
  const [width, count] = [...tally].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [0, 0]
  return count === 0 ? 0 : count / widths.length + (widths[0] === width ? 0.5 : 0)
}
