import { foldForms } from '../../../text/numerals.ts'
import { findQuantities, parseScaledUnit } from '../../../text/quantities.ts'
import type { Unit } from '../../../text/units.ts'

/** 1,234.5 has a point, 1.234,5 a comma. */
export type Notation = 'point' | 'comma'

type Counts = Readonly<Record<Notation, number>>

export type NotationEvidence = {
  /** Several separators: `1.234,50`, `1.234.567`. */
  readonly strong: Counts
  /** One separator that groups no digits: `10,5`, `0.125`. */
  readonly weak: Counts
  /** One separator with two readings: `1.234` counts under its point. */
  readonly open: Counts
  /** Blanks or apostrophes group digits, so that no other sign does. */
  readonly hasOwnGroups: boolean
  /** Whole numbers from 100 to 999 occur, as among grouped thousands. */
  readonly hasHundreds: boolean
}

export type TableNotation = {
  readonly notation: Notation
  /** No number of the column may speak against it. */
  readonly isCertain: boolean
}

/** Characters, so that a sentence with a number is no value. */
export const MAX_VALUE = 40
/** Characters before a number, so that a sign and a currency fit and a word does not. */
const MAX_BEFORE = 6
/** Share written in one way, so that one odd number does not decide. */
const MIN_SHARE = 0.8
/** Texts searched for currencies, so that a long document costs no more. */
const MAX_MONEY_TEXTS = 200

