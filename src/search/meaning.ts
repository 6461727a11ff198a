import type { Embedder } from '../ingest/embed/embedder.ts'
import { dot } from '../ingest/embed/vector.ts'
import { LANGUAGES, type Language, languageOf } from '../text/language.ts'
import { simplified } from '../text/simplified.ts'
import type { MeanPriors } from './language-means.ts'
import type { Sentence, SentenceVectors } from './rerankers/sentence-vectors.ts'

/** How near sentences are to a question. */
type Nearness = {
  /** The question's cosine with each sentence. */
  readonly cosines: readonly number[]
  /** The cosine to be expected of a text of the language that has nothing to do with the question, where that is known. */
  readonly unrelated: Readonly<Partial<Record<Language, number>>>
}

/** What a passage that search finds mostly has with the shipped model. */
const USUAL_COSINE = 0.8

/** A cosine as a feature: how far it is above the usual one, in tenths. */
export function toCosineFeature(cosine: number): number {
  return 10 * (cosine - USUAL_COSINE)
}

/** Tells how near sentences of documents are to questions by their meaning. */
export interface Meaning {
  nearness(text: string, sentences: readonly Sentence[], signal?: AbortSignal): Promise<Nearness>
  /** How likely each statement answers a question's text, as log-odds, by a cross-encoder; undefined where there is none. */
  answerOdds?(
    text: string,
    statements: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly number[] | undefined>
  /** Which of the sentences only keep a conversation going, as greetings, thanks and offers do; none where that is not known. */
  areSmallTalk(sentences: readonly string[], signal?: AbortSignal): Promise<readonly boolean[]>
}

/** What tells small talk from what is said of the world, for each language: it lies at least so far that way. */
export type SmallTalkPriors = Readonly<
  Partial<Record<Language, { readonly direction: Float32Array; readonly least: number }>>
>

/** By the vectors of an embedder; those of sentences are kept with their document. Both sides are read in one script. */
export class VectorMeaning implements Meaning {
  readonly #embedder: Embedder
  readonly #vectors: SentenceVectors
  readonly #means: MeanPriors
  readonly #smallTalk: SmallTalkPriors

  /** `means` are the vectors of unrelated text, by language; without them it is not known what to expect of it. */
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

  async nearness(
    text: string,
    sentences: readonly Sentence[],
    signal?: AbortSignal,
  ): Promise<Nearness> {
    const [query] = await this.#embedder.embed([simplified(text)], 'query', signal)
    const read = sentences.map(sentence => ({ ...sentence, text: simplified(sentence.text) }))
    const passages = await this.#vectors.getVectors(read, signal)
    return {
      cosines: passages.map(passage => dot(query!, passage)), // a vector a text
      unrelated: Object.fromEntries(
        LANGUAGES.flatMap(language => {
          const mean = this.#means[language]
          return mean ? [[language, dot(query!, mean)]] : []
        }),
      ),
    }
  }

  async answerOdds(
    text: string,
    statements: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly number[] | undefined> {
    return await this.#embedder.answerOdds?.(simplified(text), statements.map(simplified), signal)
  }

  async areSmallTalk(
    sentences: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly boolean[]> {
    const priors = sentences.map(sentence => this.#smallTalk[languageOf(sentence)])
    if (!priors.some(Boolean)) return sentences.map(() => false)
    const vectors = await this.#embedder.embed(sentences, 'query', signal)
    return vectors.map((vector, at) => {
      const prior = priors[at]
      return prior !== undefined && dot(vector, prior.direction) >= prior.least
    })
  }
}
