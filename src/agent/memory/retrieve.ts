import { areAllWeak, type Hit } from '../../search/searcher.ts'
import type { Language } from '../../text/language.ts'
import type { KnowledgeBase, KnowledgeMode, ResolvedFiles } from './knowledge-base.ts'

export const NOTHING_FOUND: Readonly<Record<Language, string>> = {
  zh: '文档中没有与此相关的内容。',
  en: 'The documents hold nothing that bears on this.',
}

export type RetrievalLimits = {
  readonly topK?: number | undefined
  readonly maxTokens?: number | undefined
  /** Comparable within one kind of search only. */
  readonly minScore?: number | undefined
  readonly mode?: KnowledgeMode | undefined
  /** Puts the beginning of a single document first. */
  readonly frontFirst?: boolean | undefined
}

type RetrieveOptions = RetrievalLimits &
  Pick<ResolvedFiles, 'documents'> & {
    readonly knowledge: KnowledgeBase
    /** Other texts, whose hits are fused with those of the text. */
    readonly beside?: readonly string[] | undefined
    readonly signal?: AbortSignal | undefined
  }

/** Chunks at the beginning, and tokens per chunk, as in Qwen-Agent, so that results compare. */
const FRONT_CHUNKS = 2
const FRONT_SHARE = 1 / 4

/** Cuts the best hit if none fits. Empty if all are near to chance. */
export async function retrieve(text: string, options: RetrieveOptions): Promise<readonly Hit[]> {
  const { topK = 20, maxTokens = 20_000 } = options
  if (options.documents.length === 0) return []
  const front = await findFront(text, options, maxTokens * FRONT_SHARE)
  const inFront = new Set(front.map(hit => hit.chunkId))
  const texts = [text, ...(options.beside ?? [])]
  const found = interleaveHits(await Promise.all(texts.map(each => find(each, options, topK))))
  let remainingTokens = maxTokens
  const fitting = [...front, ...found.filter(hit => !inFront.has(hit.chunkId))].filter(hit => {
    const fits = hit.tokens <= remainingTokens
    if (fits) remainingTokens -= hit.tokens
    return fits
  })
  if (fitting.length > 0) return fitting.slice(0, topK)
  const [best] = [...front, ...found]
  return best ? [cutHit(best, maxTokens)] : []
}

function cutHit(hit: Hit, maxTokens: number): Hit {
  const text = hit.text.slice(0, Math.floor(hit.text.length * (maxTokens / hit.tokens)))
  return { ...hit, text, tokens: maxTokens, charEnd: hit.charStart + text.length }
}

async function find(
  text: string,
  options: RetrieveOptions,
  limit: number,
): Promise<readonly Hit[]> {
  const {
    knowledge,
    documents,
    mode = 'hybrid',
    minScore = Number.NEGATIVE_INFINITY,
    signal,
  } = options
  const hits = await knowledge.search({ text, mode, documents, limit }, signal)
  if (mode !== 'front-page' && areAllWeak(hits)) return []
  return hits.filter(hit => hit.score >= minScore)
}

async function findFront(
  text: string,
  options: RetrieveOptions,
  maxTokens: number,
): Promise<readonly Hit[]> {
  const { knowledge, documents, frontFirst = false, signal } = options
  if (!frontFirst || documents.length !== 1) return []
  const hits = await knowledge.search(
    { text, mode: 'front-page', documents, limit: FRONT_CHUNKS },
    signal,
  )
  const inOrder = hits.toSorted((a, b) => a.charStart - b.charStart)
  const tooLong = inOrder.findIndex(hit => hit.tokens > maxTokens)
  return tooLong < 0 ? inOrder : inOrder.slice(0, tooLong)
}

/** Takes each passage once. */
export function interleaveHits(searches: readonly (readonly Hit[])[]): readonly Hit[] {
  const longest = Math.max(0, ...searches.map(hits => hits.length))
  const ranks = Array.from({ length: longest }, (_, rank) =>
    searches.flatMap(hits => hits[rank] ?? []),
  )
  return [...new Map(ranks.flat().map(hit => [hit.chunkId, hit])).values()]
}
