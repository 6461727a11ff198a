import type { Span } from '../../../ingest/sentences.ts'
import type { Mention } from './columns.ts'

const ENGLISH = /\bhow many(?: of the)?(?: different| distinct)?\b|\b(?:the )?(?:total )?number of\b/u
const CHINESE =
  /(?:一?共|总共)?有?(?:多少|几)[个种名位条款台家件座辆间支只本份项门所类趟行班]|(?:一?共|总共)?有多少(?=\p{Script=Han})/u
/** What is measured is not counted in rows. */
const MEASURED =
  /^\s*(?:hours?|days?|minutes?|seconds?|weeks?|months?|years?|times|percent|euros?|dollars?|pounds?|kg|km|m|litres?|liters?|degrees?|points?)\b|^(?:小时|月|人民币)/u

/** A column of how many there are of a thing. */
const QUANTITY =
  /\b(?:stock|qty|quantity|count|number of|on hand|available|units|pieces|seats|copies)\b|库存|数量|件数|人数|余量|存量|台数|个数|份数|席位/iu

/** The words by which a question asks how many there are; undefined where it does not, or asks for a measure. */
export function countIn(text: string): Span | undefined {
  const found = ENGLISH.exec(text) ?? CHINESE.exec(text)
  if (!found || MEASURED.test(text.slice(found.index + found[0].length))) return undefined
  return { start: found.index, end: found.index + found[0].length }
}

export function isOfQuantities(columnName: string): boolean {
  return QUANTITY.test(columnName)
}

const MAX_BETWEEN = 24

/** Between what counts and what is counted. */
const IS_NEAR = /^(?!.*\b(?:have|has|are|is|do|does|with|in|of)\b)[\sa-z-]*$/u

/** The column that is counted, by its name right behind the words that ask, or before them where nothing is: `药品有几种`. */
export function countedColumn(text: string, count: Span, mentions: readonly Mention[]): Mention | undefined {
  if (/^[\s?？。]*$/u.test(text.slice(count.end))) return mentions.find(({ end }) => end === count.start)
  const behind = mentions.filter(({ start }) => start >= count.end && start - count.end <= MAX_BETWEEN)
  const first = behind.toSorted((a, b) => a.start - b.start)[0]
  return first && IS_NEAR.test(text.slice(count.end, first.start)) ? first : undefined
}

/** Nouns of rows. */
export const ROW_NOUNS =
  /\b(?:rows?|records?|entr(?:y|ies)|tables?|lists?|listed|items?|there|altogether|total)\b|记录|条目|表格?[中里]?|[中里]$|一共|总共|共计|合计/gu
export const PEOPLE = /\b(?:people|persons?|employees|staff|members|colleagues|workers)\b|员工|人员|职工|同事|人/gu
/** Right behind the words that count. */
export const IS_ROWS = /^\s*(?:rows?|records?|entr(?:y|ies)|记录|条目)/u
export const IS_PEOPLE = /^\s*(?:people|persons?|employees|staff|members|colleagues|workers|员工|人)/u
export const NAME_COLUMN = /^(?:name|employee|person|staff|member)\b|姓名|员工|人员/iu
