import { CELL_SEPARATOR } from '../ingest/block.ts'
import type { Passage } from '../search/passages/passage.ts'
import type { Span } from '../text/sentences.ts'
import { findColumns, readRows } from './passage-rows.ts'
import { ENDS, ITEM, NUMBER, splitSentenceSpans } from './sentence-spans.ts'
import { FIELD_LINE } from './unwrap.ts'

/** Smallest answering part: sentence, row, list with lead-in, or small table. */
export type Statement = {
  readonly kind: 'sentence' | 'row' | 'list' | 'table'
  readonly passage: Passage
  /** Relative to the passage. */
  readonly span: Span
  readonly text: string
  readonly isLabel: boolean
  readonly isHeading: boolean
  readonly isItem: boolean
  /** Nesting of an item within its run. */
  readonly depth?: number
  /** The next item is its child. */
  readonly hasItems?: true
  /** Empty without header. */
  readonly columns: readonly string[]
  readonly block: number
  readonly omittedCount?: number
  /** Notes of rows, relative to the passage. */
  readonly notes?: readonly Span[]
}

const MAX_LABEL = 80
/** Characters of a row; longer ones are prose, so that quotations stay short. */
const MAX_ROW = 600
/** Characters of a list; longer ones are cut, so that answers stay short. */
const MAX_LIST = 2_000
const ASKS = /[?？]\s*$/
const ITEM_NUMBERS = new RegExp(String.raw`^\s*(?:${NUMBER.source})(?!\d)`, 'gm')
const COUNTED = /\d+|[\u2460-\u2473]|[一二三四五六七八九十]+|[a-z]+/u
const FIRST = /^(?:1|一|a|i|①)$/u
const KINDS = [
  [/\d/u, '1'],
  [/[a-z]/u, 'a'],
  [/\p{Script=Han}/u, '一'],
  [/./u, '①'],
] as const
/** Indent of a nested block. */
const INDENT = /^ {2,}(?=\S)/
const PARTED = /[;；]\s*(?:and|or|和|或)?$/
const FIELD = new RegExp(`^${FIELD_LINE}$`, 'u')
const LEADS_ON = /[:：]["”’)）]*$/

const CONTENTS_ENTRY =
  /(?:(?<!\.)\.{4,}|(?<!\. ?)(?:\. ?){5,}|(?<!…)…{2,}|(?<![·・])[·・]{4,})\s*(?:\d+|[ivxlc]+)\s*$/i

/** Returns sentences, rows and labels in order, then lists. */
export function toStatements(passage: Passage): readonly Statement[] {
  const blocks = split(passage.text, /\n{2,}/g)
  const headings = new Set(
    [passage.title, ...passage.parts.flatMap(part => part.headings)].map(text => text.trim()),
  )
  const parts = withItemLeads(
    withFields(
      withNumberedLabels(blocks.flatMap((_, index) => readBlock(passage, blocks, index, headings))),
    ),
  )
  return [...parts, ...findLists(parts)]
}

/** Takes `2. Premises` between paragraphs for a heading, beside numbered lines for an item. */
function withNumberedLabels(parts: readonly Statement[]): readonly Statement[] {
  return parts.map((part, index) => {
    const before = parts[index - 1]
    const after = parts[index + 1]
    const isAlone = part.isItem && !before?.isItem && after !== undefined && !after.isItem
    const isLine = isAlone && after.block !== part.block && before?.block !== part.block
    return isLine && isLabel(part.text) ? { ...part, isItem: false, isLabel: true } : part
  })
}

/** Takes `Chair: B. Aas` beside such lines for a statement. */
function withFields(parts: readonly Statement[]): readonly Statement[] {
  const isField = (part: Statement | undefined) =>
    part?.isLabel && !part.isHeading && FIELD.test(part.text)
  return parts.map((part, index) =>
    isField(part) && (isField(parts[index - 1]) || isField(parts[index + 1]))
      ? { ...part, isLabel: false }
      : part,
  )
}

function withItemLeads(parts: readonly Statement[]): readonly Statement[] {
  let open: readonly OpenItem[] = []
  const deep = parts.map((part, index) => {
    if (!part.isItem) {
      if (isListEnd(part, parts[index - 1])) open = []
      return part
    }
    open = withItem(open, readMark(part))
    return { ...part, depth: open.at(-1)!.depth }
  })
  return deep.map((part, index) =>
    isUnder(deep[index + 1], part) ? { ...part, hasItems: true } : part,
  )
}

type OpenItem = ItemMark & { readonly depth: number }

function withItem(open: readonly OpenItem[], mark: ItemMark): readonly OpenItem[] {
  const above = open.filter(other => other.indent <= mark.indent)
  const like = above.findIndex(other => other.indent === mark.indent && other.signs === mark.signs)
  if (like >= 0) return above.slice(0, like + 1)
  const over = mark.isFirst ? above : above.filter(other => other.indent < mark.indent)
  const last = over.at(-1)
  const first = open[0]
  return [...over, { ...mark, depth: last ? last.depth + 1 : first ? first.depth - 1 : 0 }]
}

function isListEnd(part: Statement, before: Statement | undefined): boolean {
  return part.isLabel || part.kind === 'row' || part.block !== before?.block
}

type ItemMark = { readonly indent: number; readonly signs: string; readonly isFirst: boolean }

function readMark({ passage, span, text }: Statement): ItemMark {
  const line = passage.text.slice(passage.text.lastIndexOf('\n', span.start - 1) + 1, span.start)
  const indent = line.trim() === '' ? line.length : 0
  const mark = ITEM.exec(text)?.[0].trim() ?? ''
  const counted = COUNTED.exec(mark)?.[0] ?? ''
  return {
    indent,
    signs: mark.replace(counted, getCountKind(counted)),
    isFirst: counted === '' || FIRST.test(counted),
  }
}

function getCountKind(counted: string): string {
  return KINDS.find(([pattern]) => pattern.test(counted))?.[1] ?? ''
}

function isUnder(item: Statement | undefined, other: Statement): boolean {
  return item?.depth !== undefined && other.depth !== undefined && item.depth > other.depth
}

export function removeItemNumbers({ text }: Statement): string {
  return text.replace(ITEM_NUMBERS, '')
}

export function isLeadIn({ text }: Statement): boolean {
  return LEADS_ON.test(text)
}

export function isListHeading({ hasItems, text }: Statement): boolean {
  return hasItems === true && !ENDS.test(text.trim())
}

export function isQuestion({ text }: Statement): boolean {
  return ASKS.test(text)
}

/** Anaphoric words (Quirk et al. 1985, 6.15, 8.134; 吕叔湘 1999). */
const POINTS_BACK =
  /^(?:it|its|this|these|that|those|they|their|he|she|such|however|therefore|thus|also|otherwise|the (?:latter|former|same))\b|^(?:其(?!他|它|中)|该|它|此|但|因此|所以|否则|同时|前款|上述|前者|后者)/i

/** Returns whether the sentence needs the one before. */
export function isAnaphoric({ text }: Statement): boolean {
  return POINTS_BACK.test(text)
}

function readBlock(
  passage: Passage,
  blocks: readonly Span[],
  index: number,
  headings: ReadonlySet<string>,
): readonly Statement[] {
  const block = blocks[index]!
  const text = passage.text.slice(block.start, block.end)
  const lines = split(text, /\n/g)
  if (lines.every(line => CONTENTS_ENTRY.test(text.slice(line.start, line.end)))) return []
  const place = ({ start, end }: Span) =>
    createStatement(passage, { start: block.start + start, end: block.start + end }, index)
  if (lines.every(line => text.slice(line.start, line.end).includes(CELL_SEPARATOR)))
    return readRows(text, lines, findColumns(passage, blocks, index)).flatMap(
      ({ span, columns }) =>
        span.end - span.start > MAX_ROW
          ? splitSentenceSpans(text.slice(span.start, span.end)).map(({ start, end }) =>
              place({ start: span.start + start, end: span.start + end }),
            )
          : [{ ...place(span), kind: 'row' as const, columns }],
    )
  const isHeading = headings.has(text.trim())
  const spans = splitSentenceSpans(text)
  return spans.map(span => {
    const sentence = place(span)
    const isItem =
      !isHeading && (ITEM.test(sentence.text) || (span === spans[0] && INDENT.test(text)))
    return {
      ...sentence,
      isHeading,
      isLabel: isHeading || (!isItem && (isLabel(text) || isStandaloneQuestion(text, span))),
      isItem,
    }
  })
}

export function createStatement(passage: Passage, span: Span, block: number): Statement {
  const text = passage.text.slice(span.start, span.end)
  return {
    kind: 'sentence',
    passage,
    span,
    text,
    isLabel: false,
    isHeading: false,
    isItem: false,
    columns: [],
    block,
  }
}

export function spread(statement: Statement, kind: Statement['kind'], span: Span): Statement {
  return { ...statement, kind, span, text: statement.passage.text.slice(span.start, span.end) }
}

/** Builds lists: a lead-in with its items, or a short labelled section. */
function findLists(parts: readonly Statement[]): readonly Statement[] {
  return parts.flatMap((lead, index) => {
    if (lead.kind !== 'sentence' || !(lead.isItem ? lead.hasItems : isLeadIn(lead) || lead.isLabel))
      return []
    const items = findItems(parts, index + 1)
    const members =
      items.filter(item => item.isItem).length >= 2
        ? items
        : lead.isLabel
          ? findSection(parts, index)
          : []
    const listed = members.filter(member => member.span.end - lead.span.start <= MAX_LIST)
    const last = listed.at(-1)
    if (!last) return []
    const span = { start: lead.span.start, end: last.span.end }
    const omittedCount = members.length - listed.length
    return [
      {
        ...createStatement(lead.passage, span, lead.block),
        kind: 'list' as const,
        ...(omittedCount > 0 && { omittedCount }),
      },
    ]
  })
}

function findItems(parts: readonly Statement[], from: number): readonly Statement[] {
  const first = parts[from]
  const isOuter = (part: Statement) => first !== undefined && isUnder(first, part)
  const isParted = (part: Statement | undefined) => part !== undefined && PARTED.test(part.text)
  const isMember = (part: Statement, index: number) =>
    part.isItem || isParted(part) || (index > from && isParted(parts[index - 1]))
  const isOther = (part: Statement, index: number) =>
    isOuter(part) ||
    (!isMember(part, index) &&
      (part.kind === 'row' ||
        part.isLabel ||
        index === from ||
        part.block !== parts[index - 1]?.block))
  return takeUntil(parts, from, isOther)
}

function findSection(parts: readonly Statement[], index: number): readonly Statement[] {
  const { signs } = readMark(parts[index]!)
  const isNext = (part: Statement) => part.isItem && signs !== '' && readMark(part).signs === signs
  const section = takeUntil(
    parts,
    index + 1,
    part => part.isLabel || part.kind === 'row' || isNext(part),
  )
  const items = section.filter(part => part.isItem)
  const last = items.length >= 2 ? items.at(-1)?.block : undefined
  if (last !== undefined) return section.filter(part => part.block <= last)
  return section.length > 1 ? section : []
}

function takeUntil(
  parts: readonly Statement[],
  from: number,
  isOther: (part: Statement, index: number) => boolean,
): readonly Statement[] {
  let end = from
  while (end < parts.length && !isOther(parts[end]!, end)) end++
  return parts.slice(from, end)
}

/** Statements to a label or lead-in above, so that context stays local. */
const MAX_ABOVE = 24

export function listStatementsAbove(
  statements: readonly Statement[],
  index: number,
): readonly Statement[] {
  return statements
    .slice(Math.max(0, index - MAX_ABOVE), index)
    .filter(other => other.kind !== 'list')
}

export function findAnnouncements(
  statements: readonly Statement[],
  index: number,
): readonly string[] {
  const statement = statements[index]!
  const above = listStatementsAbove(statements, index)
  const lead =
    statement.kind === 'row'
      ? above.findLast(other => other.block !== statement.block)
      : findLead(statement, above)
  const label = above.findLast(other => other.isLabel && !other.isItem)
  return [lead, label].flatMap(other => (other ? [other.text] : []))
}

/** Returns the parent of an item, or the lead-in of its list. */
function findLead(statement: Statement, above: readonly Statement[]): Statement | undefined {
  if (!statement.isItem && !statement.isLabel) return undefined
  const parts = [...above, statement]
  const outer = above.findLast(
    (other, index) => other.hasItems && findItems(parts, index + 1).includes(statement),
  )
  if (outer) return outer
  const lead = above.findLast(other => isLeadIn(other) && !(statement.isItem && other.isItem))
  return lead && lead.block !== statement.block ? lead : undefined
}

function split(text: string, separator: RegExp): readonly Span[] {
  const ends = [...text.matchAll(separator)].map(match => ({
    from: match.index,
    to: match.index + match[0].length,
  }))
  const spans = [0, ...ends.map(end => end.to)].map((start, index) => ({
    start,
    end: ends[index]?.from ?? text.length,
  }))
  return spans.filter(span => text.slice(span.start, span.end).trim() !== '')
}

function isLabel(block: string): boolean {
  return (
    block.length <= MAX_LABEL &&
    !block.includes('\n') &&
    (!ENDS.test(block.trim()) || ASKS.test(block))
  )
}

function isStandaloneQuestion(block: string, { start, end }: Span): boolean {
  return (
    (start === 0 || block[start - 1] === '\n') &&
    block[end] === '\n' &&
    ASKS.test(block.slice(start, end))
  )
}
