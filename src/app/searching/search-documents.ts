import { localizable, type Sentence, withMessage } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { Warning } from '../../ingest/parse/parser.ts'
import { type Collection, NO_EMBEDDER } from '../../ingest/store/catalog/collections.ts'
import type { Documents } from '../../ingest/store/catalog/documents.ts'
import type { Filter } from '../../search/filter.ts'
import { checkFilter } from '../../search/filter-text.ts'
import { readQueryText } from '../../search/rank/wording.ts'
import { findReason, type Reason } from '../../search/reasons.ts'
import {
  DEFAULT_MODE,
  type Hit,
  type HitSelection,
  type HybridWeights,
  MAX_HITS,
  type Query,
  type SearchMode,
} from '../../search/searcher.ts'
import { MAX_SEARCHED_CHARS } from '../../text/keywords.ts'
import { listFilterWarnings } from '../documents/filter-warnings.ts'
import { Scope } from '../documents/scope.ts'
import { findPendingWarnings } from './pending.ts'
import type { Searching } from './searching.ts'

export type SearchOptions = {
  /** Words, `"a phrase"`, `-word` and `-"a phrase"`. */
  readonly query: string
  /** Names or ids; by default the default collection. */
  readonly collections?: readonly string[] | undefined
  readonly documents?: readonly string[] | undefined
  /** Expression, or text such as `author=Ada and year>=2020`. */
  readonly filter?: Filter | string | undefined
  /** From 1, inclusive. */
  readonly pages?: readonly [number, number] | undefined
  readonly mode?: SearchMode | undefined
  readonly weights?: HybridWeights | undefined
  /** Ranks the best hits again: better, up to a second slower. */
  readonly precise?: boolean | undefined
  readonly explain?: boolean | undefined
  readonly limit?: number | undefined
  readonly signal?: AbortSignal | undefined
}

const DEFAULT_HITS = 10
const MAX_PAGE = 2 ** 31 - 1

type SearchDeps = Pick<Searching, 'searcher' | 'explanation' | 'filtered' | 'lookup' | 'pending'>

export class SearchDocuments {
  readonly #scope: Scope
  readonly #searching: SearchDeps
  readonly #use: (collection: Collection) => Promise<void>

  constructor(
    documents: Documents,
    searching: SearchDeps,
    use: (collection: Collection) => Promise<void>,
  ) {
    this.#scope = new Scope(searching.lookup, documents)
    this.#searching = searching
    this.#use = use
  }

  async run(options: SearchOptions, selection: HitSelection = 'varied'): Promise<readonly Hit[]> {
    const query = await this.#query(options, selection)
    return await this.#searching.searcher.search(query, options.signal)
  }

  async explainDocument(reference: string, options: SearchOptions): Promise<Reason> {
    const document = await this.#scope.findDocument(
      reference,
      await this.#scope.findCollections(options.collections),
    )
    const query = await this.#query({ ...options, explain: false }, 'varied')
    const hits = await this.#searching.searcher.search(query, options.signal)
    return await findReason(
      this.#searching.explanation,
      { query, documentId: document.id, hits },
      options.signal,
    )
  }

  async listWarnings(
    options: Pick<SearchOptions, 'filter' | 'collections' | 'mode'>,
  ): Promise<readonly Warning[]> {
    const collections = await this.#scope.findCollections(options.collections)
    const vectorless =
      options.mode === 'vector' ? collections.filter(hasNoModel).map(createNoVectorsWarning) : []
    const ids = collections.map(({ id }) => id).join()
    const pending = await this.#searching.pending.get(
      ids,
      async () => await this.#scope.countPending(collections),
    )
    const general = [
      ...vectorless,
      ...(await findPendingWarnings(pending, collections, this.#scope)),
    ]
    if (options.filter === undefined) return general
    const filter = checkFilter(options.filter)
    const names = (
      await Promise.all(
        collections.map(async ({ id }) => [
          ...(await this.#searching.filtered.listAttributeNames(id, filter)),
        ]),
      )
    ).flat()
    return [...general, ...listFilterWarnings(filter, new Set(names))]
  }

  async #query(
    {
      query,
      documents,
      filter,
      pages,
      mode = DEFAULT_MODE,
      precise,
      explain,
      weights,
      limit = DEFAULT_HITS,
      ...where
    }: SearchOptions,
    selection: HitSelection,
  ): Promise<Query> {
    requireShort(query, 'The query')
    if (!(limit >= 1 && limit <= MAX_HITS))
      throw createInvalid(localizable`${limit} hits: choose 1 to ${MAX_HITS}.`)
    const collections = await this.#scope.findCollections(where.collections)
    if (query.trim() === '' && mode !== 'front-page')
      throw createInvalid('The query is empty: give it at least one word.')
    for (const collection of collections) await this.#use(collection)
    return {
      ...readQueryText(query),
      collectionIds: collections.map(collection => collection.id),
      documentIds: documents && (await this.#scope.findDocumentIds(documents, collections)),
      filter: filter === undefined ? undefined : checkFilter(filter),
      pages: pages && checkPages(pages),
      mode,
      precise,
      explain,
      weights: weights && checkWeights(weights),
      selection,
      limit,
    }
  }
}

function hasNoModel({ embedderId }: Collection): boolean {
  return embedderId === NO_EMBEDDER
}

function createNoVectorsWarning({ name }: Collection): Warning {
  const message = localizable`${name} has no vectors: search it by keyword.`
  const advice = localizable`To add vectors, run passim collections re-embed ${name} --embedder ID.`
  return withMessage({ code: 'no_vectors' }, message, advice)
}

function checkPages([first, last]: readonly [number, number]): readonly [number, number] {
  const isRange =
    Number.isInteger(first) &&
    Number.isInteger(last) &&
    first >= 1 &&
    first <= last &&
    last <= MAX_PAGE
  if (!isRange)
    throw createInvalid(
      localizable`Pages ${first} to ${last}: give the first and the last page, counted from 1.`,
    )
  return [first, last]
}

export function checkWeights({ keyword, vector }: HybridWeights): HybridWeights {
  const areWeights =
    keyword >= 0 && vector >= 0 && Number.isFinite(keyword + vector) && keyword + vector > 0
  if (!areWeights)
    throw createInvalid(
      localizable`Weights ${keyword} and ${vector}: give two that are not negative, one of them above 0.`,
    )
  return { keyword, vector }
}

function createInvalid(message: Sentence): AppError {
  return new AppError('invalid_input', message)
}

function requireShort(text: string, what: string): void {
  if (text.length <= MAX_SEARCHED_CHARS) return
  throw new AppError(
    'invalid_input',
    localizable`${what} has ${text.length} characters: at most ${MAX_SEARCHED_CHARS} can be searched for.`,
    { about: text },
  )
}
