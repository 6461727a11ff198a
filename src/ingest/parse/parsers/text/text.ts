import { localizable } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import { JunkMeter } from '../../detection/garbled.ts'
import type { Parser, ParserEvent, ParserInput } from '../../parser.ts'
import { DecodedText } from '../decoded-text.ts'
import { type PlainBlock, PlainBlocks } from './headings.ts'

/** Characters, so that a text on one line makes no endless block. */
const MAX_PARAGRAPH = 4000

export const textParser: Parser = {
  id: 'text@9',
  mediaTypes: ['text/plain'],
  parse: parseText,
}

async function* parseText(input: ParserInput, signal?: AbortSignal): AsyncIterable<ParserEvent> {
  signal?.throwIfAborted()
  const decoded = await DecodedText.open(input)
  yield { type: 'metadata', metadata: { charset: decoded.charset } }
  const meter = new JunkMeter()
  const blocks = new PlainBlocks()
  let isEmpty = true
  for await (const text of splitParagraphs(decoded.readPieces(signal))) {
    signal?.throwIfAborted()
    meter.add(text)
    isEmpty = false
    for (const event of toEvents(blocks.next(text))) yield event // delegating would wait three times for each event
  }
  yield* toEvents(blocks.end())
  if (isEmpty)
    throw new AppError('no_text', localizable`${input.name} holds no text, only white space.`)
  meter.refuseMostlyJunk(input.name)
  yield* meter.listWarnings()
  yield* decoded.listWarnings()
}

function* toEvents(blocks: Iterable<PlainBlock>): Iterable<ParserEvent> {
  for (const { block, isTitle } of blocks) {
    if (isTitle) yield { type: 'metadata', metadata: { title: block.text } }
    yield { type: 'block', block }
  }
}

async function* splitParagraphs(pieces: AsyncIterable<string>): AsyncIterable<string> {
  let rest = ''
  for await (const piece of pieces) {
    const parts = (rest + piece).replace(/\r\n/g, '\n').split(/\n(?:[^\S\n]*\n)+|\f/)
    rest = parts.pop() ?? ''
    for (const part of parts) yield* splitPortions(part)
    while (rest.length > MAX_PARAGRAPH * 2) {
      const end = findCut(rest)
      yield* splitPortions(rest.slice(0, end))
      rest = rest.slice(end)
    }
  }
  yield* splitPortions(rest)
}

export function* splitPortions(paragraph: string): Iterable<string> {
  let rest = paragraph
  while (rest.length > MAX_PARAGRAPH * 2) {
    const end = findCut(rest)
    yield* clean(rest.slice(0, end))
    rest = rest.slice(end)
  }
  yield* clean(rest)
}

/** Matches from the first trailing blank only, which keeps matching linear. */
const TRAILING = /(?<![^\S\n])[^\S\n]+$/gm

function* clean(text: string): Iterable<string> {
  const trimmed = text.replace(TRAILING, '').replace(/^\n+/, '').trimEnd()
  if (trimmed) yield trimmed
}

function findCut(text: string): number {
  const window = text.slice(MAX_PARAGRAPH, MAX_PARAGRAPH * 2)
  const found = [/\n/, /[。！？.!?](?=\s|[^\x20-\x7e])/, /\s/]
    .map(end => window.search(end))
    .find(index => index >= 0)
  const cut = MAX_PARAGRAPH + (found ?? 0) + 1
  return isHighSurrogate(text.charCodeAt(cut - 1)) ? cut + 1 : cut
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
