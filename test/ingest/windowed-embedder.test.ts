import { expect, test } from 'vitest'
import { WindowedEmbedder } from '../../src/ingest/embed/windowed.ts'
import { embedderContract } from '../contract/embedder.contract.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { wordCounter } from '../fakes/word-counter.ts'

/** Reads six words at once. */
class ShortSighted extends HashingEmbedder {
  override readonly maxTokens = 6
}

embedderContract(
  'WindowedEmbedder',
  async () => new WindowedEmbedder(new HashingEmbedder(), async () => wordCounter),
)

const windowed = new WindowedEmbedder(new ShortSighted(), async () => wordCounter)

async function windows(text: string, context = ''): Promise<readonly string[]> {
  const [own = []] = await windowed.createWindows([{ context, text }])
  return own
}

test('a short chunk is read whole, with its context', async () => {
  expect(await windows('one two')).toEqual(['one two'])
  expect(await windows('one two', 'Title')).toEqual(['Title\none two'])
})

test('a long one in windows that end with sentences, or within a sentence that is too long itself', async () => {
  const text =
    'The fox sleeps. It snores. A cat watches the two of them for a long while. Then it leaves.'
  const own = await windows(text)
  expect(own.join('|')).toBe(
    'The fox sleeps. It snores.| A cat watches the two of |them for a long while.| Then it leaves.',
  )
  expect(own.join('')).toBe(text)
})

test('each window stands under the context', async () => {
  expect(await windows('The fox sleeps. It snores. A cat leaves.', 'Animals')).toEqual([
    'Animals\nThe fox sleeps. It snores.',
    'Animals\n A cat leaves.',
  ])
})
