import { localizable, withMessage } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { type Block, clipText } from '../../block.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'
import { hasWords, SkippedText } from '../skipped-text.ts'
import { toBlockEvents } from './block-events.ts'
import { DecodedText } from './decoded-text.ts'
import { parseXmlEvents, type XmlAttributes, type XmlEvent } from './office/xml.ts'
import { textParser } from './text/text.ts'
import { readEntities } from './xml-entities.ts'

const MAX_BLOCK_CHARS = 8_000
/** The XML parser's message may quote the file. */
const MAX_FAULT_CHARS = 100
/** Titles in DocBook, DITA, JATS, TEI, RSS and Atom. */
const TITLE = /^(?:title|head|heading)$/i
/** Instructions that name style sheets and schemas. */
const FOR_PROGRAMS = /^xml(?:-|$)/i
/** Names of classes and identifiers have no such words. */
const PROSE = /\p{L}{2} \p{L}{2}|\p{Script=Han}{2}/u

export const xmlParser: Parser = {
  id: 'xml@3',
  mediaTypes: ['application/xml', 'text/xml'],
  parse: parseXml,
}

async function* parseXml(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const fault = await findFault(input, signal)
  if (fault) {
    yield* textParser.parse(input, signal)
    const message = localizable`The XML was read as plain text, because it is not well-formed or uses an entity that cannot be expanded: ${fault}.`
    return yield { type: 'warning', warning: withMessage({ code: 'malformed' }, message) }
  }
  const decoded = await DecodedText.open(input)
  yield { type: 'metadata', metadata: { charset: decoded.charset } }
  const skipped = new SkippedText()
  const reading = { name: input.name, decoded, skipped }
  yield* toBlockEvents(readXmlBlocks(reading, signal), input.name, signal)
  yield* skipped.listWarnings()
  yield* decoded.listWarnings()
}

/** Reads the file beforehand, so that nothing is emitted twice. */
async function findFault(input: ParserInput, signal?: AbortSignal): Promise<string | undefined> {
  const decoded = await DecodedText.open(input)
  try {
    const reading = { name: input.name, decoded, skipped: new SkippedText() }
    for await (const _ of readXmlEvents(reading, signal)) signal?.throwIfAborted()
    return undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const cause = error.cause instanceof Error ? error.cause.message : error.message
    return clipText(cause.replace(/\.$/, ''), MAX_FAULT_CHARS)
  }
}

type Reading = {
  readonly name: string
  readonly decoded: DecodedText
  readonly skipped: SkippedText
}

async function* readXmlBlocks(reading: Reading, signal?: AbortSignal): AsyncGenerator<Block> {
  const elements = new XmlRecords(reading.skipped)
  for await (const events of readXmlEvents(reading, signal))
    for (const event of events) yield* elements.add(event)
}

function readXmlEvents({ name, decoded, skipped }: Reading, signal?: AbortSignal) {
  const markup = {
    onComment: (text: string) => skipped.add('comments', hasWords(text) ? 1 : 0),
    onInstruction: (target: string, text: string) =>
      skipped.add('instructions', !FOR_PROGRAMS.test(target) && hasWords(text) ? 1 : 0),
    readEntities: (doctype: string) => readEntities(doctype, skipped),
  }
  const bytes = encode(decoded.readPieces(signal))
  return parseXmlEvents({ name, part: 'XML', bytes, signal, markup })
}

async function* encode(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece)
}

type Part = { readonly name?: string; readonly text: string }

type OpenElement = {
  readonly name: string
  readonly attributes: XmlAttributes
  parts: Part[]
  characters: number
  /** Then children are inline. */
  isMixed: boolean
}

class XmlRecords {
  readonly #skipped: SkippedText
  readonly #open: OpenElement[] = []

  constructor(skipped: SkippedText) {
    this.#skipped = skipped
  }

  *add(event: XmlEvent): Iterable<Block> {
    if (event.type === 'open') {
      const { name, attributes } = event
      this.#open.push({ name, attributes, parts: [], characters: 0, isMixed: false })
    } else if (event.type === 'text') this.#addText(event.text)
    else {
      const element = this.#open.pop()
      if (element) yield* this.#close(element)
    }
  }

  #addText(text: string): void {
    const element = this.#open.at(-1)
    if (!element) return
    element.isMixed ||= text.trim() !== ''
    this.#append(element, { text: text.replace(/\s+/g, ' ') })
  }

  #append(element: OpenElement, part: Part): void {
    element.parts.push(part)
    element.characters += part.text.length
  }

  *#close(element: OpenElement): Iterable<Block> {
    const parent = this.#open.at(-1)
    const values = listAttributes(element)
    const children = element.parts.filter(part => part.name !== undefined)
    if (element.isMixed || (children.length === 0 && values.length === 0)) {
      const text = element.parts
        .map(part => part.text)
        .join('')
        .replace(/ +/g, ' ')
        .trim()
      const level = Math.min(6, Math.max(1, this.#open.length))
      const isTitle = TITLE.test(element.name) && text !== '' && !parent?.isMixed
      if (isTitle || !text || !parent || parent.isMixed) this.#countUnread(values)
      if (isTitle) {
        yield* this.#flush()
        yield { kind: 'heading', level, text }
      } else if (text && parent) yield* this.#addValue(parent, element, text)
      else yield* toBlocks([{ text }])
    } else if (parent?.isMixed) {
      this.#countUnread(values)
      const text = children.map(part => part.text).join(' ')
      this.#append(parent, { name: element.name, text })
    } else {
      yield* this.#flush()
      yield* toBlocks([...values, ...children])
    }
  }

  #countUnread(values: readonly Part[]): void {
    this.#skipped.add('attributes', values.filter(({ text }) => PROSE.test(text)).length)
  }

  *#addValue(parent: OpenElement, element: OpenElement, text: string): Iterable<Block> {
    const values = parent.isMixed ? [] : listAttributes(element)
    const more = values.map(({ name, text: value }) => `${name} ${value}`).join(', ')
    this.#append(parent, { name: element.name, text: more ? `${text} (${more})` : text })
    if (parent.characters > MAX_BLOCK_CHARS) yield* this.#flush()
  }

  *#flush(): Iterable<Block> {
    for (const element of this.#open) {
      const { parts } = element
      element.parts = []
      element.characters = 0
      if (element.isMixed)
        yield* toBlocks([
          {
            text: parts
              .map(part => part.text)
              .join('')
              .trim(),
          },
        ])
      else yield* toBlocks(parts.filter(part => part.name !== undefined))
    }
  }
}

function listAttributes({ attributes }: OpenElement): readonly (Part & { name: string })[] {
  return Object.entries(attributes).flatMap(([name, text]) =>
    /^(?:xmlns|xsi|xml)(?::|$)/.test(name) || text.trim() === '' ? [] : [{ name, text }],
  )
}

function* toBlocks(parts: readonly Part[]): Iterable<Block> {
  let lines = ''
  for (const { name, text } of parts) {
    const line = name === undefined ? text : `${name}: ${text}`
    if (lines.length + line.length > MAX_BLOCK_CHARS) {
      yield* toParagraphs(lines)
      lines = ''
    }
    lines += lines ? `\n${line}` : line
  }
  yield* toParagraphs(lines)
}

function* toParagraphs(text: string): Iterable<Block> {
  for (let rest = text.trim(); rest; ) {
    const part = clipText(rest, MAX_BLOCK_CHARS)
    yield { kind: 'paragraph', text: part.trim() }
    rest = rest.slice(part.length).trim()
  }
}
