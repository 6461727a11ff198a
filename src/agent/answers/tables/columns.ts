import { unitWritten } from '../../language/measure-units.ts'
import type { Terms } from '../../language/terms.ts'
import { cellNumber, cellUnit, cellYear } from './cell-number.ts'
import type { Table } from './table.ts'

/** A column, and what its cells are. */
export type Column = {
  readonly at: number
  readonly name: string
  /** Of each row; undefined where the column holds texts. */
  readonly numbers: readonly (number | undefined)[] | undefined
  /** Its numbers are years, or the years of its dates. */
  readonly isYears: boolean
  /** No two of its cells are alike: it tells which row is meant. */
  readonly isKey: boolean
  /** Terms of what its numbers count, as the header or the cells say. */
  readonly units: ReadonlySet<string>
  /** The first of what stands behind its numbers. */
  readonly cellUnits: readonly string[]
}

/** A column named in a question. */
export type Mention = {
  readonly column: Column
  readonly start: number
  readonly end: number
  /** How many words or characters of its name. */
  readonly held: number
}

/** So many of the cells have to be numbers, of those that hold something. */
const MOST = 0.8
/** So many units of cells are told apart. */
const MAX_UNITS = 8
const EMPTY = /^(?:[-–—/]|n\/?a)?$/i
const UNIT = /[（([]([^)）\]]{1,12})[)）\]]\s*$|(?<=\s)(\S{1,8})$/u

export function columnsOf({ columns, rows }: Table, terms: Terms): readonly Column[] {
  return columns.map((name, at) => {
    const cells = rows.map(row => row.cells[at] ?? '')
    const filled = cells.filter(cell => !EMPTY.test(cell))
    const years = mostly(filled, cells, cellYear)
    const numbers = years ?? mostly(filled, cells, cellNumber)
    const isDistinct = new Set(cells).size === cells.length
    const written = UNIT.exec(name.trim())
    const cellUnits = [...new Set(filled.map(cellUnit))].slice(0, MAX_UNITS)
    const units = [written?.[1] ?? written?.[2] ?? '', ...cellUnits]
    return {
      ...{ at, name, numbers, isYears: years !== undefined, cellUnits },
      isKey: isDistinct && (at === 0 || numbers === undefined),
      units: numbers && !years ? unitTerms(units.join(' '), terms) : new Set(),
    }
  })
}

function mostly(filled: readonly string[], cells: readonly string[], read: (cell: string) => number | undefined) {
  const known = filled.filter(cell => read(cell) !== undefined).length
  return filled.length > 0 && known >= filled.length * MOST ? cells.map(read) : undefined
}

/** The names of the units that a text has, and the other words of it as they are compared. */
export function unitTerms(text: string, terms: Terms): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[€$£¥%％]|[a-z]+[²\d]?|\p{Script=Han}+/gu) ?? []
  return new Set(
    words.flatMap(word => {
      const name = unitWritten(word)?.name
      if (name !== undefined) return [name]
      return [word, ...(/^[a-z]+$/.test(word) ? terms.of(word) : [])]
    }),
  )
}

/** The columns that a question names; of two by the same words, the one that has more of them. */
export function mentionsIn(question: string, columns: readonly Column[], terms: Terms): readonly Mention[] {
  const words = placedWords(question, terms)
  const all = columns.flatMap(column =>
    /\p{Script=Han}/u.test(column.name) ? hanMentions(question, column) : wordMentions(words, column, terms),
  )
  const meets = (a: Mention, b: Mention) => a.start < b.end && b.start < a.end
  return all.filter(one => all.every(other => !meets(one, other) || other.held <= one.held))
}

type PlacedWord = { readonly terms: ReadonlySet<string>; readonly start: number; readonly end: number }

function placedWords(question: string, terms: Terms): readonly PlacedWord[] {
  return [...question.matchAll(/[\p{Script=Latin}\d]+/gu)].map(({ 0: word, index }) => ({
    ...{ terms: terms.of(word), start: index, end: index + word.length },
  }))
}

/** Runs of words that the column's name has. */
function wordMentions(words: readonly PlacedWord[], column: Column, terms: Terms): readonly Mention[] {
  const named = new Set(terms.pointsOf(column.name).flatMap(point => point.anyOf))
  const mentions: { column: Column; start: number; end: number; held: number }[] = []
  let last: number | undefined
  for (const [at, word] of words.entries()) {
    if (![...word.terms].some(term => named.has(term))) continue
    const open = mentions.at(-1)
    if (open && last === at - 1) Object.assign(open, { end: word.end, held: open.held + 1 })
    else mentions.push({ column, start: word.start, end: word.end, held: 1 })
    last = at
  }
  return mentions
}

/** The name without its unit, or at least half of it in a row. */
function hanMentions(question: string, column: Column): readonly Mention[] {
  const bare = column.name
    .replace(/[（([].*$/u, '')
    .trim()
    .toLowerCase()
  for (let length = bare.length; length >= Math.max(bare.length === 1 ? 1 : 2, bare.length / 2); length--) {
    for (let from = 0; from + length <= bare.length; from++) {
      const start = question.indexOf(bare.slice(from, from + length))
      if (start >= 0) return [{ column, start, end: start + length, held: length }]
    }
  }
  return []
}
