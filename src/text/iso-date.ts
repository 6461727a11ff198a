import { findDates } from './dates.ts'

const ISO_DATE = /^\d{4}(-\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/

/** Returns a date in ISO 8601; others are ambiguous in day and month. */
export function parseIsoDate(written: string | undefined): string | undefined {
  const trimmed = written?.trim().replaceAll('/', '-')
  return trimmed && ISO_DATE.test(trimmed) ? trimmed.replace(' ', 'T') : undefined
}

/** Length of a date; protects the parser from long text. */
const MAX_DATE = 40

/** Returns undefined if the order of day and month is ambiguous; with points the day is first. */
export function toIsoDate(written: string | undefined): string | undefined {
  if (written === undefined || written.length > MAX_DATE) return undefined
  const text = written
    .trim()
    .replace(/^(\d{4})(\d{2})(\d{2})$/u, '$1-$2-$3')
    .replace(/^(\d{1,2})\.(\d{1,2})\.(\d{4})\b/u, (_, day, month, year) =>
      [year, pad(month), pad(day)].join('-'),
    )
  const iso = parseIsoDate(text.replace(/ +(?=(?:Z|[+-]\d{2}:?\d{2})$)/u, ''))
  if (iso) return iso
  const [date, another] = findDates(text)
  if (date?.year === undefined || another || date.quarter !== undefined || date.half !== undefined)
    return undefined
  const parts = [date.year, date.month, date.month && date.day].filter(part => part !== undefined)
  return parts.map(part => pad(String(part))).join('-')
}

function pad(digits: string): string {
  return digits.padStart(2, '0')
}

/** Takes a time without a zone as UTC. Undefined for other text. */
export function toUnixSeconds(date: string): number | undefined {
  const isLocal = date.includes('T') && !/(Z|[+-]\d{2}:?\d{2})$/.test(date)
  const ms = Date.parse(isLocal ? `${date}Z` : date)
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}
