import type { Embedder } from '../src/ingest/embed/embedder.ts'
import { createPseudoRandom } from '../src/search/evaluation/metrics.ts'
import { detectLanguage } from '../src/text/language.ts'

const TOPICS = 200
/** Shares of a vector, as those of a multilingual model roughly are: its language, its topic, itself. */
const LANGUAGE = 0.8
const TOPIC = 0.4
const OWN = 0.25

/** Vectors made of a text's digest in no time: near each other by language, then by one of 200 topics. */
export class SyntheticEmbedder implements Embedder {
  readonly id = 'synthetic@1'
  readonly dimensions = 384
  readonly maxTokens = 508

  async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    return texts.map(text => {
      const seed = hash(text)
      const parts = [
        [direction(detectLanguage(text) === 'zh' ? 1 : 2), LANGUAGE],
        [direction(1_000 + (seed % TOPICS)), TOPIC],
        [direction(seed), OWN],
      ] as const
      const sum = direction(0).map((_, at) =>
        parts.reduce((total, [vector, share]) => total + share * vector[at]!, 0),
      ) // as long
      return unit(sum)
    })
  }

  async close(): Promise<void> {}
}

const known = new Map<number, Float32Array>()

function direction(seed: number): Float32Array {
  const made = known.get(seed)
  if (made) return made
  const random = createPseudoRandom(seed)
  const vector = unit(
    Float32Array.from({ length: 384 }, () => random() + random() + random() - 1.5),
  )
  if (seed < 2_000) known.set(seed, vector)
  return vector
}

function unit(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector)
  return vector.map(value => value / norm)
}

function hash(text: string): number {
  let state = 0x811c9dc5
  for (let at = 0; at < text.length; at++)
    state = Math.imul(state ^ text.charCodeAt(at), 0x01000193) >>> 0
  return state
}
