const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const MONTH = `(?<name>${MONTHS.join('|')})[a-z]*\\.?`

const FORMS: readonly RegExp[] = [
  /^(?<year>\d{4})\s*[-./年]\s*(?<month>\d{1,2})(?:\s*[-./月]\s*(?<day>\d{1,2})?)?\s*日?$/u,
  /^(?<month>\d{1,2})月(?:(?<day>\d{1,2})[日号])?$/u,
  new RegExp(`^(?:(?<day>\\d{1,2})(?:st|nd|rd|th)?\\s+)?${MONTH}(?:,?\\s+(?<year>\\d{4}))?$`, 'iu'),
  new RegExp(`^${MONTH}\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(?<year>\\d{4}))?$`, 'iu'),
  /^(?<hour>\d{1,2}):(?<minute>\d\d)$/u,
]

/** The day, month, year or time of day that a cell is, as a number that grows with it; undefined of anything else. */
export function cellDate(cell: string): number | undefined {
  const text = cell.normalize('NFKC').trim()
  const found = FORMS.map(form => form.exec(text)?.groups).find(Boolean)
  if (!found) return undefined
  const { year = 0, month, name = '', day = 0, hour = 0, minute = 0 } = found
  const inYear = month ?? MONTHS.indexOf(name.toLowerCase().slice(0, 3)) + 1
  return ((Number(year) * 100 + Number(inYear)) * 100 + Number(day)) * 10_000 + Number(hour) * 100 + Number(minute)
}
