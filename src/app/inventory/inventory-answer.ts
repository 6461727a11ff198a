import type { Citation } from '../../answer/citations/citation.ts'
import { cite, selectUnchanged } from '../../answer/citations/citations.ts'
import { type Quote, quoteText } from '../../answer/quoting/selection.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { DocumentReader } from '../../ingest/store/document-reader.ts'
import { toPassage } from '../../search/passages/passage.ts'
import { formatDay } from '../../search/periods.ts'
import type { Hit } from '../../search/searcher.ts'
import { splitSentences } from '../../text/sentences.ts'
import { Terms } from '../../text/terms.ts'
import { findOwnDate } from './document-dates.ts'
import {
  countByGroup,
  describeCounts,
  type Grouping,
  type NamedCollection,
} from './document-groups.ts'
import {
  type DocumentList,
  type InventoryScope,
  type ListedDocument,
  listTopics,
  selectDocuments,
  sortDocuments,
} from './document-list.ts'
import type { DocumentOrder } from './inventory-grammar.ts'
import {
  describeAddedOrder,
  describeCount,
  describeDocument,
  describeLeftOut,
  describeMoreDocuments,
  describeOrder,
  describeUndated,
  describeUndetermined,
} from './inventory-phrases.ts'
import type { DocumentSelection, InventoryQuestion } from './inventory-question.ts'

export type CatalogDeps = InventoryScope & {
  readonly reader: DocumentReader
  readonly getLabels: (
    documents: readonly ListedDocument['document'][],
  ) => Promise<ReadonlyMap<string, string>>
}

export type InventoryAnswer = {
  readonly text: string
  readonly citations: readonly Citation[]
  readonly hits: readonly Hit[]
}

/** Two months: "since last month" may reach back before the first document. */
const MAX_BEFORE_MS = 62 * 24 * 60 * 60 * 1000
/** Documents named, so that an answer stays readable. */
const MAX_LISTED = 50
/** A guess: one document may be about rules that are counted in it. */
const MIN_NAMED = 2
/** Documents quoted, so that a summary fits one screen or two. */
const MAX_QUOTED = 10
/** Characters of a quotation, so that it stays shorter than the list around it. */
const QUOTE_CHARS = { list: 200, summary: 600 }

/** Returns undefined if no document fits: the question may be about something else. */
export async function answerFromCatalog(
  question: InventoryQuestion,
  deps: CatalogDeps,
  signal?: AbortSignal,
): Promise<InventoryAnswer | undefined> {
  const selection = completeSelection(question)
  const needsDates = isOrder(question.wants) || question.groupBy === 'years'
  const list = await selectDocuments({ ...selection, needsDates }, deps, signal)
  const { topic } = selection
  if (isElsewhere(question, selection, list)) return undefined
  if (question.wants === 'changes' && isBeforeCollection(selection, await deps.listDocuments()))
    return undefined
  const { wants } = question
  const groups = await groupDocuments(list, question, {
    collections: await deps.listCollections(),
    translate: deps.translate,
  })
  if (!groups) return undefined
  const listing = isOrder(wants)
    ? orderDocuments(list, wants, question)
    : listDocuments(list, question, groups)
  const length = wants === 'summary' ? QUOTE_CHARS.summary : QUOTE_CHARS.list
  const topics = topic === undefined ? [] : listTopics(topic, deps)
  const quotes = await quoteTopic(listing.documents.slice(0, MAX_QUOTED), topics, { deps, length })
  const labels = await deps.getLabels(listing.documents.map(({ document }) => document))
  const omitted = isOrder(wants)
    ? (listing.omitted ?? 0)
    : list.matching.length - listing.documents.length
  const text = writeAnswer(question, { ...listing, omitted, quotes, labels })
  const references = [...quotes.values()].map(({ passage, span }, index) => ({
    marker: index + 1,
    passage,
    span,
    support: 'stated' as const,
  }))
  const hits = list.matching.flatMap(({ hit }) => hit ?? []).slice(0, MAX_LISTED)
  return { text, citations: await cite(deps.reader, references, signal), hits }
}

