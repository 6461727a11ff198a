import type { Column, Table } from '../../ingest/tables/table.ts'
import { calendarNameOf } from '../../text/dates.ts'
import { ALL_MEASURES } from '../../text/measures.ts'
import { isHeld, type Term, type Terms } from '../../text/terms.ts'
import { unitNamed } from '../../text/units.ts'
import type { Conjunct, Question } from '../question/question.ts'

/** What a table is searched by: the terms of its columns' names, of its cells, and of what stands around it. */
export class TableTerms {
  readonly names: readonly ReadonlySet<string>[]
  readonly around: ReadonlySet<string>
  readonly #columns: readonly Column[]
  readonly #cells: readonly (readonly ReadonlySet<string>[])[]

  constructor({ columns, rows, titles, headings }: Table, terms: Terms, scope: string) {
    this.#columns = columns
    this.names = columns.map(({ name }) => terms.of(name))
    this.around = terms.of([scope, ...headings, ...titles].join('\n'))
    this.#cells = rows.map(({ cells }) => cells.map(({ text }, at) => terms.ofCell(text, columns[at]?.name ?? '')))
  }

  /** The columns of the day of the week or the month that it is: `Sat` of `Saturday`. */
  ofCalendar(word: string): readonly number[] {
    const own = calendarNameOf(word)
    if (own === undefined) return []
    return this.#columns.flatMap(({ name }, at) => (calendarNameOf(name) === own ? [at] : []))
  }

  /** The columns whose names call it another form of the word, and those that are in it: `Weight (kg)` of `weigh` and of `kilos`. */
  measuredAs(word: string): readonly number[] {
    const measure = ALL_MEASURES.find(({ pattern }) => pattern.test(word))
    const unit = unitNamed(word)
    const isOf = ({ name, unit: own }: Column) =>
      measure?.pattern.test(name) === true || (unit !== undefined && own?.dimension === unit.dimension)
    return this.#columns.flatMap((column, at) => (isOf(column) ? [at] : []))
  }

  /** The columns whose names say all of them. */
  namedBy(all: readonly Term[]): readonly number[] {
    if (all.length === 0) return []
    return this.names.flatMap((name, at) => (all.every(term => isHeld(term, name)) ? [at] : []))
  }

  /** The columns with a cell that says all of them. */
  columnsOf(all: readonly Term[]): readonly number[] {
    if (all.length === 0) return []
    const isSaid = (at: number) => this.#cells.some(row => all.every(term => row[at] && isHeld(term, row[at])))
    return [...this.names.keys()].filter(isSaid)
  }
}

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
    const found = tails.map(tail => places.flatMap(column => anyCondition(tail, column, index) ?? []))
    const [first, another] = found.find(some => some.length > 0) ?? []
    return first && !another ? [first] : []
  })
}

function anyCondition(conjuncts: readonly Conjunct[], column: number, index: TableTerms): AnyCondition | undefined {
  const said = conjuncts.map((conjunct, at) => {
    const forms = at === 0 ? suffixesOf(conjunct) : at < conjuncts.length - 1 ? [conjunct] : prefixesOf(conjunct)
    return forms.find(form => index.columnsOf(form.flatMap(({ terms }) => terms)).includes(column)) ?? []
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
