import { isHeld, type Terms } from '../../language/terms.ts'
import type { Row, Table } from './table.ts'
import { askedPoints, rowsHolding, type TableWords } from './table-words.ts'

/** Several things may each have a word of their own. */
const JOINS = /\b(?:and|or)\b|[和与及或、]/u
/** The words behind it are looked for in rows as they are written: a name, an article. */
const AS_NAME = /^\p{Lu}|\d/u

/**
 * Of the rows that meet the conditions of a question, those that have its further words, where rows are told apart by them: of
 * `Which Fjord models use R290?` those of Fjord. None where only other rows have a word that is written as a name.
 */
export function narrowed(rows: readonly Row[], question: string, rest: string, known: Known): readonly Row[] {
  const { table, words, terms } = known
  const own = askedPoints(rest, terms).filter(point => !isHeld(point, words.head) && !isHeld(point, words.title))
  const points = own.filter(point => rowsHolding(table.rows, [point], terms).length > 0)
  if (points.length === 0) return rows
  const held = rowsHolding(rows, points, terms)
  if (held.length > 0 || JOINS.test(question)) return held.length > 0 ? held : rows
  const names = (question.match(/[\p{Script=Latin}\p{N}]+/gu) ?? []).slice(1).filter(word => AS_NAME.test(word))
  const isName = names.some(name => points.some(point => isHeld(point, terms.of(name))))
  return isName ? [] : rows
}

type Known = { readonly table: Table; readonly words: TableWords; readonly terms: Terms }
