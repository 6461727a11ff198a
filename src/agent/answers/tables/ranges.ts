import type { PlacedNumber } from './asked-numbers.ts'
import type { Comparison } from './comparison.ts'

const HYPHENED =
  /(?<![\p{L}\p{N}.,-])(\d+(?:,\d{3})*(?:\.\d+)?)(\p{Script=Han}{0,2}|%)-(?=(\d+(?:,\d{3})*(?:\.\d+)?)(?![a-z\d.,-]*[\d-]))/gu

/** `100-200` as `100~200`, so that both are read as numbers; of the same length. Dates and names keep their hyphens. */
export function withTildes(text: string): string {
  return text.replace(HYPHENED, (written, low: string, unit: string, high: string) =>
    digitsValue(low) < digitsValue(high) ? `${low}${unit}~` : written,
  )
}

const OPENS =
  /(?:\bbetween|\bfrom|\bin the range(?: of| from)?|介于|从|自|在)\s*(?:the years?\s)?(?:[a-z]{3}\s|[€$£¥])?\s*$/
const TO = /^\s*[^\s\d,，;；。?？~]{0,10}?\s*(?:\b(?:to|through|until)\b|[–—~～]|到|至)\s*(?:[a-z]{3}\s|[€$£¥])?\s*$/
const AND = /^\s*[^\s\d,，;；。?？]{0,10}?\s*(?:\band\b|[和与])\s*(?:[a-z]{3}\s|[€$£¥])?\s*$/
const CLOSES = /^\s*\p{Script=Han}{0,3}?之间/u

/** Two numbers as the least and the most of a range: `between 100 and 200`, `2020到2022`; `untold` where they fall. */
export function rangeOf(text: string, low: PlacedNumber, high: PlacedNumber): Comparison | 'untold' | undefined {
  const gap = text.slice(low.end, high.start)
  const opening = OPENS.exec(text.slice(0, low.start))
  const closing = CLOSES.exec(text.slice(high.end))
  const isPair = AND.test(gap) && (/^(?:between|介于)/.test(opening?.[0] ?? '') || closing !== null)
  if (!isPair && !TO.test(gap)) return undefined
  const value = isOfSameScale(low, high) ? low.value * high.scale : low.value
  if (value >= high.value) return 'untold'
  return {
    ...{ value, upTo: high.value, scale: high.scale, relation: 'between', start: low.start, end: high.end },
    ...{ from: opening?.index ?? low.start, to: high.end + (closing?.[0].length ?? 0) },
    isLoose: gap === '~',
  }
}

/** `between 1 and 2 million`: of millions both. */
function isOfSameScale(low: PlacedNumber, high: PlacedNumber): boolean {
  return low.scale === 1 && high.scale > 1 && low.value < high.value / high.scale
}

function digitsValue(digits: string): number {
  return Number(digits.replaceAll(',', ''))
}
