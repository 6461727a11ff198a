const ISO_DATE = /^\d{4}(-\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/

/** A date that is already written the ISO 8601 way; others are left out, since their order of day and month is a guess. */
export function isoDate(written: string | undefined): string | undefined {
  const trimmed = written?.trim().replaceAll('/', '-')
  return trimmed && ISO_DATE.test(trimmed) ? trimmed.replace(' ', 'T') : undefined
}

/** Of an ISO 8601 date; one without a zone is taken as UTC, so that it is the same everywhere. Undefined for anything else. */
export function unixSeconds(date: string): number | undefined {
  const isLocal = date.includes('T') && !/(Z|[+-]\d{2}:?\d{2})$/.test(date)
  const ms = Date.parse(isLocal ? `${date}Z` : date)
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}
