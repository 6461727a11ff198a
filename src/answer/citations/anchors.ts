import { type DateValue, findDates, findTimes, findWeekdays } from '../../text/dates.ts'
import { areSameQuantity, findQuantities, type Quantity } from '../../text/quantities.ts'
import { areOverlapping, type Span } from '../../text/sentences.ts'

/** Number, date, weekday or identifier. */
export type Anchor = {
  readonly kind: string
  /** For comparison, unless it is a quantity. */
  readonly key?: string
  readonly span: Span
  readonly quantity?: Quantity
  readonly date?: DateValue
}

/** Names with digits or single letters: `P10`, `camera B`. */
export const IDENTIFIER = 'identifier'
const WEEKDAY = 'weekday'
const IDENTIFIERS =
  /(?<![\p{L}\d])(?=[\w./-]{1,64}(?<=\d))[A-Za-z][\w./-]*\w|(?<=\p{L} )(?![AI]\b)\p{Lu}(?![\p{L}\d.'’])|(?<![\p{Script=Latin}\d])\p{Lu}(?= ?\p{Script=Han})/gu

export function findAnchors(text: string): readonly Anchor[] {
  const dates = findDates(text)
  const times = findTimes(text)
  const timed = [...dates, ...times]
  const quantities = findQuantities(text).filter(
    quantity => !timed.some(other => areOverlapping(quantity.span, other.span)),
  )
  const numbers = [...quantities, ...timed]
  const identifiers = [...text.matchAll(IDENTIFIERS)]
    .map(({ index, 0: name }) => ({
      key: name.toLowerCase(),
      span: { start: index, end: index + name.length },
    }))
    .filter(name => !numbers.some(other => areOverlapping(name.span, other.span)))
  return [
    ...identifiers.map(identifier => ({ kind: IDENTIFIER, ...identifier })),
    ...quantities.map(quantity => ({
      kind: getAnchorKind(quantity),
      span: quantity.span,
      quantity,
    })),
    ...dates.map(date => ({
      kind: 'date',
      key: JSON.stringify({ ...date, span: undefined }),
      span: date.span,
      date,
    })),
    ...times.map(({ span, hour, minute }) => ({ kind: 'time', key: `${hour}:${minute}`, span })),
    ...findWeekdays(text).map(({ day, span }) => ({ kind: WEEKDAY, key: String(day), span })),
  ].toSorted((a, b) => a.span.start - b.span.start)
}

export function findNumbers(anchors: readonly Anchor[]): readonly Anchor[] {
  return anchors.filter(({ kind }) => kind !== IDENTIFIER && kind !== WEEKDAY)
}

export function hasUnit({ quantity }: Anchor): boolean {
  return quantity?.unit !== undefined && quantity.unit.dimension !== 'count'
}

export function isSameAnchor(a: Anchor, b: Anchor): boolean {
  if (a.quantity && b.quantity) return isSameNumber(a.quantity, b.quantity)
  return a.kind === b.kind && a.key === b.key
}

function isSameNumber(claimed: Quantity, stated: Quantity): boolean {
  if (areSameQuantity(claimed, stated)) return true
  const isBare = !claimed.unit || !stated.unit
  return isBare && claimed.value === stated.value && claimed.upTo === stated.upTo
}

function getAnchorKind({ unit }: Quantity): string {
  return !unit || unit.dimension === 'count' ? 'number' : unit.dimension
}

/** Capitalized word inside a text, also after an initial (`R. Adeyemi`). */
const NAME =
  /(?<!^\s*|(?<!(?<!\p{L})\p{Lu})\.\s{1,3}|[!?:]\s{1,3}|[“"(*_-]\s?)\b(?!I\b|\p{Lu}+\b(?<=^.{0,2}))\p{Lu}[\p{L}’'-]*\p{L}/gu

/** Leaves out dates and amounts. */
export function findNames(text: string, anchors: readonly Anchor[]): readonly string[] {
  const numbers = findNumbers(anchors)
  const isInNumber = (start: number, end: number) =>
    numbers.some(({ span }) => areOverlapping(span, { start, end }))
  return [...text.matchAll(NAME)].flatMap(({ index, 0: name }) =>
    isInNumber(index, index + name.length) ? [] : [name],
  )
}
