import { findDates, findTimes } from './dates.ts'
import { findNumerals, foldForms, type Numeral, roundBinary, SCALES } from './numerals.ts'
import { areOverlapping, type Span } from './sentences.ts'
import { findUnit, RANK, readUnit, type Unit } from './units.ts'

export type Quantity = {
  readonly value: number
  readonly upTo?: number
  /** Undefined if no known unit is stated: `5`, `12 options`. */
  readonly unit?: Unit
  /** Includes sign, currency, unit and the range. */
  readonly span: Span
}

/**
 * Finds numbers with scales and units; ranges and sums (`1 h 30 min`) are one. Skips dates,
 * times and identifiers, except single years.
 */
export function findQuantities(text: string): readonly Quantity[] {
  const plain = foldForms(text)
  const consumed = [
    ...findDates(text).filter(({ span }) => span.end - span.start > 4),
    ...findTimes(text),
  ].map(({ span }) => span)
  const found: Scaled[] = []
  for (const numeral of selectOutside(findNumerals(text), consumed)) {
    const last = found.at(-1)
    if (last && numeral.span.start < last.span.end) continue // `半` of `两个半小时`
    const quantity = withUnit(plain, numeral, last?.span.end ?? 0)
    const both =
      last && quantity && (joinRange(plain, last, quantity) ?? sum(plain, last, quantity))
    if (both) found[found.length - 1] = both
    else if (quantity) found.push(quantity)
  }
  return found.map(({ scale: _, ...quantity }) => quantity)
}

type Scaled = Quantity & { readonly scale: number }

/** Converts to the dimension's base unit: 30 minutes are 1,800. */
export function toBaseAmount({ value, unit }: Pick<Quantity, 'value' | 'unit'>): number {
  const amount = value * (unit?.factor ?? 1)
  return roundBinary(unit?.zero === undefined ? amount : Number((amount + unit.zero).toFixed(6)))
}

/** Compares percent with a bare number, degrees also with temperatures. */
export function areComparable(a: Unit | undefined, b: Unit | undefined): boolean {
  if (a?.dimension === 'money' && b?.dimension === 'money') return a.id === b.id
  const kindA = getKind(a)
  const other = getKind(b)
  return kindA === other || [kindA, other].sort().join() === 'angle,temperature'
}

/** Treats counts and shares as bare numbers: `3台`, `50%`. */
function getKind(unit: Unit | undefined) {
  const dimension = unit?.dimension
  return dimension === 'count' || dimension === 'share' ? undefined : dimension
}

/** Returns true for equal amounts in any unit: `1 day`, `24小时`. */
export function areSameQuantity(a: Quantity, b: Quantity): boolean {
  const end = ({ upTo, unit }: Quantity) =>
    upTo === undefined ? undefined : toBaseAmount({ value: upTo, ...(unit && { unit }) })
  return areComparable(a.unit, b.unit) && toBaseAmount(a) === toBaseAmount(b) && end(a) === end(b)
}

/** `万元` is 10,000 yuan, `million sheets` a million without a unit. */
export type ScaledUnit = { readonly scale: number; readonly unit?: Unit }

