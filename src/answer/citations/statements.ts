import type { Passage } from '../../search/passages/context.ts'
import { type Span, sentences } from '../../text/sentences.ts'

/** What of a passage can state a claim by itself: a sentence, one with the sentence that it leans on, or a row of a table. */
export type Statement = {
  /** What a citation of it shows, within the passage's text: of a row its header, too. */
  readonly spans: readonly Span[]
  readonly text: string
  /** What tells of what it speaks, the nearest last: title, headings, what announces a list, the question over an answer. */
  readonly about: string
  /** Of a row: its cells, under the names of their columns, and what the other rows are of. */
  readonly cells?: readonly Cell[]
  readonly otherRows?: string
}

export type Cell = { readonly column: string; readonly text: string }

/** What is read of a passage. */
export type Readable = Pick<Passage, 'context' | 'text'> & Partial<Pick<Passage, 'title' | 'headings'>>

/** A citation shows at most this many characters. */
const MAX_CITED = 400
/** Of a longer table the first rows say which others there are. */
const MAX_KEYS = 200
/** A line of its own that is shorter, and ends with no full stop, heads what follows. */
const MAX_LABEL = 80
const ENDS = /[。！？；…：.!?:;]["'”’」』）)\]]*$/
const ASKS = /[?？]["'”’」』）)\]]*\s*$/
const LEADS_ON = /[:：]\s*$/
const BULLET =
  /^\s*(?:[-*•·‣▪◦]|\d{1,3}[.)、．](?!\d)|[(（][\d一二三四五六七八九十a-z]{1,3}[)）]|[一二三四五六七八九十]{1,3}、)\s*/
/** `5.2` before what it says: a number of a clause is none of what it says. */
const NUMBERING =
  /^\s*(?:\d{1,3}(?:\.\d{1,3})+[.)]?\s+(?=[\p{Lu}\p{Script=Han}])|第[\d一二三四五六七八九十百]{1,5}[条款]\s*)/u
const BARE_MARK = /^(?:\d{1,3}(?:\.\d{1,3})*[.)]|[(（]?[a-z\d]{1,3}[)）.]|[-*•·‣▪◦])$/i

/** It begins with a word that points back: pronouns, demonstratives, and adverbs that connect (Quirk et al. 1985, 6.15, 8.134; 现代汉语八百词). */
const LEANS_BACK =
  /^(?:it|its|this|these|that|those|they|their|he|she|his|her|such|both|however|therefore|thus|also|otherwise|the (?:latter|former|same))\b|^(?:其(?!他|中)|该|它|他|她|此|这|但|因此|所以|否则|同时|上述|前者|后者|前款)/i
const SAYS_NO = /^\s*(?:A:\s*)?(?:no\b(?!\.? ?\d)|不(?:[，,。]|可以[，,。]|行)|否|没有[，,。])[，,.。!]?/iu
const SAYS_YES = /^\s*(?:A:\s*)?(?:yes\b|是的?[，,。]|可以[，,。]|有[，,。])[，,.。!]?/iu

/** The statements of a passage in order. Questions and headings state nothing; they tell what others speak of. */
export function statementsOf({ title = '', headings = [], context, text }: Readable): readonly Statement[] {
  const outer = [title, ...headings, context].join('\n')
  const state: Above = { label: '', lead: '', isOfBullets: false }
  return blocksOf(text).flatMap((block, at) => {
    const lines = linesOf(text, block)
    if (lines.every(line => isRow(text.slice(line.start, line.end))))
      return rowsOf(
        text,
        lines,
        [outer, state.label, state.lead].join('\n'),
        at === 0 ? repeatedHeader(context) : undefined,
      )
    return sentencesIn(text, block, lines).flatMap((span, place, all) => {
      const before = all[place - 1]
      return statementAt({ text, span, ...(before && { before }), outer, state })
    })
  })
}

/** What stands over the sentence that is being read. */
type Above = { label: string; lead: string; isOfBullets: boolean }
type Reading = {
  readonly text: string
  readonly span: Span
  readonly before?: Span
  readonly outer: string
  readonly state: Above
}

function statementAt({ text, span, before, outer, state }: Reading): readonly Statement[] {
  const own = text.slice(span.start, span.end)
  if (ASKS.test(own) || isLabel(text, span)) {
    Object.assign(state, { label: own, lead: '' })
    return []
  }
  const isItem = BULLET.test(own)
  if (LEADS_ON.test(own)) state.lead = own.replace(LEADS_ON, '')
  else if (!isItem && state.isOfBullets) state.lead = ''
  state.isOfBullets = isItem
  const bare = own.replace(BULLET, '').replace(NUMBERING, '')
  const said = isItem && state.lead ? `${state.lead} ${bare}` : answered(bare, state.label)
  const cited = { start: span.start, end: Math.min(span.end, span.start + MAX_CITED) }
  const single = { spans: [cited], text: said, about: [outer, state.label, state.lead].join('\n') }
  if (!before || !LEANS_BACK.test(own)) return [single]
  const whole = { start: before.start, end: cited.end }
  const spans = whole.end - whole.start <= MAX_CITED ? [whole] : [before, cited]
  return [
    single,
    {
      ...single,
      spans,
      text: `${text.slice(before.start, before.end).replace(BULLET, '').replace(NUMBERING, '')} ${bare}`,
    },
  ]
}