function isElsewhere(
  question: InventoryQuestion,
  { kind, genre, topic, excluded }: DocumentSelection,
  { total, matching, leftOut }: DocumentList,
): boolean {
  const isOpen = [kind, genre, topic].some(condition => condition !== undefined)
  if (total === 0 || (isOpen && matching.length === 0)) return true
  if (excluded?.some(one => one.genre) && leftOut === 0) return true
  return isByNameOnly(question) && matching.length < MIN_NAMED
}

/** "How many rules are there?" may ask what a document called "Rules" states. */
function isByNameOnly({ wants, selection }: InventoryQuestion): boolean {
  const { genre, ...conditions } = selection
  return genre !== undefined && !isOrder(wants) && Object.keys(conditions).length === 0
}

type Writing = Listing & {
  readonly omitted: number
  readonly quotes: ReadonlyMap<string, Quote>
  readonly labels: ReadonlyMap<string, string>
}

function writeAnswer(question: InventoryQuestion, writing: Writing): string {
  const { language, wants } = question
  const { documents, quotes, omitted, labels } = writing
  const isQuoted = ({ document }: ListedDocument) => quotes.has(document.id)
  const isSummary = wants === 'summary'
  const listed = isSummary ? documents.filter(isQuoted) : documents
  const unquoted = isSummary ? documents.filter(document => !isQuoted(document)) : []
  const names = unquoted.map(({ document }) => nameDocument(document, labels))
  return [
    writing.headline,
    ...listed.map(({ document }) => writeLine(document, question, writing)),
    ...(names.length > 0 ? [describeLeftOut(language, names, omitted)] : []),
    ...(names.length === 0 && omitted > 0 ? [describeMoreDocuments(language, omitted)] : []),
    ...(writing.note ? [writing.note] : []),
  ].join('\n')
}

function writeLine(
  document: Document,
  { language, wants, by, selection }: InventoryQuestion,
  { quotes, labels }: Writing,
): string {
  const label = nameDocument(document, labels)
  const dateKind = by ?? selection.period?.of
  const line = `- ${describeDocument(document, { language, wants, by: dateKind, label })}`
  const quote = quotes.get(document.id)
  if (!quote) return line
  const marker = [...quotes.keys()].indexOf(document.id) + 1
  return `${line}\n  ${quoteText(quote, language).replace(/\s*\n\s*/gu, ' ')} [${marker}]`
}

function nameDocument({ source, name }: Document, labels: ReadonlyMap<string, string>): string {
  return labels.get(source) ?? name
}

function completeSelection({ wants, selection }: InventoryQuestion): DocumentSelection {
  if (wants !== 'changes' || !selection.period) return selection
  const { of, ...range } = selection.period
  return { ...selection, period: { ...range, of: of === 'own' ? 'changed' : of } }
}

/** "What changed since 2019?" is about contents if the collection is newer. */
function isBeforeCollection(
  { period }: DocumentSelection,
  documents: readonly Document[],
): boolean {
  if (period?.from === undefined) return false
  const first = Math.min(...documents.map(({ createdAt }) => createdAt))
  return period.from < formatDay(new Date(first - MAX_BEFORE_MS))
}

type Listing = {
  readonly headline: string
  readonly omitted?: number
  readonly documents: readonly ListedDocument[]
  readonly note?: string
}

type GroupNames = Pick<CatalogDeps, 'translate'> & {
  readonly collections: readonly NamedCollection[]
}

/** Returns undefined if no document has the attribute. */
async function groupDocuments(
  { matching }: DocumentList,
  { language, groupBy }: InventoryQuestion,
  { collections, translate }: GroupNames,
): Promise<string | undefined> {
  const isAttribute = typeof groupBy === 'object'
  const grouping: Grouping = isAttribute
    ? { attributes: listTopics(groupBy.attribute, { translate }) }
    : (groupBy ?? 'kinds')
  const documents = matching.map(({ document }) => document)
  const counts = await countByGroup(documents, grouping, collections)
  const { groups, list } = describeCounts(language, counts, grouping)
  if (isAttribute && groups === '') return undefined
  if (documents.length === 0) return { zh: '。', en: '.' }[language]
  const named = groupBy ? groups : ''
  if (language === 'zh') return `${named && `，涉及 ${named}`}：${list}`
  return `${named && ` ${named}`}: ${list}`
}