/** Length of a unit; protects the reader from long headers. */
const MAX_UNIT = 40
const SCALE =
  /(?<![a-z])(?:hundred|thousand|million|billion|trillion)s?(?![a-z])|(?<![a-z])(?:bn|mn)(?![a-z])|['’]000\b|(?<=[€$£¥]\s?)(?:bn|[mk])\b|万亿|千亿|百亿|千万|百万|亿|万|百|千/iu

/** Parses a header, cell or caption; undefined if it is neither scale nor unit. */
export function parseScaledUnit(text: string): ScaledUnit | undefined {
  const written = foldForms(text).trim()
  if (written === '' || written.length > MAX_UNIT) return undefined
  const simpleUnit = findUnit(written)
  if (simpleUnit) return { scale: 1, unit: simpleUnit }
  const paid = /^([^/]{1,14}?)\s{0,2}(?:\/|\bper\b|每)/iu.exec(written)?.[1]
  const money = paid === undefined ? undefined : parseScaledUnit(paid)
  if (money?.unit?.dimension === 'money') return money
  const scale = SCALE.exec(written)
  if (!scale) return undefined
  const rest = `${written.slice(0, scale.index)} ${written.slice(scale.index + scale[0].length)}`
  const unit = findUnit(rest.replace(/\bof\b|['’]s\b/giu, ' ').trim())
  return { scale: scaleNamed(scale[0]), ...(unit && { unit }) }
}

function scaleNamed(scale: string): number {
  const name = scale
    .toLowerCase()
    .replace(/(?<=.{4})s$/, '')
    .replace(/^['’]000$/, 'k')
  return SCALES[name] ?? SCALES[name.toUpperCase()] ?? 1
}

/** Expects both lists in order. */
function* selectOutside(
  numerals: readonly Numeral[],
  consumed: readonly Span[],
): Iterable<Numeral> {
  const spans = consumed.toSorted((a, b) => a.start - b.start)
  let index = 0
  for (const numeral of numerals) {
    let span = spans[index]
    while (span && span.end <= numeral.span.start) span = spans[++index]
    if (!span || !areOverlapping(span, numeral.span)) yield numeral
  }
}

/** Currency before a number: `€ 5`, `USD 5`, `US$5`. */
const CURRENCY_BEFORE =
  /(?<![\p{Script=Latin}\d])(?:[A-Z]{3} ?|(?:US|HK|NT|CN|CA|JP|NZ|[ASCR])?[$¥] ?|[€£₹₩₽฿₫₺₪] ?|人民币)$/u
/** One-letter scales of money: `€5m`. */
const SHORT_SCALE = /(?:m|k|bn|mn|M|B)\b/uy
/** Letters that make a number an identifier: `3D`, `2x4`. */
const LETTER = /[\p{Script=Latin}\p{Script=Greek}_]/u

function withUnit(text: string, numeral: Numeral, free: number): Scaled | undefined {
  const { span, value, scale, isOrdinal } = numeral
  if (isOrdinal) return { value, unit: RANK, span, scale }
  const before = readCurrencyBefore(text, span.start)
  if (before && before.start >= free) return parseMoney(text, numeral, before)
  const percent = text.startsWith('百分之', span.start) ? findUnit('%') : undefined
  if (percent) return { value: roundBinary(value * 100), unit: percent, span, scale }
  const found = readUnit(text, span.end)
  const isDecade = found?.unit.id === 's' && /\d{3}0s$/.test(text.slice(span.start, found.end))
  if (!found || isDecade)
    return numeral.needsUnit || LETTER.test(text[span.end] ?? '')
      ? undefined
      : { value, span, scale }
  if (numeral.needsUnit && !isCount(numeral, found.unit)) return undefined
  const { unit, end, half } = withHalf(text, found)
  return { value: value + half, unit, span: { start: span.start, end }, scale }
}

/** Reads `一年半`, `两个半小时`. */
function withHalf(text: string, { unit, end }: { readonly unit: Unit; readonly end: number }) {
  if (text[end] !== '半') return { unit, end, half: 0 }
  if (unit.dimension === 'time') return { unit, end: end + 1, half: 0.5 }
  const behind = unit.id === '个' ? readUnit(text, end + 1) : undefined
  return behind ? { ...behind, half: 0.5 } : { unit, end, half: 0 }
}

/** Returns false for `一个` and `one of`, which are articles. */
function isCount({ value }: Numeral, { dimension }: Unit): boolean {
  return value !== 1 || dimension !== 'count'
}

function readCurrencyBefore(
  text: string,
  start: number,
): { readonly unit: Unit; readonly start: number } | undefined {
  const written = CURRENCY_BEFORE.exec(text.slice(Math.max(0, start - 5), start))?.[0]
  const unit = written && findUnit(written.trim())
  return unit && unit.dimension === 'money' ? { unit, start: start - written.length } : undefined
}

function parseMoney(
  text: string,
  { value, span, scale: own }: Numeral,
  before: { readonly unit: Unit; readonly start: number },
): Scaled {
  SHORT_SCALE.lastIndex = span.end
  const written = SHORT_SCALE.exec(text)?.[0] ?? ''
  const scale = scaleNamed(written)
  const unit = readUnit(text, span.end + written.length)
  const end = unit?.unit.id === before.unit.id ? unit.end : span.end + written.length
  return {
    value: roundBinary(value * scale),
    unit: before.unit,
    span: { start: before.start, end },
    scale: own * scale,
  }
}

const TO = /^ ?(?:-|–|—|~|to|until|至|到) ?(?:[€$£¥] ?)?$/iu
const BETWEEN = /(?:\bbetween |介于|在)$/iu
const AND = /^ ?(?:and|和|与) ?$/iu

/** Shares the scale of the second number: `5–10 million`. */
function joinRange(text: string, from: Scaled, to: Scaled): Scaled | undefined {
  const gap = getGap(text, from, to)
  const before = text.slice(Math.max(0, from.span.start - 9), from.span.start)
  const isRange = gap !== undefined && (TO.test(gap) || (AND.test(gap) && BETWEEN.test(before)))
  const isAlike =
    !from.unit ||
    !to.unit ||
    (from.unit.dimension === to.unit.dimension && areComparable(from.unit, to.unit))
  if (!isRange || !isAlike || to.unit?.dimension === 'rank') return undefined
  const unit = to.unit ?? from.unit
  const isScaled = from.scale === 1 && from.value < to.value / to.scale
  const scaled = isScaled ? from.value * to.scale : from.value
  const value = roundBinary(
    (scaled * (from.unit ?? unit ?? { factor: 1 }).factor) / (unit?.factor ?? 1),
  )
  if (value > to.value) return undefined
  return {
    value,
    upTo: to.value,
    ...(unit && { unit }),
    span: joinSpans(from, to),
    scale: to.scale,
  }
}

const ADDED = new Set(['time', 'length', 'mass'])

function sum(text: string, larger: Scaled, part: Scaled): Scaled | undefined {
  const { unit } = larger
  if (!unit || !ADDED.has(unit.dimension) || unit.dimension !== part.unit?.dimension)
    return undefined
  const amount = toBaseAmount(part)
  if (
    amount <= 0 ||
    amount >= unit.factor ||
    !/^(?: |, | and |零|又)?$/iu.test(getGap(text, larger, part) ?? '-')
  )
    return undefined
  return {
    ...larger,
    value: roundBinary(larger.value + amount / unit.factor),
    span: joinSpans(larger, part),
  }
}

function getGap(text: string, a: Scaled, b: Scaled): string | undefined {
  const isNear = b.span.start - a.span.end <= 9 && a.upTo === undefined && b.upTo === undefined
  return isNear ? text.slice(a.span.end, b.span.start) : undefined
}

function joinSpans(a: Quantity, b: Quantity): Span {
  return { start: a.span.start, end: b.span.end }
}
