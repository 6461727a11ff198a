import { expect, test } from 'vitest'
import { collectAnswer } from '../../../src/agent/answer.ts'
import { ExtractiveAnswerer } from '../../../src/agent/answers/extractive.ts'
import { type InlineDocument, MemorySearcher } from '../../fakes/memory-searcher.ts'

const FAQ: InlineDocument = {
  name: 'faq.md',
  text: [
    '# Questions\n\n## Do you deliver pianos to Malta?\n\nNo. We deliver pianos only to Cyprus and Crete.',
    '## Who tunes them?\n\nOur tuner comes within a week.',
    'Q: May the lid stay open?\nA: Yes, the lid may stay open in dry rooms.',
    '**Can I rent a stool?** No, stools are only sold.',
    'No. 5 is our best piano and weighs 300 kg.',
  ].join('\n\n'),
}
const 问答: InlineDocument = {
  name: '问答.md',
  text: '# 常见问题\n\n## 钢琴可以送到海南吗？\n\n不可以。钢琴目前只送到广东和广西。\n\n## 由谁调音？\n\n调音师一周内上门。',
}

async function quotesFor(question: string, document: InlineDocument): Promise<readonly string[]> {
  const memory = new MemorySearcher([document])
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  const asked = { question, collectionIds: ['default'], documents: () => memory.documents, limit: 8 }
  const { citations } = await collectAnswer(answerer.answer(asked))
  return citations.map(({ text }) => text)
}

test.each([
  [
    'Do you deliver pianos to Crete?',
    FAQ,
    'Do you deliver pianos to Malta?\n\nNo. We deliver pianos only to Cyprus and Crete.',
  ],
  ['Is the lid open in dry rooms?', FAQ, 'Q: May the lid stay open?\nA: Yes, the lid may stay open in dry rooms.'],
  ['Are stools only sold?', FAQ, '**Can I rent a stool?** No, stools are only sold.'],
  ['钢琴送到广东吗？', 问答, '钢琴可以送到海南吗？\n\n不可以。钢琴目前只送到广东和广西。'],
])('%s: an answer with yes or no is quoted with the question that it answers', async (question, document, quote) => {
  expect((await quotesFor(question, document))[0]).toBe(quote)
})

test('what answers neither is quoted as it stands', async () => {
  expect((await quotesFor('When does the tuner come?', FAQ))[0]).not.toContain('Malta')
  expect((await quotesFor('How much does the best piano weigh?', FAQ))[0]).toBe(
    'No. 5 is our best piano and weighs 300 kg.',
  )
})
