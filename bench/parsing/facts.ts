import { bare } from '../cite-check/document.ts'

/** Something that whoever reads a file has to find in it. */
export type Fact =
  /** These words stand in the text, one behind the other, or on that page of it. */
  | { readonly kind: 'text'; readonly words: string; readonly page?: number }
  /** A row of a table has these cells, and under these headings this one. */
  | {
      readonly kind: 'cell'
      readonly row: readonly string[]
      readonly column: readonly string[]
      readonly value: string
    }
  /** The first words stand before the second. */
  | { readonly kind: 'order'; readonly first: string; readonly second: string }
  /** It is said that something is missing. */
  | { readonly kind: 'told' }

/** What a program read of a file. */
export type ReadFile = {
  readonly pages: readonly { readonly page?: number; readonly text: string }[]
  readonly tables: readonly (readonly (readonly string[])[])[]
  /** A warning, or that it cannot be read. */
  readonly isToldIncomplete: boolean
}

/** Letters and digits are compared, layout and marks are not. */
export function holds(fact: Fact, { pages, tables, isToldIncomplete }: ReadFile): boolean {
  switch (fact.kind) {
    case 'told':
      return isToldIncomplete
    case 'cell':
      return tables.some(rows => hasCell(fact, rows))
    case 'order': {
      const whole = bare(pages.map(({ text }) => text).join('\n'))
      const first = whole.indexOf(bare(fact.first))
      return first >= 0 && whole.indexOf(bare(fact.second), first) > first
    }
    case 'text': {
      const own = fact.page === undefined ? pages : pages.filter(({ page }) => page === fact.page)
      return bare(own.map(({ text }) => text).join('\n')).includes(bare(fact.words))
    }
  }
}

/** Headings may stand in several rows, or be joined in one. */
function hasCell(
  { row, column, value }: Extract<Fact, { kind: 'cell' }>,
  rows: readonly (readonly string[])[],
): boolean {
  const cells = rows.map(own => own.map(bare))
  const wanted = row.map(bare)
  return cells.some(own => {
    if (!wanted.every(name => own.includes(name))) return false
    return own.some((cell, at) => {
      const others = cells.filter(other => other !== own).map(other => other[at] ?? '')
      return (
        cell === bare(value) &&
        column.map(bare).every(name => others.some(other => other.includes(name)))
      )
    })
  })
}
