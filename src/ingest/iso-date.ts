const ISO_DATE = /^\d{4}(-\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/

/** A date that is already written the ISO 8601 way; others are left out, since their order of day and month is a guess. */
export function isoDate(written: string | undefined): string | undefined {
  const trimmed = written?.trim().replaceAll('/', '-')
  return trimmed && ISO_DATE.test(trimmed) ? trimmed.replace(' ', 'T') : undefined
}
