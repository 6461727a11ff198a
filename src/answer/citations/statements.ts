import { CELL_SEPARATOR } from '../../ingest/block.ts'
import { findHeaderUnit } from '../../ingest/parse/tables/columns.ts'
import type { Passage } from '../../search/passages/passage.ts'
import { parseScaledUnit } from '../../text/quantities.ts'
import type { Span } from '../../text/sentences.ts'
import type { Terms } from '../../text/terms.ts'
import {
  findAnnouncements,
  isAnaphoric,
  isLeadIn,
  isQuestion,
  type Statement,
  toStatements,
} from '../statements.ts'
import { unwrap } from '../unwrap.ts'
import { type Anchor, findAnchors, findNumbers } from './anchors.ts'

/** Sentence (possibly with its antecedent) or row that can state a claim. */
export type ReadStatement = {
  readonly passage: Passage
  /** Cited spans of the passage; a row includes its header. */
  readonly spans: readonly Span[]
  readonly text: string
  /** Context, nearest last: title, headings, lead-in, question. */
  readonly about: string
  readonly cells?: readonly Cell[]
  readonly otherRows?: readonly string[]
  /** Own terms, with context, and of the passage. */
  readonly own: ReadonlySet<string>
  readonly statedTerms: ReadonlySet<string>
  readonly all: ReadonlySet<string>
  readonly anchors: readonly Anchor[]
  readonly columnAnchors: readonly (readonly Anchor[])[]
}

export type Cell = { readonly column: string; readonly text: string }

/** Characters of a citation, so that it is readable. */
export const MAX_CITED = 400
/** Rows that name others, so that long tables stay cheap. */
const MAX_KEYS = 200
/** Item marks and clause numbers, which are no content. */
export const ITEM_MARK =
  /^\s*(?:(?:[-*•·‣▪◦]|\d{1,3}[.)、．](?!\d)|[(（][\d一二三四五六七八九十a-z]{1,3}[)）]|[一二三四五六七八九十]{1,3}、)\s*|\d{1,3}(?:\.\d{1,3})+[.)]?\s+(?=[\p{Lu}\p{Script=Han}])|第[\d一二三四五六七八九十百]{1,5}[条款]\s*)/u
const SAYS_NO =
  /^\s*(?:A:\s*)?(?:no\b(?!\.? ?\d)|不(?:[，,。]|可以[，,。]|行)|否|没有[，,。])[，,.。!]?/iu
const SAYS_YES = /^\s*(?:A:\s*)?(?:yes\b|是的?[，,。]|可以[，,。]|有[，,。])[，,.。!]?/iu

/** Leaves out questions and headings, which only provide context. */
export function readStatements(passage: Passage, terms: Terms): readonly ReadStatement[] {
  const all = terms.extract(passage.text)
  return listStatements(passage).map(listed => {
    const { text, about, cells = [] } = listed
    const columns = cells.map(({ column }) => column)
    const own = terms.extract([...columns, text].join('\n'))
    const statedTerms = new Set([...own, ...terms.extract(about)])
    const anchors = findAnchors(cells.length > 0 ? cells.map(withUnit).join(CELL_SEPARATOR) : text)
    return {
      ...listed,
      passage,
      own,
      statedTerms,
      all,
      anchors,
      columnAnchors: columns.map(findAnchors),
    }
  })
}

function listStatements(passage: Passage): readonly StatementText[] {
  const pieces = toStatements(passage).filter(({ kind }) => kind !== 'list')
  const outer = [passage.title, ...passage.headings, passage.context]
  return pieces.flatMap((piece, index) => {
    if (isName(piece, pieces[index + 1]) || isQuestion(piece)) return []
    const above = findAnnouncements(pieces, index)
    const about = [...outer, ...above.toReversed()].join('\n')
    return piece.kind === 'row'
      ? [toRow(piece, about, pieces)]
      : readSentences(piece, { about, above, before: pieces[index - 1] })
  })
}