function listDocuments(
  { total, matching, undated, undetermined }: DocumentList,
  question: InventoryQuestion,
  groups: string,
): Listing {
  const { language } = question
  const counts = { total, matching: matching.length }
  const notes = [
    ...(undated > 0 ? [describeUndated(language, undated)] : []),
    ...(undetermined > 0 ? [describeUndetermined(language, undetermined)] : []),
  ]
  return {
    headline: describeCount(language, counts, completeSelection(question)) + groups,
    documents: matching.slice(0, MAX_LISTED),
    ...(notes.length > 0 && { note: notes.join('\n') }),
  }
}

function orderDocuments(
  { matching }: DocumentList,
  order: DocumentOrder,
  { language, by = 'own', limit = 1, isSorted }: InventoryQuestion,
): Listing {
  const count = isSorted ? MAX_LISTED : limit
  const toOmitted = (all: number) => (isSorted ? Math.max(0, all - MAX_LISTED) : 0)
  const isByDate = (order === 'newest' || order === 'oldest') && by === 'own'
  const dated = isByDate ? matching.filter(({ document }) => findOwnDate(document)) : matching
  if (isByDate && dated.length === 0) {
    const documents = sortDocuments(matching, { order, by: 'added' }).slice(0, count)
    const omitted = toOmitted(matching.length)
    return { headline: describeAddedOrder(language, order), documents, omitted }
  }
  const undated = matching.length - dated.length
  return {
    headline: describeOrder(language, { order, by }),
    documents: sortDocuments(dated, { order, by }).slice(0, count),
    omitted: toOmitted(dated.length),
    ...(undated > 0 && { note: describeUndated(language, undated) }),
  }
}

function isOrder(wants: InventoryQuestion['wants']): wants is DocumentOrder {
  return !['count', 'list', 'changes', 'summary'].includes(wants)
}

type Quoting = { readonly deps: Pick<CatalogDeps, 'reader'>; readonly length: number }

async function quoteTopic(
  documents: readonly ListedDocument[],
  topics: readonly string[],
  { deps, length }: Quoting,
): Promise<ReadonlyMap<string, Quote>> {
  const quotes = documents.flatMap(({ hit }, index) =>
    hit ? [quoteHit(hit, index + 1, { topics, length })] : [],
  )
  const unchanged = await selectUnchanged(deps.reader, quotes)
  return new Map(unchanged.map(quote => [quote.passage.documentId, quote]))
}

const terms = new Terms()

function quoteHit(
  hit: Hit,
  id: number,
  { topics, length }: { readonly topics: readonly string[]; readonly length: number },
): Quote {
  const passage = toPassage([hit], id)
  const spans = splitSentences(passage.text)
  const topicTerms = terms.extract(topics.join('\n'))
  const shared = spans.map(({ start, end }) => {
    const spanTerms = new Set(terms.extract(passage.text.slice(start, end)))
    return [...topicTerms].filter(term => spanTerms.has(term)).length
  })
  const first = Math.max(0, shared.indexOf(Math.max(...shared)))
  const start = spans[first]?.start ?? 0
  const last = spans.slice(first).findLast(({ end }) => end - start <= length) ?? spans[first]
  return { passage, span: { start, end: last?.end ?? passage.text.length } }
}

export async function describeUncited(
  { language, selection }: InventoryQuestion,
  cited: ReadonlySet<string>,
  deps: CatalogDeps,
  signal?: AbortSignal,
): Promise<string> {
  const { matching } = await selectDocuments(selection, deps, signal)
  const uncited = matching.filter(({ document }) => !cited.has(document.id))
  if (uncited.length === 0) return ''
  const named = uncited.slice(0, MAX_LISTED).map(({ document }) => document)
  const labels = await deps.getLabels(named)
  const names = named.map(document => nameDocument(document, labels))
  return describeLeftOut(language, names, uncited.length - named.length)
}
