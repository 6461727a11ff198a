import { getFirst } from '../../../../system/items.ts'
import { isEnded, measureWidth } from '../../../../text/line-width.ts'
import { type Block, formatTableText } from '../../../block.ts'
import { isSentence, parseHeadingNumber } from '../heading-numbers.ts'
import { findTable, PARTED } from './tables.ts'

/**
 * Width of a heading, so that a sentence is none. A Chinese character is as wide as two
 * letters.
 */
const MAX_WIDTH = 80
const UNDERLINE = /^(?:={3,}|-{3,}|~{3,})$/u
/** Items, markup, columns, announcements and questions. */
const NO_HEADING = /^[-*•·+>#|]|^<[?!/\p{L}]|\S(?: {3,}|\t)\S|[:：?!？！…]["”’]?$/u
/** `Date: 3 May` belongs to the line above; the first line may have a colon, too. */
const FIELD = /[:：|]/u
/** Indent of a block. An indented first line alone only begins a paragraph. */
const INDENT = /^[^\S\n]+(?=\S)(?=[^\n]*(?:$|\n\S))/u

/** Other headings have the depth of their number, or the last level. */
const TITLE = 1
const DEEPEST_NUMBER = 5
const OTHER = 6

/** Width of running text, so that verse, addresses and lists do not decide. */
const TEXT_WIDTH = 40
/** Lines examined, so that a long text costs no more. */
const MAX_LINES = 40
const SENTENCE_START = /^["“‘(（《「]?[\p{Lu}\p{Lo}\d]/u
const ITEM_START = /^\d{1,3}[.)、．]/u

/** A line that `isSure` is a heading whatever follows. */
type Line = { readonly text: string; readonly level: number; readonly isSure: boolean }
type Paragraph = {
  readonly text: string
  readonly line?: Line
  readonly rows?: NonNullable<Block['rows']>
}

export type PlainBlock = { readonly block: Block; readonly isTitle: boolean }

/**
 * Blocks of a plain text. A heading is underlined, a separate line without a sentence end, or the
 * first line of a paragraph that ended on purpose. Several in a row are a list.
 */
export class PlainBlocks {
  #before: Paragraph | undefined
  #pending: Paragraph | undefined;

  *next(text: string): Iterable<PlainBlock> {
    for (const paragraph of splitParagraphs(text, this.#pending === undefined)) {
      yield* this.end(paragraph)
      this.#before = this.#pending
      this.#pending = paragraph
    }
  }

  *end(next?: Paragraph): Iterable<PlainBlock> {
    if (!this.#pending) return
    const block = toBlock(this.#pending, this.#before, next)
    yield { block, isTitle: this.#before === undefined && block.level === TITLE }
  }
}

function toBlock({ text, line, rows }: Paragraph, before?: Paragraph, next?: Paragraph): Block {
  const isHeading =
    line && (line.isSure || (next && isOver(line, next) && before?.line?.level !== line.level))
  if (isHeading) return { kind: 'heading', level: line.level, text: line.text }
  return rows
    ? { kind: 'table', text: formatTableText(rows), rows }
    : { kind: 'paragraph', text: text.replace(INDENT, '') }
}

function isOver({ level }: Line, { line }: Paragraph): boolean {
  return line === undefined || line.level > level
}

function splitParagraphs(text: string, isFirst: boolean): readonly Paragraph[] {
  const [first = '', second = ''] = text.split('\n', 2)
  const words = first.trim()
  const table = splitTable(text, isFirst)
  const isHead = table !== undefined && PARTED.test(words) // has columns, so it is no heading
  if (UNDERLINE.test(second.trim()) && isShort(words) && !isHead)
    return splitUnderlined(text, words, second)
  if (table) return table
  if (!canBeHeading(words, isFirst)) return [{ text }]
  const rest = text.slice(first.length + 1)
  if (rest === '')
    return [
      { text, line: { text: words, level: isFirst ? TITLE : findLevel(words), isSure: false } },
    ]
  if (isFirst || !isRightOver(words, rest)) return [{ text }]
  const line = { text: words, level: findLevel(words), isSure: true }
  return [{ text: first, line }, ...(splitTable(rest) ?? [{ text: rest }])]
}

function splitUnderlined(text: string, words: string, rule: string): readonly Paragraph[] {
  const above = text.split('\n', 2).join('\n')
  const rest = text.slice(above.length + 1)
  const line = { text: words, level: rule.includes('=') ? TITLE : TITLE + 1, isSure: true }
  return [{ text: above, line }, ...(rest.trim() ? (splitTable(rest) ?? [{ text: rest }]) : [])]
}

function canBeHeading(words: string, isFirst: boolean): boolean {
  if (isSentence(words) || !isShort(words) || NO_HEADING.test(words)) return false
  return isFirst || !FIELD.test(words)
}

function isRightOver(words: string, below: string): boolean {
  const lines = below.split('\n', MAX_LINES)
  const width = lines.reduce((max, line) => Math.max(max, measureWidth(line)), 0)
  if (
    measureWidth(getFirst(lines)) < TEXT_WIDTH ||
    !SENTENCE_START.test(below) ||
    !SENTENCE_START.test(words)
  )
    return false
  if (ITEM_START.test(below) || !/[.。!！?？]/u.test(below)) return false
  return isEnded(measureWidth(words), below, width)
}

function splitTable(text: string, isFirst = false): readonly Paragraph[] | undefined {
  const table = findTable(text)
  return (
    table && [
      ...(table.title ? splitParagraphs(table.title, isFirst) : []),
      { text, rows: table.rows },
    ]
  )
}

function findLevel(line: string): number {
  const depth = parseHeadingNumber(line)?.depth
  return depth === undefined ? OTHER : Math.min(DEEPEST_NUMBER, TITLE + depth)
}

function isShort(line: string): boolean {
  if (line.length > MAX_WIDTH) return false
  return measureWidth(line) <= MAX_WIDTH && /\p{L}.*\p{L}/u.test(line)
}
