import {
  getMessages,
  localizable,
  type Sentence,
  withMessage,
} from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import { getFirst } from '../../../../system/items.ts'
import type { Block } from '../../../block.ts'
import type { Parser, ParserEvent, ParserInput } from '../../parser.ts'
import { toBlockEvents } from '../block-events.ts'
import { DecodedText, readTextLines } from '../decoded-text.ts'
import { splitPortions } from '../text/text.ts'
import { type JsonToken, JsonTokens } from './tokens.ts'

const LINES = 'application/jsonl'

/** Bad records reported, or read without a good one, so that a file without JSON fails early. */
const MAX_BAD = 100

/** Ends a block after an item, at twice as many anywhere, so that chunks contain complete items. */
const FULL = 800
const OVERFULL = 4_000
/** Longer values are prose, so that each becomes a block. */
const LONG = 500

/** Text per byte of JSON, so that repeated paths stay below the bound of `TextBound`. */
const CHARS_PER_BYTE = 4
const FREE_CHARS = 32 * 1024
/** Long enough that a key or two indexes remain. */
const MAX_SHORT_PATH = 12
/** Bounded, so that a line is read at a glance. */
const MAX_JOINED_CHARS = 400

/** Drops the first steps, so that a path stays readable. */
const MAX_STEPS = 12

export const jsonParser: Parser = {
  id: 'json@5',
  mediaTypes: ['application/json'],
  parse: parseJson,
}

/** Separate, because the file's name changes how the same bytes are read. */
export const jsonLinesParser: Parser = { id: 'jsonl@5', mediaTypes: [LINES], parse: parseJson }

async function* parseJson(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const decoded = await DecodedText.open(input)
  yield { type: 'metadata', metadata: { charset: decoded.charset } }
  const pieces = decoded.readPieces(signal)
  const bad: Sentence[] = []
  const blocks =
    input.mediaType === LINES
      ? recordBlocks(pieces, input.name, bad)
      : readValueBlocks(pieces, input.name)
  yield* toBlockEvents(blocks, input.name, signal)
  yield* warnOfBadRecords(bad)
  yield* decoded.listWarnings()
}

async function* readValueBlocks(
  pieces: AsyncIterable<string>,
  name: string,
): AsyncGenerator<Block> {
  const reader = new JsonReader(reason => {
    return new AppError(
      'corrupt',
      localizable`Cannot read ${name}: it is not valid JSON, ${reason}.`,
    )
  }, new PathRoom())
  for await (const piece of pieces) yield* reader.add(piece)
  yield* reader.end()
}

class JsonReader {
  readonly #tokens: JsonTokens
  readonly #values: JsonValues
  readonly #blocks: JsonBlocks
  readonly #room: PathRoom

  constructor(damaged: (reason: Sentence) => AppError, room: PathRoom) {
    this.#tokens = new JsonTokens(damaged)
    this.#values = new JsonValues(damaged)
    this.#blocks = new JsonBlocks(room)
    this.#room = room
  }

