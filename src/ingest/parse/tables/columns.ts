import { getItem } from '../../../system/items.ts'
import { ANY_YEAR, findDates, findTimes } from '../../../text/dates.ts'
import { parseScaledUnit, type ScaledUnit } from '../../../text/quantities.ts'
import type { Unit } from '../../../text/units.ts'
import {
  applyNotation,
  decideMoneyNotation,
  decideNotation,
  gatherEvidence,
  MAX_VALUE,
  type Notation,
  type TableNotation,
} from './notation.ts'
import { readAmount, readNumber } from './number-cell.ts'
import type { Cell, CellValue, Column } from './table.ts'

type TypedColumn = { readonly column: Column; readonly values: readonly (CellValue | undefined)[] }

type Surroundings = {
  readonly unit?: ScaledUnit
  readonly notation?: TableNotation
  readonly moneyNotation?: Notation
  /** Stored as numbers in the file. */
  readonly native?: ReadonlySet<number>
}

/**
 * Share of cells of one kind, so that one note does not change a column; lower for numbers of
 * one measure.
 */
const MIN_SHARE = 0.8
const MIN_MEASURE_SHARE = 0.6
/** Numbers that rise by one, so that two amounts are not taken for a count of rows. */
const MIN_COUNTED = 3
/** A unit in a column's name: in brackets, after `in` or after a sign. */
const UNIT =
  /[（([]([^)）\]]{1,24})[)）\]]\s*$|(?<=\bin\s)(\S{1,12})$|(?<=[\s/／,，:：])(\S{1,8})$/u

/**
 * Words before a table's unit. A sign leads in only if nothing else follows: `(€ million)`, not
 * `, Ms Lund`.
 */
const LEADS_IN =
  /\bin\s+(?:us\s)?|\bunits?\b\s*[:：]?\s*|单位\s*(?:为|是)?\s*[:：]?\s*(?:人民币)?|(?<sign>[(（,，])\s*(?!in\s)/giu
/** Characters, so that a sentence names no unit. */
const MAX_LINE = 200
const CLAUSE_END = /[.,;:，。；：)）\n]/u
const PHRASE_END = /[,;:，。；：)）\n]/u
/** Words, so that a phrase is no unit. */
const MAX_WORDS = 4

const YES = /^(?:是|有|可|可以|能|yes|y|true|✓|✔|√|☑|●)$/iu
const NO = /^(?:否|无|没有|不|不可|不可以|不能|no|n|false|none|✗|✘|×|☐|○|[-–—])$/iu
/** Beside a written no it says nothing. */
const DASH = /^[-–—]$/u
const BARE_YEAR = /^(?:19|20)\d\d$/u
/** Years of other centuries are dates, too, in such a column. */
const OF_YEARS = /(?<!\b(?:per|a|each)\s|\/\s?)\byears?\b|(?<![每全整])年份?$/iu
const EMPTY = /^(?:[-–—/]|n\/?a)?$/iu

export function findNativeCells(cells: readonly (Cell | undefined)[]): ReadonlySet<number> {
  return new Set(cells.flatMap((cell, index) => (cell?.isNative ? [index] : [])))
}

export function typeColumn(
  name: string,
  cells: readonly string[],
  around: Surroundings = {},
): TypedColumn {
  const header = parseScaledUnit(findHeaderUnit(name))
  const isNoWritten = cells.some(cell => NO.test(cell.trim()) && !DASH.test(cell.trim()))
  const flags = readMost(
    cells,
    cell => (isNoWritten && DASH.test(cell.trim()) ? undefined : readFlag(cell)),
    1,
  )
  if (flags?.some(value => value?.kind === 'flag' && value.value))
    return { column: { name, kind: 'flag' }, values: flags }
  const times = readMost(cells, readTime)
  if (times) return { column: { name, kind: 'time' }, values: times }
  const years = OF_YEARS.test(name) ? readMost(cells, readYear, 1) : undefined
  const dates = years ?? (header ? undefined : readDates(cells))
  if (dates) return { column: { name, kind: 'date' }, values: dates }
  const { native = new Set() } = around
  const notation = findNotation(
    name,
    native.size === 0 ? cells : cells.filter((_, index) => !native.has(index)),
    around,
  )
  const numbers = readNumbers(cells, index => (native.has(index) ? 'point' : (notation ?? 'point')))
  if (numbers && notation) return numberColumn(name, numbers, header, around.unit)
  const column = { name, kind: 'text' as const, ...(numbers && { isAmbiguous: true as const }) }
  return { column, values: cells.map(() => undefined) }
}

/** Returns undefined if the numbers are ambiguous or mixed. */
function findNotation(
  name: string,
  cells: readonly string[],
  around: Surroundings,
): Notation | undefined {
  const evidence = gatherEvidence(cells)
  const own = decideNotation(evidence)
  if (own === 'mixed') return undefined
  if (own !== 'open') return own
  if (around.notation) return applyNotation(around.notation, evidence)
  if (evidence.open.point === 0) return 'point' // a comma alone groups digits, as in English and Chinese
  return evidence.open.comma > 0
    ? undefined
    : (decideMoneyNotation([findHeaderUnit(name), ...cells]) ?? around.moneyNotation)
}

export function findHeaderUnit(name: string): string {
  return (UNIT.exec(name.trim()) ?? []).slice(1).find(Boolean) ?? ''
}

function readMost(
  cells: readonly string[],
  read: Reading,
  minShare = MIN_SHARE,
): readonly (CellValue | undefined)[] | undefined {
  const values = cells.map(read)
  const filled = cells.filter(cell => !EMPTY.test(cell.trim())).length
  const readable = values.filter(
    (value, index) => value !== undefined && !EMPTY.test(getItem(cells, index).trim()),
  ).length
  return filled > 0 && readable >= filled * minShare ? values : undefined
}

