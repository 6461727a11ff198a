import type { Document } from '../../ingest/store/catalog/document.ts'
import { formatDay } from '../../search/periods.ts'
import { type Hit, MAX_HITS, measureLikelihood } from '../../search/searcher.ts'
import { Analyzer } from '../../text/analyzer.ts'
import { toSimplified } from '../../text/simplified.ts'
import type { DocumentOrder } from './catalog-grammar.ts'
import type { DateKind, DateRange, DocumentSelection } from './catalog-question.ts'
import { detectKind } from './document-kinds.ts'

export type CatalogScope = {
  readonly listDocuments: () => Promise<readonly Document[]>
  /** Searches all passages, best first. */
  readonly search: (
    query: {
      readonly text: string
      readonly documentIds?: readonly string[]
      readonly limit: number
    },
    signal?: AbortSignal,
  ) => Promise<readonly Hit[]>
}

export type ListedDocument = { readonly document: Document; readonly hit?: Hit }

export type DocumentList = {
  readonly total: number
  /** Most relevant first with a topic, else by source. */
  readonly matching: readonly ListedDocument[]
  /** Number of documents without the date that the selection is about. */
  readonly undated: number
}

/** Searches for one topic, so that a common word in a huge collection ends. */
const MAX_SEARCHES = 20

/** Minimum confidence of a passage about the topic: more likely than not. */
const MIN_CONFIDENCE = 0.5

export async function selectDocuments(
  { topic, ...conditions }: DocumentSelection,
  scope: CatalogScope,
  signal?: AbortSignal,
): Promise<DocumentList> {
  const all = await scope.listDocuments()
  const candidates = all.filter(document => meetsConditions(document, conditions))
  const undated = countUndated(all, conditions)
  if (topic === undefined || candidates.length === 0)
    return { total: all.length, undated, matching: candidates.map(document => ({ document })) }
  const isEvery = candidates.length === all.length
  return {
    total: all.length,
    undated,
    matching: await findAbout(topic, candidates, { scope, isEvery, signal }),
  }
}

function countUndated(
  documents: readonly Document[],
  { period, ...conditions }: Omit<DocumentSelection, 'topic'>,
): number {
  if (period?.of !== 'own') return 0
  return documents.filter(one => meetsConditions(one, conditions) && !findOwnDate(one)).length
}

type TopicSearch = {
  readonly scope: CatalogScope
  readonly isEvery: boolean
  readonly signal: AbortSignal | undefined
}

/** Searches again while there may be more documents about the topic. */
async function findAbout(
  topic: string,
  candidates: readonly Document[],
  { scope, isEvery, signal }: TopicSearch,
): Promise<readonly ListedDocument[]> {
  const found = new Map<string, ListedDocument>()
  for (let searches = 0; searches < MAX_SEARCHES; searches++) {
    const rest = candidates.filter(({ id }) => !found.has(id))
    const documentIds = isEvery && searches === 0 ? undefined : rest.map(({ id }) => id)
    const query = { text: topic, limit: MAX_HITS, ...(documentIds && { documentIds }) }
    const hits = await scope.search(query, signal)
    const strong = hits.filter(isAbout)
    const byId = new Map(rest.map(document => [document.id, document]))
    for (const hit of strong) {
      const document = byId.get(hit.documentId)
      if (document && !found.has(document.id)) found.set(document.id, { document, hit })
    }
    if (hits.length < MAX_HITS || strong.length === 0) break
  }
  return [...found.values()]
}

/** Requires words of the topic or their translation: a near vector is no mention. */
function isAbout(hit: Hit): boolean {
  return !hit.weak && measureLikelihood(hit) >= MIN_CONFIDENCE && hit.fused?.keyword !== 0
}

function meetsConditions(
  document: Document,
  { kind, genre, folder, period }: Omit<DocumentSelection, 'topic'>,
): boolean {
  if (kind && detectKind(document) !== kind) return false
  if (genre && !isOfGenre(document, genre)) return false
  if (folder && !isInFolder(document, folder)) return false
  return !period || isDated(document, period)
}

