import { type DateValue, datesIn, type TimeOfDay, timesIn, weekdaysIn } from '../../text/dates.ts'
import { amountOf, type Quantity, quantitiesIn, sameQuantity } from '../../text/quantities.ts'
import { overlap, type Span } from '../../text/sentences.ts'

/** The numbers of a text. */
export type Numbers = {
  readonly quantities: readonly Quantity[]
  readonly dates: readonly DateValue[]
  readonly times: readonly TimeOfDay[]
}

/** A number, date or weekday of a text: what the words around it are bound to. */
export type Anchor = {
  /** Only anchors of one kind can be taken for each other. */
  readonly kind: string
  readonly key: string
  readonly span: Span
  readonly quantity?: Quantity
}

/** What anchors of names with digits or of one letter are: `P10`, `camera B`. */
export const IDENTIFIER = 'identifier'
const IDENTIFIERS =
  /(?<![\p{L}\d])(?=[\w./-]*\d)(?=[\w./-]*[A-Za-z])[A-Za-z][\w./-]*\w|(?<=\p{L} )(?![AI]\b)\p{Lu}(?![\p{L}\d.'’])|(?<![\p{Script=Latin}\d])\p{Lu}(?= ?\p{Script=Han})/gu

export function anchorsIn(text: string): readonly Anchor[] {
  const { quantities, dates, times } = numbersIn(text)
  const taken = [...quantities, ...dates, ...times].map(({ span }) => span)
  const identifiers = [...text.matchAll(IDENTIFIERS)]
    .map(({ index, 0: name }) => ({
      ...{ kind: IDENTIFIER, key: name.toLowerCase(), span: { start: index, end: index + name.length } },
    }))
    .filter(({ span }) => !taken.some(other => overlap(span, other)))
  return [
    ...identifiers,
    ...quantities.map(quantity => ({ kind: kindOf(quantity), key: keyOf(quantity), span: quantity.span, quantity })),
    ...dates.map(({ span, ...date }) => ({ kind: 'date', key: JSON.stringify(date), span })),
    ...times.map(({ span, hour, minute }) => ({ kind: 'time', key: `${hour}:${minute}`, span })),
    ...weekdaysIn(text).map(({ day, span }) => ({ kind: 'weekday', key: String(day), span })),
  ].toSorted((a, b) => a.span.start - b.span.start)
}

export function isSameAnchor(a: Anchor, b: Anchor): boolean {
  if (a.quantity && b.quantity) return isSameNumber(a.quantity, b.quantity)
  return a.kind === b.kind && a.key === b.key
}

/** Where a text counts without a unit, as beside a number that has it, any will do. */
export function isSameNumber(wanted: Quantity, there: Quantity): boolean {
  if (sameQuantity(wanted, there)) return true
  const isBare = !wanted.unit || !there.unit
  return isBare && wanted.value === there.value && wanted.upTo === there.upTo
}

function kindOf({ unit }: Quantity): string {
  return !unit || unit.dimension === 'count' ? 'number' : unit.dimension
}

function keyOf(quantity: Quantity): string {
  return `${amountOf(quantity)} ${quantity.upTo ?? ''}`
}

export function numbersIn(text: string): Numbers {
  const dates = datesIn(text)
  const times = timesIn(text)
  const taken = [...dates, ...times].map(({ span }) => span)
  const quantities = quantitiesIn(text).filter(({ span }) => !taken.some(other => overlap(span, other)))
  return { quantities, dates, times }
}