/** Years count as dates if all cells are years. */
function readDates(cells: readonly string[]): readonly (CellValue | undefined)[] | undefined {
  const isOfYears = cells.some(isBareYear)
  return readMost(cells, readDate, isOfYears ? 1 : MIN_SHARE)
}

function readNumbers(
  cells: readonly string[],
  notationAt: (index: number) => Notation,
): readonly (CellValue | undefined)[] | undefined {
  if (!cells.some((cell, index) => readNumber(cell, notationAt(index)) !== undefined))
    return undefined
  const read: Reading = (cell, index) => readAmount(cell, notationAt(index))
  const numbers = readMost(cells, read)
  if (numbers) return numbers
  const fewer = readMost(cells, read, MIN_MEASURE_SHARE)
  const measures = new Set(
    fewer?.flatMap(value => (value && !isNought(value) ? [getUnit(value)?.dimension] : [])),
  )
  return measures.size === 1 && !measures.has(undefined) ? fewer : undefined
}

/** Zero is the same in all units. */
function isNought(value: CellValue): boolean {
  return value.kind === 'number' && value.value === 0 && value.unit === undefined
}

function getUnit(value: CellValue): Unit | undefined {
  return value.kind === 'number' ? value.unit : undefined
}

function numberColumn(
  name: string,
  values: readonly (CellValue | undefined)[],
  header: ScaledUnit | undefined,
  ofTable: ScaledUnit | undefined,
): TypedColumn {
  const own = values.flatMap(value => (value && !isNought(value) ? [getUnit(value)] : []))
  const ids = new Set(own.map(unit => unit?.id))
  const isHeaderUnit = ids.has(undefined) || own.length === 0 // `Subscription (year)` of £40 is no time
  const hasTableUnit = ids.size <= 1 && !isRowCount(values)
  const statedUnit = isHeaderUnit ? (header ?? (hasTableUnit ? ofTable : undefined)) : undefined
  const unit = statedUnit?.unit ?? (ids.size === 1 ? own[0] : undefined)
  const measures = new Set(own.map(ownUnit => (ownUnit ?? unit)?.dimension))
  const [measure] = measures.size === 1 ? measures : []
  const scale = statedUnit && statedUnit.scale !== 1 ? { scale: statedUnit.scale } : {}
  const column = {
    name,
    kind: 'number' as const,
    ...(unit && { unit }),
    ...scale,
    ...(measure && { measure }),
  }
  return { column, values: values.map(value => value && scaleValue(value, column)) }
}

/** Returns whether the numbers only count the rows, as under 序号: no unit of the table is theirs. */
function isRowCount(values: readonly (CellValue | undefined)[]): boolean {
  const numbers = values.flatMap(value => (value?.kind === 'number' ? [value.value] : []))
  return (
    numbers.length >= MIN_COUNTED &&
    numbers.every((number, index) => index === 0 || number === getItem(numbers, index - 1) + 1)
  )
}

function scaleValue(value: CellValue, { scale = 1, unit }: Column): CellValue {
  if (value.kind !== 'number' || value.unit) return value
  const toFullNumber = (number: number) => Number((number * scale).toPrecision(15))
  const upTo = value.upTo === undefined ? {} : { upTo: toFullNumber(value.upTo) }
  return { ...value, value: toFullNumber(value.value), ...upTo, ...(unit && { unit }) }
}

/** Reads the caption or line before: `单位：百万元`, `Amounts in thousands of USD.` */
export function findLineUnit(line: string): ScaledUnit | undefined {
  if (line.length > MAX_LINE) return undefined
  for (const { 0: lead, index, groups } of line.matchAll(LEADS_IN)) {
    const hasSign = groups?.sign !== undefined
    const phrase = line.slice(index + lead.length).split(hasSign ? PHRASE_END : CLAUSE_END)[0] ?? ''
    const words = phrase.trim().split(/\s+/u)
    const prefixes = words
      .slice(0, MAX_WORDS)
      .map((_, index) => words.slice(0, index + 1).join(' '))
    const reads = (hasSign ? [words.join(' ')] : prefixes.toReversed()).map(parseScaledUnit)
    const read = reads.find(read => read?.unit) ?? reads.find(Boolean)
    if (read) return read
  }
  return undefined
}

type Reading = (cell: string, index: number) => CellValue | undefined

function readFlag(cell: string): CellValue | undefined {
  const text = cell.trim()
  if (YES.test(text)) return { kind: 'flag', value: true }
  return NO.test(text) ? { kind: 'flag', value: false } : undefined
}

/** A weekday or a time may follow the date. */
const readDate: Reading = cell => {
  if (cell.length > MAX_VALUE) return undefined
  const [found] = findDates(cell.trim())
  if (!found || found.span.start > 0 || /\d{3}/u.test(cell.trim().slice(found.span.end)))
    return undefined
  const isEntireCell = found.span.end === cell.trim().length || found.day !== undefined
  const { span: _, ...date } = found
  return isEntireCell ? { kind: 'date', date } : undefined
}

const readYear: Reading = cell => {
  const text = cell.trim()
  return ANY_YEAR.test(text) ? { kind: 'date', date: { year: Number(text) } } : undefined
}

const readTime: Reading = cell => {
  if (cell.length > MAX_VALUE) return undefined
  const text = cell.trim()
  const [first, second] = findTimes(text)
  if (!first || first.span.start > 0 || (second ?? first).span.end !== text.length) return undefined
  return { kind: 'time', minutes: first.hour * 60 + first.minute }
}

function isBareYear(cell: string): boolean {
  return BARE_YEAR.test(cell.trim())
}