const ANALYZER = new Analyzer()
/** Numbers, editions and remarks at the end of a name: `report-2024`, 报告（修订版）. */
const NAME_END = /(?:[(（[][^()（）[\]]*[)）\]]|[\s_-]*[\p{L}.]{0,2}\d\S*|[\s\p{P}])+$/u
const COMPLEMENT = /\s(?:of|on|for|about|between|to|from|with)\s.*$/iu

/** Compares the last words of title, file name and folder by their stems. */
function isOfGenre({ title, name, source }: Document, genre: string): boolean {
  const folder = source.split(/[/\\]/u).at(-2) ?? ''
  const wanted = ANALYZER.listTerms(genre).join(' ')
  const count = genre.split(' ').length
  return [title ?? '', name.replace(/\.\w{1,8}$/u, ''), folder].some(full => {
    const head = full.replace(/_/gu, ' ').replace(COMPLEMENT, '').replace(NAME_END, '')
    if (/\p{Script=Han}/u.test(genre)) return toSimplified(head).endsWith(genre)
    const last = head.split(/[\s-]+/u).slice(-count)
    return ANALYZER.listTerms(last.join(' ')).join(' ') === wanted
  })
}

function isInFolder({ source }: Document, folder: string): boolean {
  const path = source.toLowerCase().split(/[/\\]/u).slice(0, -1).join('/')
  const part = folder.toLowerCase().replace(/^[/\\]+|[/\\]+$/gu, '')
  return `/${path}/`.includes(`/${part}/`)
}

function isDated(document: Document, period: NonNullable<DocumentSelection['period']>): boolean {
  const { of, ...range } = period
  const own = findOwnDate(document)
  if (of === 'own') return own !== undefined && isInRange(own, range)
  if (of === 'added') return isInRange(getAddedDate(document), range)
  return isChanged(document, range)
}

function isInRange(day: string, { from, until }: DateRange): boolean {
  return (from === undefined || day >= from) && (until === undefined || day <= until)
}

/** Compares the change here, or the document's own date. */
function isChanged(document: Document, range: DateRange): boolean {
  const days = [getAddedDate(document), getIndexedDate(document), findOwnDate(document)]
  return days.some(day => day !== undefined && isInRange(day, range))
}

/** Returns the day of the last change that the document states. */
export function findOwnDate({ metadata }: Document): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/u.exec(metadata.modified ?? metadata.created ?? '')?.[0]
}

export function getAddedDate({ createdAt }: Document): string {
  return formatDay(new Date(createdAt))
}

export function getIndexedDate({ createdAt, indexedAt = createdAt }: Document): string {
  return formatDay(new Date(indexedAt))
}

/** Order of documents; the newest and oldest are by one of their dates. */
export type Sorting = { readonly order: DocumentOrder; readonly by?: DateKind | undefined }

/** Puts documents without a date of their own last. */
export function sortDocuments(
  documents: readonly ListedDocument[],
  { order, by = 'own' }: Sorting,
): readonly ListedDocument[] {
  const isDescending = order === 'newest' || order === 'longest' || order === 'largest'
  const measured = documents.map(one => ({ one, key: measure(one.document, order, by) }))
  const dated = measured.filter(({ key }) => key !== '')
  const sorted = dated.toSorted((a, b) => compareKeys(a.key, b.key) * (isDescending ? -1 : 1))
  return [...sorted, ...measured.filter(({ key }) => key === '')].map(({ one }) => one)
}

function measure(document: Document, order: DocumentOrder, by: DateKind): string | number {
  if (order === 'longest' || order === 'shortest') return document.tokens
  if (order === 'largest' || order === 'smallest') return document.bytes
  if (by === 'own') return findOwnDate(document) ?? ''
  return by === 'added' ? document.createdAt : (document.indexedAt ?? document.createdAt)
}

function compareKeys(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
