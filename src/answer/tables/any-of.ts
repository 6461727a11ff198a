import type { Table } from '../../ingest/parse/tables/table.ts'
import type { Term } from '../../text/terms.ts'
import type { Conjunct, Question } from '../question/question.ts'
import type { TableTerms } from './table-terms.ts'

/** One of several things that the question names is what the cell says; with the words of the question that it stands for. */
export type AnyCondition = {
  readonly holds: 'any'
  readonly column: number
  readonly anyOf: readonly (readonly Term[])[]
  readonly text: string
  readonly words: readonly string[]
}

const BETWEEN_HAN = /(?<=\p{Script=Han}) (?=\p{Script=Han})/gu

/**
 * Of things that the question names beside each other, the only column whose cells say each of them, or each but the first ones: two
 * towns may be those that one comes from, or goes to.
 */
export function anyConditions(
  { coordinated }: Question,
  { columns }: Table,
  index: TableTerms,
): readonly AnyCondition[] {
  const places = columns.flatMap(({ kind }, at) => (kind === 'date' ? [] : [at])) // two dates are read as such
  return coordinated.flatMap(conjuncts => {
    const tails = conjuncts.slice(1).map((_, at) => conjuncts.slice(at))
    const found = tails.map(tail =>
      places.flatMap(column => anyCondition(tail, column, index) ?? []),
    )
    const [first, another] = found.find(some => some.length > 0) ?? []
    return first && !another ? [first] : []
  })
}

function anyCondition(
  conjuncts: readonly Conjunct[],
  column: number,
  index: TableTerms,
): AnyCondition | undefined {
  const said = conjuncts.map((conjunct, at) => {
    const forms =
      at === 0
        ? suffixesOf(conjunct)
        : at < conjuncts.length - 1
          ? [conjunct]
          : prefixesOf(conjunct)
    return (
      forms.find(form => index.columnsOf(form.flatMap(({ terms }) => terms)).includes(column)) ?? []
    )
  })
  if (said.some(one => one.length === 0)) return undefined
  const texts = said.map(one => one.map(word => word.text).join(' '))
  const text = texts.join(' / ').replace(BETWEEN_HAN, '')
  const anyOf = said.map(one => one.flatMap(({ terms }) => terms))
  return { holds: 'any', column, anyOf, text, words: anyOf.flat().map(({ word }) => word) }
}

/** What is named is the end of the first and the beginning of the last: "the fare to Paris or Lille by night". */
function suffixesOf(conjunct: Conjunct): readonly Conjunct[] {
  return conjunct.map((_, at) => conjunct.slice(at))
}

function prefixesOf(conjunct: Conjunct): readonly Conjunct[] {
  return conjunct.map((_, at) => conjunct.slice(0, conjunct.length - at))
}
