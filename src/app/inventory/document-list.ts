import type { Document } from '../../ingest/store/catalog/document.ts'
import { formatDay } from '../../search/periods.ts'
import { type Hit, MAX_HITS, measureLikelihood } from '../../search/searcher.ts'
import { Analyzer } from '../../text/analyzer.ts'
import { toSimplified } from '../../text/simplified.ts'
import { findFileDate, findOwnDate, readOwnDates } from './document-dates.ts'
import type { NamedCollection } from './document-groups.ts'
import { detectKind } from './document-kinds.ts'
import { getLanguageTag } from './document-languages.ts'
import type { DocumentOrder } from './inventory-grammar.ts'
import type {
  DateKind,
  DateRange,
  DocumentConditions,
  DocumentSelection,
} from './inventory-question.ts'

export type InventoryScope = {
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
  /** Returns translations. */
  readonly translate: (text: string) => readonly string[]
  readonly listCollections: () => Promise<readonly NamedCollection[]>
}

export type ListedDocument = { readonly document: Document; readonly hit?: Hit }

export type DocumentList = {
  readonly total: number
  /** Number of documents that only the excluded conditions leave out. */
  readonly leftOut: number
  /** Most relevant first with a topic, else by source. */
  readonly matching: readonly ListedDocument[]
  /** Number of documents without the requested date. */
  readonly undated: number
  /** Number of documents too short to tell their language. */
  readonly undetermined: number
}

/** Searches for one topic, so that a common word in a huge collection ends. */
const MAX_SEARCHES = 20

/** Minimum confidence of a passage about the topic: more likely than not. */
const MIN_CONFIDENCE = 0.5

export async function selectDocuments(
  { topic, needsDates, excluded = [], ...stated }: DocumentSelection & { needsDates?: boolean },
  scope: InventoryScope,
  signal?: AbortSignal,
): Promise<DocumentList> {
  const all = await scope.listDocuments()
  const conditions = addGenres(stated, scope)
  const negated = excluded.map(one => addGenres(one, scope))
  if (needsDates || [conditions, ...negated].some(({ period }) => period?.of === 'own'))
    await readOwnDates(all, signal)
  const met = all.filter(document => meetsConditions(document, conditions))
  const search = { scope, isEvery: met.length === all.length, signal }
  const candidates = await leaveOut(met, negated, search)
  const counts = {
    total: all.length,
    undated: countUndated(all, conditions, negated),
    undetermined: countUndetermined(all, conditions, negated),
    leftOut: met.length - candidates.length,
  }
  if (topic === undefined || candidates.length === 0)
    return { ...counts, matching: candidates.map(document => ({ document })) }
  const isEvery = candidates.length === all.length
  const matching = await findAbout(listTopics(topic, scope), candidates, { ...search, isEvery })
  return { ...counts, matching }
}

function addGenres(
  { genre, ...conditions }: DocumentConditions,
  { translate }: InventoryScope,
): Conditions {
  return { ...conditions, genres: genre === undefined ? [] : [genre, ...translate(genre)] }
}

/** Leaves out documents of unknown date or language, too. */
async function leaveOut(
  documents: readonly Document[],
  negated: readonly Conditions[],
  search: TopicSearch,
): Promise<readonly Document[]> {
  let rest = documents
  for (const one of negated) {
    if (one.topic === undefined) {
      rest = rest.filter(document => isDecided(document, one) && !meetsConditions(document, one))
      continue
    }
    const isEvery = search.isEvery && rest.length === documents.length
    const topics = listTopics(one.topic, search.scope)
    const about = await findAbout(topics, rest, { ...search, isEvery })
    const ids = new Set(about.map(({ document }) => document.id))
    rest = rest.filter(({ id }) => !ids.has(id))
  }
  return rest
}

function isDecided(document: Document, { language, period }: Conditions): boolean {
  if (language !== undefined && !getLanguageTag(document)) return false
  return period?.of !== 'own' || findOwnDate(document) !== undefined
}

export function listTopics(topic: string, { translate }: Pick<InventoryScope, 'translate'>) {
  return [topic, ...translate(topic)]
}

type Conditions = Omit<DocumentConditions, 'genre'> & {
  /** Alternatives; any if empty. */
  readonly genres: readonly string[]
}

function countUndated(
  documents: readonly Document[],
  { period, ...conditions }: Conditions,
  negated: readonly Conditions[],
): number {
  if (![{ period }, ...negated].some(one => one.period?.of === 'own')) return 0
  const others = period?.of === 'own' ? conditions : { ...conditions, period }
  return documents.filter(one => meetsConditions(one, others) && !findOwnDate(one)).length
}

