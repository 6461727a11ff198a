import { AppError } from '../../errors.ts'
import type { CollectionCache } from '../../ingest/store/catalog/searched-collections.ts'
import type { Library, PublishedPassage } from '../../ingest/store/library.ts'
import type { QueryScope } from '../query-scope.ts'
import { type Ranked, type Ranker, readTitle } from '../rank/ranker.ts'
import { DEFAULT_MODE, type Hit, type Query, type SearchMode } from '../searcher.ts'
import type { Stage } from '../stage.ts'
import { toApplied } from '../synonyms/synonyms.ts'

/** Restarts after concurrent publications, so that a busy store cannot starve a search. */
const MAX_REPEATS = 3
/** Passages ranked per hit, so that enough remain after the limit per section. */
const SECTION_CANDIDATES = 1.5
/** Hits per section, so that one chapter does not fill the first page. */
const MAX_PER_SECTION = 2

export type FindHitsDeps = {
  readonly collections: CollectionCache
  readonly library: Library
  readonly scope: QueryScope
  readonly rankers: Readonly<Record<SearchMode, Ranker>>
}

/**
 * Ranks chunks and reads the best. Repeats if documents were published meanwhile, which could
 * show one twice or never.
 */
export function findHits(deps: FindHitsDeps): Stage {
  return async (query, _find, signal) => {
    for (let repeat = 0; ; repeat++) {
      signal?.throwIfAborted()
      const before = await readEpochs(deps, query)
      const { ranked, ...wording } = await rankFresh(deps, query, signal)
      const found = await readHits(deps, ranked, signal)
      const hits = found.map(hit => ({ ...hit, ...wording }))
      if ((await readEpochs(deps, query)) === before || repeat >= MAX_REPEATS) return hits
    }
  }
}

async function readEpochs(
  { collections }: FindHitsDeps,
  { collectionIds }: Query,
): Promise<string> {
  const found = await Promise.all(collectionIds.map(id => collections.findById(id)))
  return found.map(collection => collection?.epoch ?? -1).join()
}

type RankedChunks = {
  readonly ranked: readonly Ranked[]
} & Pick<Hit, 'corrected' | 'synonyms' | 'forms'>

/** Ranks again if another process's upkeep replaced files. */
async function rankFresh(
  deps: FindHitsDeps,
  query: Query,
  signal?: AbortSignal,
): Promise<RankedChunks> {
  try {
    return await rankChunks(deps, query, signal)
  } catch (error) {
    const mayBeOutdated = !(error instanceof AppError) || error.code === 'store_mismatch'
    if (!mayBeOutdated || signal?.aborted) throw error
    await deps.scope.forget(query)
    return await rankChunks(deps, query, signal)
  }
}

async function rankChunks(
  { scope, rankers }: FindHitsDeps,
  query: Query,
  signal?: AbortSignal,
): Promise<RankedChunks> {
  const { mode = DEFAULT_MODE, selection, limit } = query
  const scoped = await scope.open(query, signal)
  if (!scoped) return { ranked: [] }
  const { corrections, synonyms = [], forms = [] } = scoped
  const wording = {
    ...(corrections && { corrected: corrections.corrected }),
    ...(synonyms.length > 0 && { synonyms: toApplied(synonyms) }),
    ...(forms.length > 0 && { forms: toApplied(forms) }),
  }
  if (selection !== 'varied')
    return { ranked: await rankers[mode].rank(scoped, limit, signal), ...wording }
  const ranked = await rankers[mode].rank(scoped, Math.ceil(limit * SECTION_CANDIDATES), signal)
  return { ranked: limitSections(ranked).slice(0, limit), ...wording }
}

/** Keeps the best of each heading path below the title. */
function limitSections(ranked: readonly Ranked[]): readonly Ranked[] {
  const counts = new Map<string, number>()
  return ranked.filter(candidate => {
    const title = readTitle(candidate)
    const path = candidate.headings.filter(heading => heading !== title)
    if (path.length === 0) return true
    const section = JSON.stringify([candidate.version, ...path])
    const count = (counts.get(section) ?? 0) + 1
    counts.set(section, count)
    return count <= MAX_PER_SECTION
  })
}

async function readHits(
  { library }: FindHitsDeps,
  ranked: readonly Ranked[],
  signal?: AbortSignal,
): Promise<readonly Hit[]> {
  await library.download(ranked, signal)
  const passages = await library.readPassages(ranked)
  return ranked.flatMap((candidate, index) => toHit(candidate, passages[index]) ?? [])
}

/** Undefined if the document was removed meanwhile. */
function toHit(ranked: Ranked, passage: PublishedPassage | undefined): Hit | undefined {
  if (!passage?.text) return undefined
  const { document, text } = passage
  return {
    score: ranked.score,
    ...(ranked.parts && { fused: ranked.parts }),
    ...(ranked.lift !== undefined && { lift: ranked.lift }),
    weak: ranked.weak,
    ...(ranked.isListing && { isListing: ranked.isListing }),
    chunkId: ranked.chunkId,
    documentId: document.id,
    fileId: document.fileId,
    collectionId: document.collectionId,
    source: document.source,
    name: document.name,
    title: document.title,
    ...(ranked.pages && { pages: ranked.pages }),
    headings: ranked.headings,
    charStart: ranked.charStart,
    charEnd: ranked.charEnd,
    text,
    context: ranked.context,
    ...(ranked.note && { note: ranked.note }),
    tokens: ranked.tokens,
    attributes: document.attributes,
    metadata: document.metadata,
  }
}