/** `No. Only boards are carried.` under a question denies what it asks. */
function answered(own: string, label: string): string {
  if (!ASKS.test(label)) return own
  const asked = label.replace(ASKS, '')
  if (SAYS_NO.test(own)) return `${/\p{Script=Han}/u.test(asked) ? '不' : 'not'} ${asked}; ${own.replace(SAYS_NO, '')}`
  return SAYS_YES.test(own) ? `${asked}; ${own.replace(SAYS_YES, '')}` : own
}

function isLabel(text: string, { start, end }: Span): boolean {
  const isAlone = (start === 0 || text[start - 1] === '\n') && (end === text.length || text[end] === '\n')
  const own = text.slice(start, end)
  return (
    (isAlone && /^#{1,6} /.test(own)) ||
    (isAlone && own.length <= MAX_LABEL && !ENDS.test(own) && !BULLET.test(own) && isBlockEnd(text, start, end))
  )
}

/** Alone in its block, not a line among others. */
function isBlockEnd(text: string, start: number, end: number): boolean {
  const isFirst = start === 0 || /\n\s*\n$/.test(text.slice(Math.max(0, start - 4), start))
  return isFirst && (end === text.length || /^\s*?\n/.test(text.slice(end, end + 4)))
}

function rowsOf(
  text: string,
  lines: readonly Span[],
  about: string,
  repeated?: readonly string[],
): readonly Statement[] {
  const rows = lines
    .map(span => ({ span, cells: cellsOf(text.slice(span.start, span.end)) }))
    .filter(({ cells }) => !cells.every(cell => /^:?-*:?$/.test(cell)))
  const head = rows.length > 1 ? rows[0] : undefined
  const columns = repeated ?? head?.cells ?? []
  const own = repeated || !head ? rows : rows.slice(1)
  const keys = own.slice(0, MAX_KEYS).map(({ cells }) => cells[0] ?? '')
  return own.map(({ span, cells }) => ({
    otherRows: keys.filter(key => key !== cells[0]).join('\n'),
    spans: head && !repeated ? withHeader(head.span, span) : [span],
    text: cells.join(' | '),
    about,
    cells: cells.map((cell, at) => ({ column: columns[at] ?? '', text: cell })),
  }))
}

function withHeader(header: Span, row: Span): readonly Span[] {
  return row.end - header.start <= MAX_CITED ? [{ start: header.start, end: row.end }] : [header, row]
}

/** A chunk that begins inside a table has the table's header as the last line of its context. */
function repeatedHeader(context: string): readonly string[] | undefined {
  const last = context.trimEnd().split('\n').at(-1) ?? ''
  return isRow(last) ? cellsOf(last) : undefined
}

function isRow(line: string): boolean {
  return line.includes(' | ') || /^\s*\|.*\|\s*$/.test(line)
}

function cellsOf(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map(cell => cell.trim())
}

function blocksOf(text: string): readonly Span[] {
  const ends = [...text.matchAll(/\n\s*\n/g)].map(({ index, 0: gap }) => ({ from: index, to: index + gap.length }))
  const starts = [0, ...ends.map(({ to }) => to)]
  return starts
    .map((start, at) => ({ start, end: ends[at]?.from ?? text.length }))
    .filter(({ start, end }) => text.slice(start, end).trim() !== '')
}

function linesOf(text: string, { start, end }: Span): readonly Span[] {
  let from = start
  return text
    .slice(start, end)
    .split('\n')
    .map(line => {
      const span = { start: from, end: from + line.length }
      from = span.end + 1
      return span
    })
    .filter(line => text.slice(line.start, line.end).trim() !== '')
}

/** Its sentences, the wrapped lines of a paragraph put together again; rows among them are lines like others. */
function sentencesIn(text: string, block: Span, lines: readonly Span[]): readonly Span[] {
  const own = sentences(text.slice(block.start, block.end)).map(({ start, end }) => ({
    start: block.start + start,
    end: block.start + end,
  }))
  const joined: Span[] = []
  for (const span of own) {
    const last = joined.at(-1)
    if (last && lines.length > 0 && goesOn(text, last, span))
      joined[joined.length - 1] = { start: last.start, end: span.end }
    else joined.push(span)
  }
  return joined
}

function goesOn(text: string, before: Span, after: Span): boolean {
  const last = text.slice(before.start, before.end)
  if (BARE_MARK.test(last)) return true
  const gap = text.slice(before.end, after.start)
  const isWrapped = gap.includes('\n') && last.length <= MAX_CITED && !ENDS.test(last)
  return isWrapped && !BULLET.test(text.slice(after.start, after.end)) && !/^#{1,6} /.test(last)
}
