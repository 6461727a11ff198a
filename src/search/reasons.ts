import {
  getMessages,
  type LocalizableMessage,
  localizable,
  type Sentence,
  withMessage,
} from '../errors/localizable.ts'
import { type ExplanationDeps, MAX_TERMS, RANKED_ROWS } from './explanation.ts'
import type { RankQuery, Scored } from './rank/ranker.ts'
import { WordingCheck } from './rank/wording.ts'
import type { Hit, LegPlace, Query } from './searcher.ts'

/** Passages checked per document; protects against very long ones. */
const MAX_READ = 2_000

/** Why an expected document is or is not among the hits. */
export type Reason = {
  readonly outcome: 'found' | 'copy' | 'not-indexed' | 'filtered' | 'wording' | 'no-match' | 'below'
  readonly message: string
  /** Best place per leg, among the first 1,000 rows. */
  readonly keyword?: LegPlace | undefined
  readonly vector?: LegPlace | undefined
  readonly missingTerms: readonly string[]
}

type Expected = {
  readonly query: Query
  readonly documentId: string
  readonly hits: readonly Hit[]
}

export async function findReason(
  deps: ExplanationDeps,
  { query, documentId, hits }: Expected,
  signal?: AbortSignal,
): Promise<Reason> {
  const { scope, library } = deps
  const document = await library.find(documentId)
  const name = document?.name ?? documentId
  const [version] = await library.listVersions([documentId])
  const scoped = await scope.openCorrected(query, signal)
  const omitRanks = (outcome: Reason['outcome'], message: LocalizableMessage): Reason =>
    withMessage({ outcome, missingTerms: [] }, message)
  if (version === undefined || !scoped) {
    const error = document?.error
    const message = error
      ? localizable`${name} is not indexed: ${getMessages(error).message} (${error.code})`
      : localizable`${name} is not indexed.`
    return omitRanks('not-indexed', message)
  }
  if (scoped.only.versions && !scoped.only.versions.includes(version)) {
    return omitRanks('filtered', localizable`${name} does not meet the filter, or is not named.`)
  }
  const places = await findPlaces(
    deps,
    scoped,
    { ...scoped, only: { ...scoped.only, versions: [version] } },
    signal,
  )
  const hit = findHit(documentId, hits)
  if (hit)
    return withMessage({ ...places, outcome: hit.outcome }, localizable`${name} is ${hit.place}`)
  const worded = await checkWording(deps, { query, documentId, hits })
  if (worded)
    return withMessage(
      { ...places, outcome: 'wording' },
      localizable`${name} is left out: ${worded}`,
    )
  if (!places.keyword && !places.vector) {
    const message = localizable`${name} contains none of the terms, and has no vectors or no such pages.`
    return withMessage({ ...places, outcome: 'no-match' }, message)
  }
  const message = localizable`${name} is below the ${hits.length} hits: ${renderPlaces(places)}.`
  return withMessage({ ...places, outcome: 'below' }, message)
}

/** Searches the document alone by `own`. */
async function findPlaces(
  { keyword, vector, analyzer }: ExplanationDeps,
  all: RankQuery,
  own: RankQuery,
  signal?: AbortSignal,
) {
  const terms = [...new Set(analyzer.listQueryTerms(own.text))].slice(0, MAX_TERMS)
  const missing = await Promise.all(
    terms.map(async term => (await own.index.findByKeyword([term], 1, own.only)).length === 0),
  )
  const findPlace = async (leg: typeof vector) => {
    const [best] = await leg.find(own, 1, signal)
    return best && toPlace(await leg.find(all, RANKED_ROWS, signal), best)
  }
  return {
    keyword: await findPlace(keyword),
    vector: await findPlace(vector),
    missingTerms: terms.filter((_, index) => missing[index]),
  }
}

async function checkWording(
  { analyzer, library }: ExplanationDeps,
  { query: { wording }, documentId, hits }: Expected,
): Promise<string | undefined> {
  if (!wording) return undefined
  const check = new WordingCheck(analyzer, wording)
  let read = 0
  let isStated = false
  let hasAllowedText = false
  for await (const { context, text, isExcluded } of library.readChunks(documentId)) {
    if (isExcluded) continue
    if (++read > MAX_READ) return undefined
    const fullText = `${context}\n\n${text}`
    const keeps = !check.hasExcluded(fullText)
    hasAllowedText ||= keeps
    isStated ||= keeps && check.hasAllPhrases(fullText)
  }
  if (!hasAllowedText) return 'all its passages contain what the query excludes.'
  // if none match, phrases are plain words and every hit is weak
  const hasPhraseMatch = hits.some(hit => !hit.weak)
  return isStated || !hasPhraseMatch
    ? undefined
    : 'none of its passages contains all quoted phrases.'
}

function findHit(
  documentId: string,
  hits: readonly Hit[],
): { readonly outcome: Reason['outcome']; readonly place: LocalizableMessage } | undefined {
  const index = hits.findIndex(hit => hit.documentId === documentId)
  if (index >= 0) return { outcome: 'found', place: localizable`hit ${index + 1}.` }
  const copy = hits.findIndex(hit => hit.copies?.some(copy => copy.documentId === documentId))
  return copy >= 0
    ? {
        outcome: 'copy',
        place: localizable`folded into hit ${copy + 1}, which has the same passage.`,
      }
    : undefined
}

/** Omits the rank below the first rows. */
function toPlace(all: readonly Scored[], { row, score }: Scored): LegPlace {
  const index = all.findIndex(scored => scored.row === row)
  return index >= 0 ? { rank: index + 1, score: all[index]!.score } : { score }
}

function renderPlaces({ keyword, vector }: Pick<Reason, 'keyword' | 'vector'>): LocalizableMessage {
  const describeLeg = (name: Sentence, found: LegPlace | undefined) =>
    found
      ? found.rank
        ? localizable`by ${name} its best passage is number ${found.rank}`
        : localizable`by ${name} its best passage is beyond number ${RANKED_ROWS}`
      : localizable`by ${name} it is not found`
  return localizable`${describeLeg(localizable`keyword`, keyword)}, ${describeLeg(localizable`vector`, vector)}`
}
