import { type Span, sentences } from '../../ingest/sentences.ts'
import type { Passage } from '../../search/passages/context.ts'
import { columnNames, headerRows, joinedNames } from './column-names.ts'
import { isQuestionLine } from './question-line.ts'

/** The smallest piece of a passage that can answer: a sentence, a list item, a table row. */
export type Unit = {
  readonly passage: Passage
  /** Within the passage's text. */
  readonly span: Span
  /** Exactly the passage's text at the span. */
  readonly text: string
  /** A line that stands alone and ends with no full stop, or asks: a heading or a list item, which of them only its neighbours tell. */
  readonly isLabel: boolean
  /** Of a table row: the names of its columns; empty where the table has none. */
  readonly columns?: readonly string[]
  /** Number of the block in the passage; sentences of one block follow one another. */
  readonly block: number
}

const CELL = ' | '
const MAX_LABEL = 80
/** By so many rows it is told whether the first one heads a table. */
const MAX_HEAD = 200
/** A sentence longer than this is cut at a clause. */
const MAX_UNIT = 400
const ENDS = /[。！？；…：.!?:;]["'”’」』）)\]]*$/
const ASKS = /[?？]\s*$/
const BULLET =
  /^\s*(?:[-*•·‣▪◦]|o(?=\s{2})|\d{1,3}[.)、．]|[(（][\d一二三四五六七八九十a-z]{1,3}[)）]|[一二三四五六七八九十]{1,3}、)/

/** In a manual page an `o`. */
const MARK = /^\s*(?:[-*•·‣▪◦]|o(?=\s{2}))/

const BARE_MARK = /^(?:\d{1,3}(?:\.\d{1,3})*[.)]|[(（]?[a-z\d]{1,3}[)）.]|[-*•·‣▪◦])$/i

/** A line of a table of contents says where something is, not what. */
const CONTENTS_ENTRY = /(?:\.{4,}|(?:\. ?){5,}|…{2,}|[·・]{4,})\s*(?:\d+|[ivxlc]+)\s*$/i

/** The passage's units in order; headings are labels, too. */
export function unitsOf(passage: Passage): readonly Unit[] {
  return blocksOf(passage.text).flatMap((block, at) => {
    const text = passage.text.slice(block.start, block.end)
    const lines = linesOf(text)
    if (lines.every(line => CONTENTS_ENTRY.test(text.slice(line.start, line.end)))) return []
    const toUnit = (span: Span): Unit => place(passage, block.start, span, at)
    if (!isTable(text, lines))
      return sentenceSpans(text).map(span => ({ ...toUnit(span), isLabel: isLabel(text) || asksAlone(text, span) }))
    const repeated = at === 0 ? repeatedHeader(passage.context) : undefined
    const rows = lines.slice(0, MAX_HEAD).map(line => cellsOf(text, line))
    const { columns, levels } = headOf(repeated ? [repeated, ...rows] : rows)
    return lines.slice(repeated ? Math.max(0, levels - 1) : levels).map(line => ({ ...toUnit(line), columns }))
  })
}

/** A question in a line of its own: the unit itself, or the nearest label above it. */
export function questionOver(unit: Unit): Unit | undefined {
  const units = unitsOf(unit.passage)
  const label = units.findLast(other => other.isLabel && other.span.start <= unit.span.start)
  return label && isQuestionLine(label.text) ? label : undefined
}

/** The names of a table's columns, and how many of its rows hold them: none where its first row is one like the others. */
function headOf(rows: readonly (readonly string[])[]) {
  const [first, second, ...others] = [rows[0]!, rows[1], ...rows.slice(2)] // a table has a line
  if (second && others.length > 0 && headerRows(first, second) === 2)
    return { columns: joinedNames(first, second), levels: 2 }
  const columns = columnNames(first, rows.slice(1))
  return { columns, levels: columns.length === 0 ? 0 : 1 }
}

/** It begins with a list item's mark or number. */
export function isBulleted(unit: Unit): boolean {
  return BULLET.test(unit.text)
}

/** It begins with a mark that no heading has. */
export function isMarked(unit: Unit): boolean {
  return MARK.test(unit.text)
}

/** Of what announces or heads something, what follows is read so far. */
const MAX_ANNOUNCED = 600