function countUndetermined(
  documents: readonly Document[],
  { language, ...conditions }: Conditions,
  negated: readonly Conditions[],
): number {
  if (![{ language }, ...negated].some(one => one.language !== undefined)) return 0
  return documents.filter(one => meetsConditions(one, conditions) && !getLanguageTag(one)).length
}

type TopicSearch = {
  readonly scope: InventoryScope
  readonly isEvery: boolean
  readonly signal: AbortSignal | undefined
}

async function findAbout(
  topics: readonly string[],
  candidates: readonly Document[],
  search: TopicSearch,
): Promise<readonly ListedDocument[]> {
  const found = new Map<string, ListedDocument>()
  for (const topic of topics) {
    const rest = candidates.filter(({ id }) => !found.has(id))
    const isEvery = search.isEvery && rest.length === candidates.length
    if (rest.length === 0) break
    for (const one of await findAboutTopic(topic, rest, { ...search, isEvery }))
      found.set(one.document.id, one)
  }
  return [...found.values()]
}

async function findAboutTopic(
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
  { kind, genres, folder, language, period }: Conditions,
): boolean {
  if (kind && detectKind(document) !== kind) return false
  if (language && getLanguageTag(document) !== language) return false
  if (genres.length > 0 && !genres.some(genre => isOfGenre(document, genre))) return false
  if (folder && !isInFolder(document, folder)) return false
  return !period || isDated(document, period)
}

const ANALYZER = new Analyzer()
/** Characters of a name, so that long titles stay cheap. */
const MAX_NAME_CHARS = 200
const COMPLEMENT = /\s(?:of|on|for|about|between|to|from|with)\s.*$/iu
const REMARK = /[(（[][^()（）[\]]*[)）\]]\s*$/u
const DATE_END = /\d[\d年月日]*$/u

function isOfGenre({ title, name, source }: Document, genre: string): boolean {
  const folder = source.split(/[/\\]/u).at(-2) ?? ''
  const genreTerms = ANALYZER.listTerms(genre).join(' ')
  const count = genre.split(/[\s-]+/u).length
  return [title ?? '', name.replace(/\.\w{1,8}$/u, ''), folder].some(full => {
    const last = listNameWords(full).slice(-count)
    if (/\p{Script=Han}/u.test(genre)) return toSimplified(last.at(-1) ?? '').endsWith(genre)
    return ANALYZER.listTerms(last.join(' ')).join(' ') === genreTerms
  })
}

/** Leaves out the end that states a number, an edition or a complement: `report Q3 2024`. */
function listNameWords(name: string): readonly string[] {
  const head = name.slice(0, MAX_NAME_CHARS).replace(REMARK, '').replace(COMPLEMENT, '')
  const words = (head.match(/[\p{L}\p{N}]+/gu) ?? []).map(word =>
    /\p{Script=Han}/u.test(word) ? word.replace(DATE_END, '') : word,
  )
  const last = words.findLastIndex(word => word !== '' && !/^\w*\d\w*$/u.test(word))
  return words.slice(0, last + 1)
}

function isInFolder({ source }: Document, folder: string): boolean {
  const path = source.toLowerCase().split(/[/\\]/u).slice(0, -1).join('/')
  const part = folder.toLowerCase().replace(/^[/\\]+|[/\\]+$/gu, '')
  return `/${path}/`.includes(`/${part}/`)
}

function isDated(document: Document, period: NonNullable<DocumentSelection['period']>): boolean {
  const { of, ...range } = period
  if (of === 'own') {
    const own = findOwnDate(document)
    return own !== undefined && isInRange(own.from, range) && isInRange(own.until, range)
  }
  if (of === 'added') return isInRange(getAddedDate(document), range)
  return isChanged(document, range)
}

function isInRange(day: string, { from, until }: DateRange): boolean {
  return (from === undefined || day >= from) && (until === undefined || day <= until)
}

/** Compares the change here, or the document's own date. */
function isChanged(document: Document, range: DateRange): boolean {
  const days = [getAddedDate(document), getIndexedDate(document), findFileDate(document)]
  return days.some(day => day !== undefined && isInRange(day, range))
}

export function getAddedDate({ createdAt }: Document): string {
  return formatDay(new Date(createdAt))
}

export function getIndexedDate({ createdAt, indexedAt = createdAt }: Document): string {
  return formatDay(new Date(indexedAt))
}

export type Sorting = { readonly order: DocumentOrder; readonly by?: DateKind | undefined }

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
  if (by === 'own') return findOwnDate(document)?.formatted ?? ''
  return by === 'added' ? document.createdAt : (document.indexedAt ?? document.createdAt)
}

function compareKeys(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
