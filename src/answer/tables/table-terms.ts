import type { Column, Table } from '../../ingest/parse/tables/table.ts'
import { calendarNameOf } from '../../text/dates.ts'
import { isHeld, type Term, type Terms } from '../../text/terms.ts'
import { unitNamed } from '../../text/units.ts'
import { ALL_MEASURES } from '../question/measures.ts'

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
    this.#cells = rows.map(({ cells }) =>
      cells.map(({ text }, at) => terms.ofCell(text, columns[at]?.name ?? '')),
    )
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
      measure?.pattern.test(name) === true ||
      (unit !== undefined && own?.dimension === unit.dimension)
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
    const isSaid = (at: number) =>
      this.#cells.some(row => all.every(term => row[at] && isHeld(term, row[at])))
    return [...this.names.keys()].filter(isSaid)
  }
}
