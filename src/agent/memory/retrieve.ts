import { areAllWeak, type Hit } from '../../search/searcher.ts'
import type { Language } from '../../text/language.ts'
import type { KnowledgeBase, KnowledgeMode, ResolvedFiles } from './knowledge-base.ts'

/** For a model whose search was in vain. */
export const NOTHING_FOUND: Readonly<Record<Language, string>> = {
  zh: '文档中没有与此相关的内容。',
  en: 'The documents hold nothing that bears on this.',
}

/** How passages are looked for, and how many of them are taken. */
export type RetrievalLimits = {
  /** Hits, at most. */
  readonly topK?: number | undefined
  /** Tokens of all hits, at most. */
  readonly maxTokens?: number | undefined
  /** Hits below are left out; scores are comparable within one kind of search only. */
  readonly minScore?: number | undefined
  /** Hybrid by default. */
  readonly mode?: KnowledgeMode | undefined
  /** Put the beginning of a document before what is found in it, where it is the only one. */
  readonly frontFirst?: boolean | undefined
}

type RetrieveOptions = RetrievalLimits &
  Pick<ResolvedFiles, 'documents'> & {
    readonly knowledge: KnowledgeBase
    readonly signal?: AbortSignal | undefined
  }

/** Chunks that begin a document, and the share of all tokens that each of them may take: as in Qwen-Agent. */
const FRONT_CHUNKS = 2
const FRONT_SHARE = 1 / 4

/**
 * The best hits within the limits; one that does not fit is passed over and the next one tried, and where none fits the
 * best is cut. Where every hit is too near to chance to be trusted, there are none.
 */
export async function retrieve(text: string, options: RetrieveOptions): Promise<readonly Hit[]> {
  const { topK = 20, maxTokens = 20_000 } = options
  if (options.documents.length === 0) return []
  const front = await findFront(text, options, maxTokens * FRONT_SHARE)
  const inFront = new Set(front.map(hit => hit.chunkId))
  const found = await find(text, options, topK)
  let left = maxTokens
  const fitting = [...front, ...found.filter(hit => !inFront.has(hit.chunkId))].filter(hit => {
    const fits = hit.tokens <= left
    if (fits) left -= hit.tokens
    return fits
  })
  if (fitting.length > 0) return fitting.slice(0, topK)
  const [best] = [...front, ...found]
  return best ? [cutHit(best, maxTokens)] : []
}

/** A beginning of it: where the best hit alone is more than there is room for, a part of it says more than nothing. */
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

/** The beginning of the one document, as far as it is small beside what there is room for. */
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