/** The block that a unit stands in, with the heading above its passage; of a heading or an announcement, what follows. */
export function textAround({ passage, span, isLabel, text, columns = [] }: Unit): string {
  const start = passage.text.lastIndexOf('\n\n', span.start) + 1
  const end = passage.text.indexOf('\n\n', span.end)
  const isBefore = isLabel || /[:：]\s*$/.test(text)
  const block = columns.length > 0 ? text : passage.text.slice(start, end < 0 ? undefined : end)
  return [
    passage.headings.at(-1),
    ...columns,
    block,
    isBefore && passage.text.slice(span.end, span.end + MAX_ANNOUNCED),
  ]
    .filter(Boolean)
    .join('\n')
}

function place(passage: Passage, offset: number, { start, end }: Span, block: number): Unit {
  const span = { start: offset + start, end: offset + end }
  return { passage, span, text: passage.text.slice(span.start, span.end), isLabel: false, block }
}

/** Parts of a text between the matches of a separator, trimmed, empty ones left out. */
function split(text: string, separator: RegExp): readonly Span[] {
  const ends = [...text.matchAll(separator)].map(match => ({ from: match.index, to: match.index + match[0].length }))
  const starts = [0, ...ends.map(end => end.to)]
  const spans = starts.map((start, at) => ({ start, end: ends[at]?.from ?? text.length }))
  return spans.filter(span => text.slice(span.start, span.end).trim() !== '')
}

function blocksOf(text: string): readonly Span[] {
  return split(text, /\n{2,}/g)
}

function linesOf(text: string): readonly Span[] {
  return split(text, /\n/g)
}

function isTable(text: string, lines: readonly Span[]): boolean {
  return lines.every(line => text.slice(line.start, line.end).includes(CELL))
}

function cellsOf(text: string, line: Span): readonly string[] {
  return text.slice(line.start, line.end).split(CELL)
}

/** A chunk that begins inside a table has the table's header as the last line of its context. */
function repeatedHeader(context: string): readonly string[] | undefined {
  const last = context.trimEnd().split('\n').at(-1) ?? ''
  return last.includes(CELL) ? last.split(CELL) : undefined
}

function isLabel(block: string): boolean {
  return block.length <= MAX_LABEL && !block.includes('\n') && (!ENDS.test(block.trim()) || ASKS.test(block))
}

/** A question in a line of its own, with its answer in the next ones of the block. */
function asksAlone(block: string, { start, end }: Span): boolean {
  const isLine = (start === 0 || block[start - 1] === '\n') && block[end] === '\n'
  return isLine && isQuestionLine(block.slice(start, end))
}

/** Sentences with the wrapped lines of a paragraph put together again, and the very long ones cut at clauses. */
function sentenceSpans(text: string): readonly Span[] {
  const joined: Span[] = []
  for (const span of sentences(text)) {
    const last = joined.at(-1)
    if (last && (isBareMark(text, last) || isWrapped(text, last, span) || goesOn(text, last, span)))
      joined[joined.length - 1] = { start: last.start, end: span.end }
    else joined.push(span)
  }
  return joined.flatMap(span => cutAtClauses(text, span))
}

/** `5.` before the item that it counts: its full stop ends no sentence. */
function isBareMark(text: string, { start, end }: Span): boolean {
  return BARE_MARK.test(text.slice(start, end))
}

/** `File → Plot…, then click OK`: an ellipsis that belongs to a name ends no sentence. */
function goesOn(text: string, before: Span, after: Span): boolean {
  return (
    /…$/.test(text.slice(before.start, before.end)) &&
    /^[\s\u200B]*[,，、;；)）\p{Ll}]/u.test(text.slice(after.start, after.end))
  )
}

function isWrapped(text: string, before: Span, after: Span): boolean {
  const gap = text.slice(before.end, after.start)
  if (!gap.includes('\n') || after.end - before.start > MAX_UNIT) return false
  return !ENDS.test(text.slice(before.start, before.end)) && !BULLET.test(text.slice(after.start, after.end))
}

function cutAtClauses(text: string, span: Span): readonly Span[] {
  if (span.end - span.start <= MAX_UNIT) return [span]
  const cut = span.start + lastCut(text.slice(span.start, span.start + MAX_UNIT))
  const end = span.start + text.slice(span.start, cut).trimEnd().length
  return [{ start: span.start, end }, ...cutAtClauses(text, { start: cut, end: span.end })]
}

/** After the last clause of the second half, else after the last word, else at the end. */
function lastCut(text: string): number {
  const after = (pattern: RegExp) =>
    Math.max(0, ...[...text.matchAll(pattern)].map(match => match.index + match[0].length))
  const clause = after(/[;；,，:：]\s*/g)
  return clause > text.length / 2 ? clause : after(/\s+/g) || text.length
}