  *add(piece: string): Iterable<Block> {
    for (const token of this.#tokens.add(piece)) yield* this.#read(token)
  }

  *end(): Iterable<Block> {
    for (const token of this.#tokens.end()) yield* this.#read(token)
    this.#values.end()
    yield* this.#blocks.end()
  }

  *#read(token: JsonToken): Iterable<Block> {
    this.#room.addBytes(countBytes(token))
    const value = this.#values.add(token)
    if (value) yield* this.#blocks.add(value)
  }
}

async function* recordBlocks(
  pieces: AsyncIterable<string>,
  name: string,
  bad: Sentence[],
): AsyncGenerator<Block> {
  const room = new PathRoom()
  let number = 0
  let isAnyGood = false
  for await (const line of readTextLines(pieces)) {
    number++
    const blocks = line.trim() === '' ? [] : readRecord(line, number, room)
    if (blocks instanceof AppError) bad.push(getMessages(blocks).message)
    else isAnyGood ||= blocks.length > 0
    if (!isAnyGood && bad.length > MAX_BAD)
      throw new AppError('corrupt', localizable`Cannot read ${name}. ${getFirst(bad)}`)
    if (!(blocks instanceof AppError)) yield* blocks
  }
  if (!isAnyGood && bad.length > 0)
    throw new AppError('corrupt', localizable`Cannot read ${name}. ${getFirst(bad)}`)
}

/** Reads the entire record first, so that a bad one leaves nothing behind. */
function readRecord(line: string, number: number, room: PathRoom): readonly Block[] | AppError {
  try {
    const createJsonError = (reason: Sentence) =>
      new AppError('corrupt', localizable`Line ${number} is not valid JSON, ${reason}.`)
    const reader = new JsonReader(createJsonError, room)
    return [...reader.add(line), ...reader.end()]
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

function* warnOfBadRecords(bad: readonly Sentence[]): Iterable<ParserEvent> {
  for (const message of bad.slice(0, MAX_BAD))
    yield { type: 'warning', warning: withMessage({ code: 'bad_record' }, message) }
  if (bad.length <= MAX_BAD) return
  const message = localizable`${bad.length - MAX_BAD} more lines could not be read.`
  yield { type: 'warning', warning: withMessage({ code: 'bad_record' }, message) }
}

class PathRoom {
  #chars = FREE_CHARS

  addBytes(bytes: number): void {
    this.#chars += CHARS_PER_BYTE * bytes
  }

  has(chars: number): boolean {
    return chars <= this.#chars
  }

  take(chars: number): void {
    this.#chars -= chars
  }
}

class JsonBlocks {
  #lines: string[] = []
  #characters = 0
  readonly #room: PathRoom
  #array: string | undefined

  constructor(room: PathRoom) {
    this.#room = room
  }

  *add(value: JsonValue): Iterable<Block> {
    if (value.type === 'end') {
      const isRecord = value.depth === 0 || (value.isItem && value.depth === 1)
      if (isRecord || this.#characters >= FULL) yield* this.end()
      return
    }
    const text = value.text.trim()
    if (text.length > LONG) yield* this.#emitProse(value.path, text)
    else this.#push(value.path, text.replace(/\s+/g, ' '))
    if (this.#characters >= OVERFULL) yield* this.end()
  }

  *end(): Iterable<Block> {
    const lines = this.#lines
    this.#lines = []
    this.#characters = 0
    if (lines.length > 0) yield { kind: 'paragraph', text: lines.join('\n') }
  }

  #push(path: string, text: string): void {
    if (text === '') return
    const array = /^(.*)\[\d+\]$/s.exec(path)?.[1]
    const last = this.#lines.at(-1) ?? ''
    const hasRoom = this.#room.has(path.length + text.length)
    const isNext = array !== undefined && array === this.#array && last.length < MAX_JOINED_CHARS
    this.#array = array
    if (!hasRoom && isNext && last !== '')
      this.#lines[this.#lines.length - 1] = this.#countLine(`${last}, ${text}`, last.length)
    else
      this.#lines.push(
        this.#countLine(hasRoom ? withPath(path, text) : withPath(clipPath(path, text), text)),
      )
  }

  #countLine(line: string, before = 0): string {
    this.#characters += line.length - before
    this.#room.take(line.length + 1 - before)
    return line
  }

  *#emitProse(path: string, text: string): Iterable<Block> {
    yield* this.end()
    this.#array = undefined
    const prefix = withPath(
      this.#room.has(path.length + text.length) ? path : clipPath(path, text),
      '',
    )
    this.#room.take(prefix.length + text.length)
    for (const paragraph of (prefix + text).split(/\n\s*\n/)) {
      for (const portion of splitPortions(paragraph)) yield { kind: 'paragraph', text: portion }
    }
  }
}

function countBytes(token: JsonToken): number {
  if (!('value' in token)) return 1
  return token.value.length + (token.type === 'text' ? 2 : 0)
}

function withPath(path: string, text: string): string {
  return path ? `${path}: ${text}` : text
}

function clipPath(path: string, text: string): string {
  const maxChars = Math.max(MAX_SHORT_PATH, 2 * text.length)
  return path.length <= maxChars ? path : `…${path.slice(-maxChars)}`
}

/** Depth 0 is the root. */
type JsonValue =
  | {
      readonly type: 'scalar'
      readonly path: string
      readonly text: string
      readonly depth: number
    }
  | { readonly type: 'end'; readonly isItem: boolean; readonly depth: number }

type Place = { readonly isArray: boolean; key: string; index: number }

class JsonValues {
  readonly #damaged: (reason: Sentence) => Error
  readonly #open: Place[] = []
  #expected: 'value' | 'key' | 'colon' | 'comma' = 'value'

  constructor(damaged: (reason: Sentence) => Error) {
    this.#damaged = damaged
  }

  add(token: JsonToken): JsonValue | undefined {
    switch (token.type) {
      case '{':
      case '[':
        return this.#openValue(token.type === '[')
      case '}':
      case ']':
        return this.#end(token.type === ']')
      case ':':
        return this.#pass('colon', 'value')
      case ',':
        return this.#acceptComma()
      default:
        return this.#toScalar(token)
    }
  }

  end(): void {
    if (this.#open.length > 0) throw this.#damaged('it ends before all that it opened is closed')
  }

  #openValue(isArray: boolean): undefined {
    this.#expect('value')
    this.#open.push({ isArray, key: '', index: 0 })
    this.#expected = isArray ? 'value' : 'key'
  }

  /** Allows a comma before the end. */
  #end(isArray: boolean): JsonValue {
    const place = this.#open.pop()
    if (!place || place.isArray !== isArray)
      throw this.#damaged(localizable`it closes with ${isArray ? ']' : '}'} what is not open`)
    this.#expected = this.#open.length > 0 ? 'comma' : 'value'
    return { type: 'end', isItem: this.#open.at(-1)?.isArray ?? false, depth: this.#open.length }
  }

  #acceptComma(): undefined {
    this.#expect('comma')
    const place = this.#open.at(-1)
    if (place) place.index++
    this.#expected = place?.isArray === false ? 'key' : 'value'
  }

  #pass(expected: 'colon', next: 'value'): undefined {
    this.#expect(expected)
    this.#expected = next
  }

  #toScalar({ type, value }: Extract<JsonToken, { value: string }>): JsonValue | undefined {
    const place = this.#open.at(-1)
    if (this.#expected === 'key' && place && type === 'text') {
      place.key = value
      this.#expected = 'colon'
      return undefined
    }
    this.#expect('value')
    this.#expected = place ? 'comma' : 'value'
    return { type: 'scalar', path: this.#formatPath(), text: value, depth: this.#open.length }
  }

  #expect(expected: string): void {
    if (this.#expected !== expected)
      throw this.#damaged(localizable`a ${this.#expected} is missing after “${this.#formatPath()}”`)
  }

  #formatPath(): string {
    const steps = this.#open
      .slice(-MAX_STEPS)
      .map(({ isArray, key, index }) => (isArray ? `[${index}]` : `.${key}`))
    return (this.#open.length > MAX_STEPS ? '…' : '') + steps.join('').replace(/^\./, '')
  }
}