function isName(piece: Statement, next: Statement | undefined): boolean {
  if (piece.isHeading) return true
  if (!piece.isLabel) return false
  const headsSomething = next !== undefined && !next.isLabel
  const counts = findNumbers(findAnchors(piece.text.replace(ITEM_MARK, ''))).length > 0
  return isLeadIn(piece) || (headsSomething && !counts)
}

type StatementText = Pick<ReadStatement, 'spans' | 'text' | 'about' | 'cells' | 'otherRows'>

function readSentences(
  piece: Statement,
  {
    about,
    above,
    before,
  }: { about: string; above: readonly string[]; before: Statement | undefined },
): readonly StatementText[] {
  const { span } = piece
  const bare = piece.text.replace(ITEM_MARK, '')
  const lead = piece.isItem ? above.find(text => /[:：]\s*$/.test(text)) : undefined
  const questionAbove = above.find(text => /[?？]\s*$/.test(text))
  const text = lead
    ? `${lead.replace(/[:：]\s*$/, '')} ${bare}`
    : questionAbove
      ? resolveAnswer(bare, questionAbove)
      : bare
  const cited = { start: span.start, end: Math.min(span.end, span.start + MAX_CITED) }
  const single = { spans: [cited], text, about }
  const lines = splitLines(piece).map(line => ({ ...line, about }))
  if (lines.length > 1) return lines
  if (!before || before.block !== piece.block || !isAnaphoric(piece)) return [single]
  const isShort = cited.end - before.span.start <= MAX_CITED
  const spans = isShort ? [{ start: before.span.start, end: cited.end }] : [before.span, cited]
  return [single, { spans, text: `${before.text.replace(ITEM_MARK, '')} ${bare}`, about }]
}

/** Splits at intended line breaks, as in a form. */
function splitLines({ text, span }: Statement): readonly Pick<StatementText, 'spans' | 'text'>[] {
  const lines = unwrap(text).split('\n')
  let end = 0
  return lines.map(line => {
    const start = text.indexOf(line, end)
    end = start < 0 ? end : start + line.length
    const place = start < 0 ? span : { start: span.start + start, end: span.start + end }
    return { spans: [place], text: line.replace(ITEM_MARK, '') }
  })
}

/** Resolves answers: `No. Only boards are carried.` denies its question. */
function resolveAnswer(own: string, label: string): string {
  const question = label.trim().replace(/[?？]$/, '')
  if (SAYS_NO.test(own))
    return `${/\p{Script=Han}/u.test(question) ? '不' : 'not'} ${question}; ${own.replace(SAYS_NO, '')}`
  return SAYS_YES.test(own) ? `${question}; ${own.replace(SAYS_YES, '')}` : own
}

function toRow(
  { span, text, columns, passage, block }: Statement,
  about: string,
  pieces: readonly Statement[],
): StatementText {
  const cells = readCells(text)
  const rows = pieces
    .filter(other => other.kind === 'row' && other.block === block)
    .slice(0, MAX_KEYS)
  const keys = rows.map(row => readCells(row.text)[0] ?? '')
  const start =
    columns.length > 0 ? passage.text.lastIndexOf(columns.join(CELL_SEPARATOR), span.start - 1) : -1
  const header = { start, end: start + columns.join(CELL_SEPARATOR).length }
  const isShort = span.end - start <= MAX_CITED
  return {
    spans: start < 0 ? [span] : isShort ? [{ start, end: span.end }] : [header, span],
    text: cells.join(CELL_SEPARATOR),
    about,
    cells: cells.map((cell, index) => ({ column: columns[index] ?? '', text: cell })),
    otherRows: keys.filter(key => key !== cells[0]),
  }
}

function readCells(row: string): readonly string[] {
  return row
    .replace(/^\||\|$/g, '')
    .split('|')
    .map(cell => cell.trim())
}

/** Adds the header's unit: `35` under `Crossing (minutes)`. */
export function withUnit({ column, text }: Cell): string {
  if (!/^[\d.,\s–-]+$/.test(text)) return text
  const unit = findHeaderUnit(column)
  return parseScaledUnit(unit) ? `${text} ${unit}` : text
}
