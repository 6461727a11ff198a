import type { Span } from '../../../ingest/sentences.ts'
import type { Column, Mention } from './columns.ts'
import { holdsBetween, type Relation } from './comparison.ts'
import type { Condition } from './condition.ts'
import { comparableAmounts, dimensionsOf } from './measures.ts'

const LESS = 'less|fewer|lower|smaller|shorter|lighter|cheaper|earlier'
const MORE = 'more|greater|higher|larger|bigger|longer|heavier|dearer|later|more expensive'
const OWN = '(?:\\s+(?:than|(?:that|those) of|in|its|their|the|own|they were|it was|were|was))*'

/** Between what is compared and what it is compared with. */
const BETWEEN: readonly (readonly [Relation, RegExp])[] = [
  ['most', new RegExp(`\\b(?:at most|no more than|not above|not more than)${OWN}\\s*$`)],
  ['least', new RegExp(`\\b(?:at least|no less than|not below|not less than)${OWN}\\s*$`)],
  ['below', new RegExp(`\\b(?:(?:${LESS}) than|below|under|short of|less than|beneath)${OWN}\\s*$`)],
  ['above', new RegExp(`\\b(?:(?:${MORE}) than|above|over|beyond|exceed(?:s|ed|ing)?|more than)${OWN}\\s*$`)],
  ['most', /(?:不高于|不超过|没有超过|未超过|不大于|不多于)\s*$/u],
  ['least', /(?:不低于|不少于|不小于)\s*$/u],
  ['below', /(?:低于|小于|少于|不足|不到|未达到?|没达到|没有达到|不及|达不到)\s*$/u],
  ['above', /(?:高于|大于|多于|超过|超出)\s*$/u],
]
/** `spent more in 2023 than in 2022`, `2024年比2023年高`, `increased from 2021 to 2022`. */
const THAN = new RegExp(`\\b(?:${MORE}|(?<less>${LESS}))\\b`)
const BEHIND_LESS = /^\s*年?的?\s*(?:更?[低少小便]|减少|下降|降低|降|下滑|缩减)/u
const BEHIND_MORE = /^\s*年?的?\s*(?:更?[高多大贵]|增加|增长|上升|提高|上涨|涨)/u
const ROSE = /\b(?:rose|risen|increased?|grew|grown|gained|went up|gone up)\b/
const FELL = /\b(?:fell|fallen|decreased?|declined?|dropped?|shrank|shrunk|went down|gone down|cut)\b/

/** What a thing is measured against stands in a column of its own: the least, the limit, the plan. */
const THRESHOLD =
  /\b(?:min|minimum|max|maximum|reorder|target|limit|threshold|budget|planned?|safety|quota|allowed)\b|最低|最高|最小|最大|安全|下限|上限|预算|计划|目标|定额|预警|警戒/iu

type Compared = { readonly subject: Column; readonly reference: Column; readonly relation: Relation } & Span

/**
 * One column compared with another of the same row: `stock below the minimum stock`, `2024年低于2023年`, `more in 2023 than in
 * 2022`. Undefined where two such columns are not named, or cannot be told.
 */
export function columnComparison(
  text: string,
  columns: readonly Column[],
  mentions: readonly Mention[],
): Condition | undefined {
  const numeric = mentions.filter(({ column }) => column.numbers && !column.isYears)
  const found = besideEachOther(text, numeric) ?? compared(text, columns, numeric)
  if (!found || !areComparable(found.subject, found.reference)) return undefined
  const { subject, reference, relation, start, end } = found
  const [left, right] = [comparableAmounts(subject), comparableAmounts(reference)]
  if (!left || !right) return undefined
  return {
    ...{ kind: 'number' as const, column: subject, isNamed: true, start, end },
    holds: (_, at) => {
      const [value, other] = [left[at], right[at]]
      return value !== undefined && other !== undefined && holdsBetween(value, { relation, value: other })
    },
  }
}

/** `A below B`, with nothing of weight between the comparison and B. */
function compared(text: string, columns: readonly Column[], mentions: readonly Mention[]): Compared | undefined {
  for (const reference of mentions) {
    const before = text.slice(0, reference.start)
    for (const [relation, pattern] of BETWEEN) {
      const said = pattern.exec(before)
      if (!said) continue
      const others = mentions.filter(one => one.column !== reference.column && one.end <= reference.start)
      const subject = others.at(-1)?.column ?? unnamed(reference.column, columns)
      return subject && { subject, reference: reference.column, relation, start: said.index, end: reference.end }
    }
  }
  return undefined
}

/** Of a limit, the one other column that can be held against it: by a word of its name, or because there is no other. */
function unnamed(reference: Column, columns: readonly Column[]): Column | undefined {
  if (!THRESHOLD.test(reference.name)) return undefined
  const others = columns.filter(
    column =>
      column !== reference &&
      column.numbers &&
      !column.isYears &&
      column.at > 0 &&
      areComparable(column, reference) &&
      !THRESHOLD.test(column.name),
  )
  const alike = others.filter(({ name }) => wordsOf(name).some(word => wordsOf(reference.name).includes(word)))
  const [only, ...more] = alike.length > 0 ? alike : others
  return more.length === 0 ? only : undefined
}

/** `2024年比2023年高`, `more in 2023 than in 2022`, `rose from 2021 to 2022`: two columns named one after the other. */
function besideEachOther(text: string, mentions: readonly Mention[]): Compared | undefined {
  const placed = mentions.toSorted((a, b) => a.start - b.start)
  for (const [at, first] of placed.entries()) {
    const second = placed[at + 1]
    if (!second || second.column === first.column) continue
    const [gap, behind] = [text.slice(first.end, second.start), text.slice(second.end)]
    const told = relationOf(text.slice(0, first.start), gap, behind)
    if (told)
      return {
        ...told,
        subject: told.isTurned ? second.column : first.column,
        reference: told.isTurned ? first.column : second.column,
        start: first.start,
        end: second.end,
      }
  }
  return undefined
}

function relationOf(
  before: string,
  gap: string,
  behind: string,
): { readonly relation: Relation; readonly isTurned: boolean } | undefined {
  if (/^\s*年?的?\p{Script=Han}{0,6}(?:比|较|相比)\s*$/u.test(gap)) {
    if (BEHIND_LESS.test(behind)) return { relation: 'below', isTurned: false }
    return BEHIND_MORE.test(behind) ? { relation: 'above', isTurned: false } : undefined
  }
  if (/^\s*than\s+(?:in|for|at|on)?\s*$/.test(gap)) {
    const said = [...before.matchAll(new RegExp(THAN, 'gu'))].at(-1)?.groups
    return said && { relation: said.less ? 'below' : 'above', isTurned: false }
  }
  if (!/^\s*(?:to|and|until)\s*(?:in\s)?$/.test(gap) || !/\b(?:from|between)\s*$/.test(before)) return undefined
  if (ROSE.test(before)) return { relation: 'above', isTurned: true }
  return FELL.test(before) ? { relation: 'below', isTurned: true } : undefined
}

function areComparable(a: Column, b: Column): boolean {
  const [one, other] = [dimensionsOf(a), dimensionsOf(b)]
  return one.length === other.length && one.every(dimension => other.includes(dimension))
}

function wordsOf(name: string): readonly string[] {
  return name.toLowerCase().match(/[a-z]{3,}|\p{Script=Han}{2}$/gu) ?? []
}
