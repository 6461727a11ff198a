import { expect, test } from 'vitest'
import type { InlineDocument } from '../fakes/memory-searcher.ts'
import { quotesFor } from '../fakes/quoted-answer.ts'

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

test.each([
  [
    'Do you deliver pianos to Crete?',
    FAQ,
    'Do you deliver pianos to Malta?\n\nNo. We deliver pianos only to Cyprus and Crete.',
  ],
  [
    'Is the lid open in dry rooms?',
    FAQ,
    'Q: May the lid stay open?\nA: Yes, the lid may stay open in dry rooms.',
  ],
  ['Are stools only sold?', FAQ, '**Can I rent a stool?** No, stools are only sold.'],
  ['钢琴送到广东吗？', 问答, '钢琴可以送到海南吗？\n\n不可以。钢琴目前只送到广东和广西。'],
])(
  '%s: an answer with yes or no is quoted with the question that it answers',
  async (question, document, quote) => {
    expect((await quotesFor(question, document))[0]).toBe(quote)
  },
)

test('what answers neither is quoted as it stands', async () => {
  expect((await quotesFor('When does the tuner come?', FAQ))[0]).not.toContain('Malta')
  expect((await quotesFor('How much does the best piano weigh?', FAQ))[0]).toBe(
    'No. 5 is our best piano and weighs 300 kg.',
  )
})
