import { expect, test } from 'vitest'
import { WindowedEmbedder } from '../../src/ingest/embedders/windowed.ts'
import { dot, embedderContract } from '../contract/embedder.contract.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { wordCounter } from '../fakes/word-counter.ts'

/** Reads six words at once, and notes what it was given. */
class ShortSighted extends HashingEmbedder {
  override readonly maxTokens = 6
  readonly seen: string[] = []

  override async embed(...[texts, role, signal]: Parameters<HashingEmbedder['embed']>) {
    this.seen.push(...texts)
    return await super.embed(texts, role, signal)
  }
}

embedderContract('WindowedEmbedder', async () => new WindowedEmbedder(new HashingEmbedder(), async () => wordCounter))

async function embed(...texts: readonly string[]) {
  const inner = new ShortSighted()
  const vectors = await new WindowedEmbedder(inner, async () => wordCounter).embed(texts, 'passage')
  return { seen: inner.seen, vectors }
}

test('short passages pass through as they are', async () => {
  const { seen, vectors } = await embed('one two', 'three')
  expect([seen, vectors]).toEqual([
    ['one two', 'three'],
    await new HashingEmbedder().embed(['one two', 'three'], 'passage'),
  ])
})

test('long ones are read in windows that end with sentences, or within a sentence that is too long itself', async () => {
  const text = 'The fox sleeps. It snores. A cat watches the two of them for a long while. Then it leaves.'
  const { seen, vectors } = await embed('before', text, 'after')
  expect(seen.join('|')).toBe(
    'before|The fox sleeps. It snores.| A cat watches the two of |them for a long while.| Then it leaves.|after',
  )
  expect(seen.slice(1, -1).join('')).toBe(text)
  expect(vectors).toHaveLength(3)
})

test('the vector of a long passage is near to all of its windows, and to nothing else', async () => {
  const windows = ['alpha beta gamma.', 'delta epsilon zeta.']
  const { vectors } = await embed(`${windows[0]} ${windows[1]} ${windows[0]}`)
  const [first, second, other] = await new HashingEmbedder().embed([...windows, 'eta theta iota.'], 'passage')
  expect(dot(vectors[0]!, vectors[0]!)).toBeCloseTo(1, 4)
  for (const one of [first!, second!]) expect(dot(vectors[0]!, one)).toBeGreaterThan(dot(vectors[0]!, other!) + 0.3)
})
