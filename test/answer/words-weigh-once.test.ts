import { expect, test } from 'vitest'
import { listCandidates } from '../../src/answer/evidence/candidates.ts'
import { withFeatures } from '../../src/answer/evidence/features.ts'
import { parseQuestion } from '../../src/answer/question/parse.ts'
import { Terms } from '../../src/text/terms.ts'
import { MemorySearcher } from '../fakes/memory-searcher.ts'

/** How much of the question a statement of a document says. */
async function shareOf(question: string, text: string) {
  const searcher = new MemorySearcher([{ name: 'notes.md', text }])
  const hits = await searcher.search({ text, collectionIds: ['default'], limit: 1 })
  const [known] = withFeatures(
    parseQuestion(question, 'zh'),
    listCandidates(hits, new Terms()),
    undefined,
  )
  return known?.features.share
}

test('a Chinese word weighs as much as one of letters, however many characters it has', async () => {
  const [code, word] = [
    await shareOf('屏幕 pump', 'pump 漏水'),
    await shareOf('屏幕 pump', '屏幕漏水'),
  ]
  expect(code).toBeGreaterThan(0)
  expect(code).toBeCloseTo(word!, 6)
})
