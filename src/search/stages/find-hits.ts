import { AppError } from '../../errors.ts'
import type { CollectionCache } from '../../ingest/store/catalog/searched-collections.ts'
import type { Library, PublishedPassage } from '../../ingest/store/library.ts'
import type { QueryScope } from '../query-scope.ts'
import { type Ranked, type Ranker, type RankQuery, readTitle } from '../rank/ranker.ts'
import { DEFAULT_MODE, type Hit, type Query, type SearchMode } from '../searcher.ts'
import type { Stage } from '../stage.ts'
import { toApplied } from '../synonyms/synonyms.ts'

/** Restarts after concurrent publications, so that a busy store cannot starve a search. */
const MAX_REPEATS = 3
/** Passages ranked per hit, so that enough remain after the limit per section. */
const SECTION_CANDIDATES = 1.5
/** Hits per section, so that one chapter does not fill the first page. */
const MAX_PER_SECTION = 2

/** Candidates whose texts may have a rare word; reading one costs a twentieth of asking the index. */
const FURTHER_TEXTS = 6

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
      const hits = await findFresh(deps, query, signal)
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

/** Searches again if another process's upkeep replaced files. */
async function findFresh(
  deps: FindHitsDeps,
  query: Query,
  signal?: AbortSignal,
): Promise<readonly Hit[]> {
  try {
    return await findCorrected(deps, query, signal)
  } catch (error) {
    const mayBeOutdated = !(error instanceof AppError) || error.code === 'store_mismatch'
    if (!mayBeOutdated || signal?.aborted) throw error
    await deps.scope.forget(query)
    return await findCorrected(deps, query, signal)
  }
}

/** Searches as written, and again if a word is missing, so that other searches cost no more. */
async function findCorrected(
  deps: FindHitsDeps,
  query: Query,
  signal?: AbortSignal,
): Promise<readonly Hit[]> {
  const scoped = await deps.scope.open(query, signal)
  if (!scoped) return []
  const { best, others } = await rankChunks(deps, query, scoped, signal)
  const written = await readHits(deps, best, signal)
  const corrected = await deps.scope.correct(scoped, {
    hits: written,
    async *readOthers() {
      for (const candidate of others) yield await readHits(deps, [candidate], signal)
    },
  })
  const hits =
    corrected === scoped
      ? written
      : await readHits(deps, (await rankChunks(deps, query, corrected, signal)).best, signal)
  const { corrections, synonyms = [], forms = [] } = corrected
  const described = corrections && (await deps.scope.describeCorrections(corrected, hits, signal))
  const wording = {
    ...(described && { corrected: described }),
    ...(synonyms.length > 0 && { synonyms: toApplied(synonyms) }),
    ...(forms.length > 0 && { forms: toApplied(forms) }),
  }
  return hits.map(hit => ({ ...hit, ...wording }))
}

type RankedChunks = { readonly best: readonly Ranked[]; readonly others: readonly Ranked[] }

async function rankChunks(
  { rankers }: FindHitsDeps,
  { mode = DEFAULT_MODE, selection, limit }: Query,
  scoped: RankQuery,
  signal?: AbortSignal,
): Promise<RankedChunks> {
  const isVaried = selection === 'varied'
  const candidates = isVaried ? Math.ceil(limit * SECTION_CANDIDATES) : limit
  const ranked = await rankers[mode].rank(scoped, candidates, signal)
  const candidateRows = ranked.slice(0, candidates)
  const best = isVaried ? limitSections(candidateRows).slice(0, limit) : candidateRows
  const bestRows = new Set(best)
  const others = ranked
    .filter(candidate => !bestRows.has(candidate))
    .toSorted((a, b) => (b.parts?.keyword ?? b.score) - (a.parts?.keyword ?? a.score))
  return { best, others: others.slice(0, FURTHER_TEXTS) }
}

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
