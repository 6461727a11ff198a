import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderSource, Sources } from '../../../src/agent/groundings/sources.ts'
import { renderContext } from '../../../src/search/passages/context.ts'
import type { Excerpt } from '../../../src/search/passages/passage.ts'
import { wordCounter } from '../../fakes/word-counter.ts'

const excerpt = fc
  .record({
    documentId: fc.constantFrom('a', 'b'),
    at: fc.nat(40),
    words: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ documentId, at, words }): Excerpt => {
    const text = Array.from({ length: words }, (_, word) => `w${at + word}`).join(' ')
    const place = { charStart: at * 1_000, charEnd: at * 1_000 + text.length }
    return {
      documentId,
      source: `/${documentId}`,
      name: documentId,
      title: '',
      headings: [],
      context: '',
      ...place,
      text,
    }
  })

test('over several searches, the sources together never exceed their budget, and each keeps its number', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(excerpt, { maxLength: 6 }), { maxLength: 6 }),
      fc.nat(300),
      async (searches, maxTokens) => {
        const sources = new Sources({ counter: wordCounter, maxTokens })
        let tokens = 0
        for (const hits of searches) {
          const before = sources.passages
          const { added } = await sources.add(hits)
          tokens += wordCounter.count(renderContext(added, renderSource))
          expect(sources.passages.slice(0, before.length)).toEqual(before)
        }
        expect(tokens).toBeLessThanOrEqual(maxTokens)
        expect(sources.passages.map(({ id }) => sources.find(id)?.id)).toEqual(
          sources.passages.map((_, at) => at + 1),
        )
      },
    ),
  )
})
