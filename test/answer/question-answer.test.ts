import { expect, test } from 'vitest'
import { answerFrom } from '../fakes/quoted-answer.ts'

const FAQ = {
  name: 'ferry.md',
  text: [
    '# Ferry questions',
    '## Tickets',
    'Q: Why was my ticket refused?\nA: Most often the code was creased. Ask the purser for a new one. It is free.',
    'Q: Which coins does the machine take?\nA: It takes 1 and 2 euro coins. Notes are not accepted.',
    '## Bicycles',
    '**How are bicycles carried?**\nThey stand on the lower deck. Belts hang on the wall.',
    '## Who helps if I miss the last ferry?',
    'Call the pilot station.',
    'A water taxi leaves at midnight.',
    '## Staff',
    'The purser sits next to the bow door.',
  ].join('\n\n'),
}
const 问答 = {
  name: '问答.txt',
  text: '泳池问答\n\n问：深水证怎么办理？\n答：先到前台体检。再由教练测试二百米。通过后当场发证。\n\n问：更衣柜可以过夜使用吗？\n答：不可以，每晚闭馆后清空。',
}

test.each([
  [
    'Why was my ticket refused?',
    'A: Most often the code was creased. Ask the purser for a new one. It is free.',
    FAQ,
  ],
  [
    'Which coins does the machine take?',
    'A: It takes 1 and 2 euro coins. Notes are not accepted.',
    FAQ,
  ],
  ['How are bicycles carried?', 'They stand on the lower deck. Belts hang on the wall.', FAQ],
  [
    'Who helps when I miss the last ferry?',
    'Call the pilot station.\n\nA water taxi leaves at midnight.',
    FAQ,
  ],
  ['怎样办理深水证？', '答：先到前台体检。再由教练测试二百米。通过后当场发证。', 问答],
  ['更衣柜能过夜使用吗？', '答：不可以，每晚闭馆后清空。', 问答],
])(
  '%s: all that stands under the question is quoted, and no other answer',
  async (question, told, faq) => {
    const { citations } = await answerFrom(question, faq)
    expect(citations[0]?.text.endsWith(told)).toBe(true)
  },
)

test('a question and its answer are shown on lines of their own', async () => {
  const { answer } = await answerFrom('Which coins does the machine take?', FAQ)
  expect(answer).toContain('Q: Which coins does the machine take?\nA: It takes 1 and 2 euro coins.')
})

test('what stands under a heading that asks nothing is quoted as it was found', async () => {
  const { citations } = await answerFrom('Where does the purser sit?', FAQ)
  expect(citations[0]?.text).toBe('The purser sits next to the bow door.')
})