/** Blanks separate only three digits. */
const DIGITS = /\d+(?:(?:[.,'’]|[ \u00a0\u2009\u202f](?=\d{3}(?!\d)))\d+)*/gu
const WIDE = /[！-～￠-￦]/u
const BARE_DECIMALS = /(?<=^[^\p{L}\d.,]{0,6})([.,])(?=\d+(?:\D|$))/u
const HUNDREDS = /^\D{0,6}[1-9]\d\d(?:\D{1,16})?$/u
const SEPARATED = /\d[.,'’ \u00a0\u2009\u202f]\d/u
/** Thousands, Indian groups, or no groups, then decimals. */
const NUMBERS: Readonly<Record<Notation, RegExp>> = {
  point:
    /^(?:\d+|[1-9]\d{0,2}([,'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*|[1-9]\d?(?:,\d{2})+,\d{3})(?:\.\d+)?$/u,
  comma: /^(?:\d+|[1-9]\d{0,2}([.'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*)(?:,\d+)?$/u,
}
/** Currencies of countries that write a decimal comma (CLDR 45, number symbols). */
const COMMA_CURRENCIES = new Set([
  'EUR',
  'SEK',
  'NOK',
  'DKK',
  'kr',
  'PLN',
  'CZK',
  'RUB',
  'TRY',
  'BRL',
  'VND',
])

export function gatherEvidence(cells: readonly string[]): NotationEvidence {
  const counts = {
    strong: { point: 0, comma: 0 },
    weak: { point: 0, comma: 0 },
    open: { point: 0, comma: 0 },
  }
  let hasOwnGroups = false
  for (const digits of cells.flatMap(findDigits)) {
    const { kind, notation } = classify(digits)
    if (kind === 'strong' || kind === 'weak' || kind === 'open') counts[kind][notation]++
    hasOwnGroups ||= kind === 'grouped'
  }
  return { ...counts, hasOwnGroups, hasHundreds: cells.some(cell => HUNDREDS.test(cell.trim())) }
}

type Kind = 'strong' | 'weak' | 'open' | 'grouped' | 'none'

function classify(digits: string): { readonly kind: Kind; readonly notation: Notation } {
  const point = toPlain(digits, 'point')
  const comma = toPlain(digits, 'comma')
  const sign = digits.includes('.') ? 'point' : 'comma'
  if (point === comma)
    return { kind: point === undefined || point === digits ? 'none' : 'grouped', notation: sign }
  if (point !== undefined && comma !== undefined) return { kind: 'open', notation: sign }
  const separators = digits.replace(/\d/gu, '')
  return {
    kind: separators.length > 1 ? 'strong' : 'weak',
    notation: point === undefined ? 'comma' : 'point',
  }
}

export function joinEvidence(all: readonly NotationEvidence[]): NotationEvidence {
  const sum = (kind: 'strong' | 'weak' | 'open') => ({
    point: all.reduce((total, evidence) => total + evidence[kind].point, 0),
    comma: all.reduce((total, evidence) => total + evidence[kind].comma, 0),
  })
  const hasOwnGroups = all.some(evidence => evidence.hasOwnGroups)
  const hasHundreds = all.some(evidence => evidence.hasHundreds)
  return { strong: sum('strong'), weak: sum('weak'), open: sum('open'), hasOwnGroups, hasHundreds }
}

/** Returns `open` if either is possible, `mixed` if both occur. */
export function decideNotation({
  strong,
  weak,
  open,
  hasOwnGroups,
}: NotationEvidence): Notation | 'open' | 'mixed' {
  const own = decideMajority({ point: strong.point + weak.point, comma: strong.comma + weak.comma })
  if (own) return own
  if (open.point + open.comma === 0) return 'point'
  if (hasOwnGroups && (open.point === 0 || open.comma === 0))
    return open.point > 0 ? 'point' : 'comma'
  return 'open'
}

/**
 * Decides for ambiguous columns by other columns, other tables, then semicolons, which one decimal
 * number does not outweigh. Returns undefined without evidence or with a contradiction.
 */
export function decideTableNotation(
  own: NotationEvidence,
  all: NotationEvidence,
  hasSemicolons: boolean,
): TableNotation | undefined {
  const suggested = hasSemicolons ? 'comma' : undefined
  const strong = decideMajority(own.strong) ?? decideMajority(all.strong)
  if (strong) return strong === 'mixed' ? undefined : { notation: strong, isCertain: true }
  const weak = decideMajority(own.weak) ?? decideMajority(all.weak) ?? suggested
  if (weak === undefined || weak === 'mixed' || (suggested && weak !== suggested)) return undefined
  return { notation: weak, isCertain: false }
}

/** Returns undefined if numbers of the column speak against it. */
export function applyNotation(
  table: TableNotation,
  { open, hasHundreds }: NotationEvidence,
): Notation | undefined {
  const hasDecimals = open[table.notation] > 0
  return hasDecimals && hasHundreds && !table.isCertain ? undefined : table.notation
}

export function decideMoneyNotation(texts: readonly string[], stated?: Unit): 'comma' | undefined {
  const found = texts
    .slice(0, MAX_MONEY_TEXTS)
    .flatMap(text => [
      parseScaledUnit(text)?.unit,
      ...findQuantities(text.slice(0, MAX_VALUE)).map(({ unit }) => unit),
    ])
  const money = [stated, ...found].flatMap(unit => (unit?.dimension === 'money' ? unit.id : []))
  return money.length > 0 && money.every(id => COMMA_CURRENCIES.has(id)) ? 'comma' : undefined
}

/**
 * Writes plain digits with a decimal point; undefined if the first number is in another
 * notation.
 */
export function toPlainCell(cell: string, notation: Notation): string | undefined {
  const text = toDigits(cell)
  if (!SEPARATED.test(text)) return text
  const [first] = text.matchAll(DIGITS)
  if (first && isNumber(first[0]) && toPlain(first[0], notation) === undefined) return undefined
  return text.replace(DIGITS, digits => toPlain(digits, notation) ?? digits)
}

function findDigits(cell: string): readonly string[] {
  if (cell.length > MAX_VALUE) return []
  const text = toDigits(cell)
  if (!SEPARATED.test(text)) return []
  const found = [...text.matchAll(DIGITS)]
  return (found[0]?.index ?? 0) > MAX_BEFORE ? [] : found.map(([digits]) => digits)
}

/** Folds full-width forms, and writes `.312` as `0.312`. */
function toDigits(cell: string): string {
  const text = WIDE.test(cell) ? foldForms(cell) : cell
  return text.replace(BARE_DECIMALS, '0$1')
}

function isNumber(digits: string): boolean {
  return toPlain(digits, 'point') !== undefined || toPlain(digits, 'comma') !== undefined
}

function toPlain(digits: string, notation: Notation): string | undefined {
  if (!NUMBERS[notation].test(digits)) return undefined
  return notation === 'point'
    ? digits.replace(/[^\d.]/gu, '')
    : digits.replace(/[^\d,]/gu, '').replace(',', '.')
}

function decideMajority({ point, comma }: Counts): Notation | 'mixed' | undefined {
  const total = point + comma
  if (total === 0) return undefined
  if (point >= total * MIN_SHARE) return 'point'
  return comma >= total * MIN_SHARE ? 'comma' : 'mixed'
}
