import { overlap } from '../../../ingest/sentences.ts'
import { unitWritten } from '../../language/measure-units.ts'
import { type ScaledUnit, scaledUnit } from '../../language/scaled-unit.ts'
import type { Terms } from '../../language/terms.ts'
import { type Amount, cellAmount, cellUnit, cellYear, unspaced } from './cell-number.ts'
import type { Table } from './table.ts'

/** A column, and what its cells are. */
export type Column = {
  readonly at: number
  readonly name: string
  /** Of each row the number as it is written, or the year; undefined where the column holds texts. */
  readonly numbers: readonly (number | undefined)[] | undefined
  /** Its numbers are years, or the years of its dates. */
  readonly isYears: boolean
  /** Of a column of numbers, what each cell says; none of years. */
  readonly amounts: readonly (Amount | undefined)[]
  /** What its header or the table says that its numbers are in. */
  readonly unit?: ScaledUnit
  /** No two of its cells are alike: it tells which row is meant. */
  readonly isKey: boolean
  /** Terms of what its numbers count, as the header or the cells say. */
  readonly units: ReadonlySet<string>
}

/** A column named in a question. */
export type Mention = {
  readonly column: Column
  readonly start: number
  readonly end: number
  /** How many words or characters of its name, and what share of it that is. */
  readonly held: number
  readonly share: number
}

/** So many of the cells have to be numbers, of those that hold something; fewer where all of these have units. */
const MOST = 0.8
const MOST_OF_ONE_MEASURE = 0.6
/** So many units of cells are told apart. */
const MAX_UNITS = 8
export const EMPTY = /^(?:[-–—/]|n\/?a)?$/i
const UNIT = /[（([]([^)）\]]{1,24})[)）\]]\s*$|(?<=\bin\s)(\S{1,12})$|(?<=[\s/／,，:：])(\S{1,8})$/u

export function columnsOf({ columns, rows, unit }: Table, terms: Terms): readonly Column[] {
  return columns.map((name, at) => {
    const cells = rows.map(row => row.cells[at] ?? '')
    const years = mostly(cells, cellYear)
    const amounts = years ? undefined : amountsOf(cells)
    const isDistinct = new Set(cells).size === cells.length
    const written = unitInHeader(name)
    const own = scaledUnit(written) ?? unit
    const cellUnits = [...new Set(amounts ? cells.map(cellUnit) : [])].slice(0, MAX_UNITS)
    return {
      ...{ at, name, numbers: years ?? amounts?.map(amount => amount?.value), isYears: years !== undefined },
      ...{ amounts: amounts ?? [], ...(own && { unit: own }) },
      isKey: isDistinct && (at === 0 || !(years ?? amounts)),
      units: amounts ? unitTerms([written, ...cellUnits].join(' '), terms) : new Set(),
    }
  })
}

/** What may be a unit in the name of a column: in brackets, or its last word. */
export function unitInHeader(name: string): string {
  return (UNIT.exec(name.trim()) ?? []).slice(1).find(Boolean) ?? ''
}

/** What is read of each cell, where most of them can be read so. */
function mostly<T>(cells: readonly string[], read: (cell: string) => T | undefined, most = MOST) {
  const filled = cells.filter(cell => !EMPTY.test(cell))
  const known = filled.filter(cell => read(cell) !== undefined).length
  return filled.length > 0 && known >= filled.length * most ? cells.map(read) : undefined
}

/** Beside amounts of one measure more cells may be words: `4 minutes`, `at once`. */
function amountsOf(cells: readonly string[]): readonly (Amount | undefined)[] | undefined {
  const amounts = mostly(cells, cellAmount)
  if (amounts) return amounts
  const fewer = mostly(cells, cellAmount, MOST_OF_ONE_MEASURE)
  const measures = new Set(fewer?.flatMap(amount => (amount ? [amount.written?.unit?.dimension] : [])))
  return measures.size === 1 && !measures.has(undefined) ? fewer : undefined
}

/** The names of the units that a text has, and the other words of it as they are compared. */
export function unitTerms(text: string, terms: Terms): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[€$£¥%％]|[a-z]+[²³\d]?|\p{Script=Han}+/gu) ?? []
  return new Set(
    words.flatMap(word => {
      const name = unitWritten(word)?.name
      if (name !== undefined) return [name]
      return [word, ...(/^[a-z]+$/.test(word) ? terms.of(word) : [])]
    }),
  )
}

/** The columns that a question names; of two by the same words, the one that has more of them, or less beside them. */
export function mentionsIn(question: string, columns: readonly Column[], terms: Terms): readonly Mention[] {
  const words = placedWords(question, terms)
  const all = columns.flatMap(column =>
    /\p{Script=Han}/u.test(column.name) ? hanMentions(question, column) : wordMentions(words, column, terms),
  )
  const says = (a: Mention, b: Mention) => a.held - b.held || a.share - b.share
  return all.filter(one => all.every(other => !overlap(one, other) || says(other, one) <= 0))
}

type PlacedWord = {
  readonly text: string
  readonly terms: ReadonlySet<string>
  readonly start: number
  readonly end: number
}

function placedWords(question: string, terms: Terms): readonly PlacedWord[] {
  return [...question.matchAll(/[\p{Script=Latin}\d]+/gu)].map(({ 0: word, index }) => ({
    ...{ text: word, terms: terms.of(word), start: index, end: index + word.length },
  }))
}

/** Runs of words that the column's name has. */
function wordMentions(words: readonly PlacedWord[], column: Column, terms: Terms): readonly Mention[] {
  const points = terms.pointsOf(column.name)
  const named = new Set(points.flatMap(point => point.anyOf))
  const written = new Set(column.name.toLowerCase().match(/[\p{Script=Latin}\d]+/gu))
  const isOf = ({ text, terms: own }: PlacedWord) =>
    /\d/.test(text) ? written.has(text) : [...own].some(term => named.has(term))
  const mentions: Omit<Mention, 'share'>[] = []
  let last: number | undefined
  for (const [at, word] of words.entries()) {
    if (!isOf(word)) continue
    const open = mentions.at(-1)
    if (open && last === at - 1) mentions[mentions.length - 1] = { ...open, end: word.end, held: open.held + 1 }
    else mentions.push({ column, start: word.start, end: word.end, held: 1 })
    last = at
  }
  return mentions.map(mention => ({ ...mention, share: mention.held / Math.max(1, points.length) }))
}

/** The name without its unit, or at least half of it in a row. */
function hanMentions(question: string, column: Column): readonly Mention[] {
  const bare = unspaced(
    column.name
      .replace(/[（([].*$/u, '')
      .trim()
      .toLowerCase(),
  )
  for (let length = bare.length; length >= Math.max(bare.length === 1 ? 1 : 2, bare.length / 2); length--) {
    for (let from = 0; from + length <= bare.length; from++) {
      const start = question.indexOf(bare.slice(from, from + length))
      if (start >= 0) return [{ column, start, end: start + length, held: length, share: length / bare.length }]
    }
  }
  return []
}
