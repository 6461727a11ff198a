import type { Confidence } from '../confidence.ts'
import type { Reranker } from '../reranker.ts'
import type { Hit } from '../searcher.ts'

/** Share of the cosine, so small that it only breaks ties. */
const TIE_SHARE = 1e-6

/** Scores by confidence, 0 to 1: cosines lie too close together for thresholds. */
export class ConfidenceReranker implements Reranker {
  readonly #sentences: Reranker
  readonly #confidence: Confidence

  constructor(sentences: Reranker, confidence: Confidence) {
    this.#sentences = sentences
    this.#confidence = confidence
  }

  async scoreHits(
    query: string,
    hits: readonly Hit[],
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    const cosines = await this.#sentences.scoreHits(query, hits, signal)
    const judged = this.#confidence.judge(query, hits, { likeness: cosines })
    return judged.map(({ confidence = 0 }, index) => {
      const cosine = Math.max(0, cosines[index]!)
      return (1 - TIE_SHARE) * confidence + TIE_SHARE * Math.min(1, cosine)
    })
  }
}
