import type { Embedder } from '../ingest/embed/embedder.ts'
import { dot } from '../ingest/embed/vector.ts'
import { detectLanguage, LANGUAGES, type Language } from '../text/language.ts'
import { toSimplified } from '../text/simplified.ts'
import type { MeanPriors } from './language-means.ts'
import type { Sentence, SentenceVectors } from './rerankers/sentence-vectors.ts'

type Nearness = {
  readonly cosines: readonly number[]
  /** Expected cosine of unrelated text. */
  readonly unrelated: Readonly<Partial<Record<Language, number>>>
}

/** Typical cosine with the shipped model, so that features stay near 0 to 1. */
const USUAL_COSINE = 0.8

/** Converts to tenths above the typical cosine. */
export function toCosineFeature(cosine: number): number {
  return 10 * (cosine - USUAL_COSINE)
}

export interface Meaning {
  measureNearness(
    text: string,
    sentences: readonly Sentence[],
    signal?: AbortSignal,
  ): Promise<Nearness>
  /** Returns log-odds of a cross-encoder per statement; undefined without one. */
  estimateAnswerOdds?(
    text: string,
    statements: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly number[] | undefined>
  /** Marks greetings, thanks and offers; none without priors. */
  areSmallTalk(sentences: readonly string[], signal?: AbortSignal): Promise<readonly boolean[]>
}

/** Direction from statements to small talk, and the minimum along it. */
export type SmallTalkPriors = Readonly<
  Partial<Record<Language, { readonly direction: Float32Array; readonly minimum: number }>>
>

/** Uses an embedder's vectors. Both sides are read in one script. */
export class VectorMeaning implements Meaning {
  readonly #embedder: Embedder
  readonly #vectors: SentenceVectors
  readonly #means: MeanPriors
  readonly #smallTalk: SmallTalkPriors

  /** Takes vectors of unrelated text as `means`. */
  constructor(
    embedder: Embedder,
    vectors: SentenceVectors,
    means: MeanPriors = {},
    smallTalk: SmallTalkPriors = {},
  ) {
    this.#embedder = embedder
    this.#vectors = vectors
    this.#means = means
    this.#smallTalk = smallTalk
  }

  async measureNearness(
    text: string,
    sentences: readonly Sentence[],
    signal?: AbortSignal,
  ): Promise<Nearness> {
    const [query] = await this.#embedder.embed([toSimplified(text)], 'query', signal)
    const read = sentences.map(sentence => ({ ...sentence, text: toSimplified(sentence.text) }))
    const passages = await this.#vectors.getVectors(read, signal)
    if (!query) throw new Error('The embedder returned no vector for the question.')
    return {
      cosines: passages.map(passage => dot(query, passage)),
      unrelated: Object.fromEntries(
        LANGUAGES.flatMap(language => {
          const mean = this.#means[language]
          return mean ? [[language, dot(query, mean)]] : []
        }),
      ),
    }
  }

  async estimateAnswerOdds(
    text: string,
    statements: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly number[] | undefined> {
    return await this.#embedder.answerOdds?.(
      toSimplified(text),
      statements.map(toSimplified),
      signal,
    )
  }

  async areSmallTalk(
    sentences: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly boolean[]> {
    const priors = sentences.map(sentence => this.#smallTalk[detectLanguage(sentence)])
    if (!priors.some(Boolean)) return sentences.map(() => false)
    const vectors = await this.#embedder.embed(sentences, 'query', signal)
    return vectors.map((vector, index) => {
      const prior = priors[index]
      return prior !== undefined && dot(vector, prior.direction) >= prior.minimum
    })
  }
}
