import type { Document } from '../../ingest/store/catalog/document.ts'
import { formatDay, type Period, parsePeriod } from '../../search/periods.ts'
import { TimeSlices } from '../../system/time-slices.ts'
import { findDates } from '../../text/dates.ts'

/** Characters of a name, so that long titles stay cheap. */
const MAX_NAME_CHARS = 200

const YEAR = /\d{4}|[〇零一二三四五六七八九]{4}年/u

export type OwnDate = Period & {
  /** `2024`, `2024-03` or `2024-03-05`. */
  readonly formatted: string
}

const dates = new WeakMap<Document, OwnDate | 'none'>()

/** Reads dates in slices: 10,000 titles take 0.3 s of CPU. `findOwnDate` returns them at once. */
export async function readOwnDates(
  documents: readonly Document[],
  signal?: AbortSignal,
): Promise<void> {
  const slices = new TimeSlices({ signal })
  for (const document of documents) {
    findOwnDate(document)
    if (slices.isOver) await slices.next()
  }
}

/** Prefers the title's date, unless the metadata's is a day of it. */
export function findOwnDate(document: Document): OwnDate | undefined {
  const cached = dates.get(document)
  if (cached !== undefined) return cached === 'none' ? undefined : cached
  const found = readOwnDate(document)
  dates.set(document, found ?? 'none')
  return found
}

function readOwnDate({ title, name, metadata }: Document): OwnDate | undefined {
  const day = findFileDate({ metadata })
  const stated = findNameDate(title) ?? findNameDate(name.replace(/\.\w{1,8}$/u, ''))
  if (stated && (day === undefined || day < stated.from || day > stated.until)) return stated
  return day === undefined ? undefined : { from: day, until: day, formatted: day }
}

export function findFileDate({ metadata }: Pick<Document, 'metadata'>): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/u.exec(metadata.modified ?? metadata.created ?? '')?.[0]
}

/** Returns undefined for several dates, or one to come. */
function findNameDate(name: string): OwnDate | undefined {
  const text = name.slice(0, MAX_NAME_CHARS).replaceAll('_', ' ')
  if (!YEAR.test(text)) return undefined
  const [date, ...others] = findDates(text)
  if (date?.year === undefined || others.length > 0) return undefined
  const now = new Date()
  const period = parsePeriod(text.slice(date.span.start, date.span.end), now)
  if (!period || period.from > formatDay(now)) return undefined
  const isYear = period.from.endsWith('-01-01') && period.until.endsWith('-12-31')
  const precision = isYear ? 4 : period.from === period.until ? 10 : 7
  return { ...period, formatted: period.from.slice(0, precision) }
}
