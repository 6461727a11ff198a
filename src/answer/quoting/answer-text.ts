import { type Language, languageOf } from '../../text/language.ts'
import { isChosen, type RowSelection } from '../evidence/candidates.ts'
import type { Slip } from '../evidence/slips.ts'
import type { Doubt } from '../evidence/table-candidates.ts'
import {
  ABSTENTION,
  andMorePassages,
  byTable,
  conditionTold,
  nothingMoreOn,
  readAs,
  undecidedBy,
  VERBATIM,
  VERBATIM_ACROSS,
  without,
  workedOut,
} from '../phrases.ts'
import type { Question } from '../question/question.ts'
import type { ToldCondition } from '../tables/query.ts'
import { plainText } from './plain-text.ts'
import { type Quote, quoteText, type Selection } from './selection.ts'

/** A part of a question with what answers it, and how much more was found. */
export type Answered = Selection & { readonly label: string }

/** The answer, one quotation a line with its marker, and what the markers quote, in their order. */
export function answerText(
  { language, parts }: Question,
  answered: readonly Answered[],
  { slips, doubts }: { readonly slips: readonly Slip[]; readonly doubts: readonly Doubt[] },
): { readonly text: string; readonly quotes: readonly Quote[] } {
  const quotes: Quote[] = []
  const isAcross = answered
    .flatMap(part => part.quotes)
    .every(quote => languageOf(plainText(quote)) !== language)
  const mark = (quote: Quote) => {
    const known = quotes.findIndex(other => holds(other, quote) || holds(quote, other))
    if (known >= 0 && holds(quote, quotes[known]!)) quotes[known] = quote // just found
    const text = isAcross ? plainText(quote) : quoteText(quote, language)
    return `${text} [${known < 0 ? quotes.push(quote) : known + 1}]`
  }
  const isCompared = parts.some(({ label }) => label !== undefined)
  const lines = answered.flatMap(part => {
    const shown = new Set(part.quotes.map(mark))
    if (isCompared) return [`${part.label}: ${[...shown].join('\n') || ABSTENTION[language]}`]
    const worked = part.rows && rowsRemark(language, part.rows)
    if (shown.size === 0) return [nothingMoreOn(language, part.label)]
    return [...(worked ? [worked] : []), ...shown]
  })
  const more = answered.reduce((sum, part) => sum + part.more, 0)
  const isQuoted = ({ documentId }: Doubt) =>
    quotes.some(({ passage }) => passage.documentId === documentId)
  const text = [
    ...doubtRemarks(language, doubts.filter(isQuoted)),
    ...slips.map(({ written, read }) => readAs(language, written, read)),
    (isAcross ? VERBATIM_ACROSS : VERBATIM)[language],
    ...new Set(lines),
    more > 0 && answered.length === 1 ? andMorePassages(language, more) : '',
  ]
  return { text: text.filter(Boolean).join('\n'), quotes }
}

/** Names the columns whose numbers the question needs, and why they do not decide it. */
export function doubtRemarks(language: Language, doubts: readonly Doubt[]): readonly string[] {
  return [...new Set(doubts.map(({ column, reason }) => undecidedBy(language, column, reason)))]
}

/** All of the one is in the other. */
function holds({ passage, span }: Quote, other: Quote): boolean {
  const from = passage.charStart - other.passage.charStart
  const isAround = span.start + from <= other.span.start && other.span.end <= span.end + from
  return passage.documentId === other.passage.documentId && isAround
}

/** What was worked out of the rows, in our words: how many there are, their sum, their average, and which conditions they meet. */
function rowsRemark(language: Language, selection: RowSelection): string | undefined {
  const { query, value, rows, left, among, columns: names, things } = selection
  const { aggregate, where } = query
  if (!aggregate || !value)
    return things && isChosen(selection) ? byTable(language, things) : undefined
  const conditions = where.map(one => conditionText(language, one, names))
  return workedOut(language, {
    what: aggregate.of,
    value: `${value.value}${value.unit ? ` ${value.unit.id}` : ''}`,
    called: names[aggregate.column ?? -1] ?? '',
    of: things ? 'columns' : 'rows',
    found: aggregate.of === 'count' ? (things?.length ?? rows.length + left) : value.rows,
    among,
    conditions: [...new Set(conditions)],
  })
}

function conditionText(
  language: Language,
  condition: ToldCondition,
  names: readonly string[],
): string {
  const { holds, text } = condition
  if (holds === 'term') {
    const [column = -1, another] = condition.columns
    const said = condition.isExcluded ? without(language, text) : text
    return conditionTold(language, another === undefined ? (names[column] ?? '') : '', said)
  }
  const compared = holds === 'column' ? [text, names[condition.other]].join(' ') : text
  return conditionTold(
    language,
    names[condition.column] ?? '',
    holds === 'flag' ? condition.value : compared,
  )
}
