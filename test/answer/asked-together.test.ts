import { expect, test } from 'vitest'
import { answerFrom } from '../fakes/quoted-answer.ts'

const KAYAK = {
  name: 'heron.md',
  text: '# The Heron\n\nThe weight of the Heron is 27 kg.\n\n## Shop\n\nThe price of the Heron is 1,290 euros.\n\n## Use\n\nIt is for two.',
}
const 白鹭 = {
  name: '白鹭.md',
  text: '# 白鹭\n\n白鹭的重量为27公斤。\n\n## 销售\n\n白鹭的价格为9800元。\n\n## 用途\n\n供两人使用。',
}

async function told(question: string) {
  const { answer } = await answerFrom(question, /\p{Script=Han}/u.test(question) ? 白鹭 : KAYAK)
  return answer.split('\n').slice(1)
}

test.each([
  ['What is the weight and price of the Heron?', /27 kg[\s\S]*1,290 euros/],
  ['What are the price and the weight of the Heron?', /1,290 euros[\s\S]*27 kg/],
  ['白鹭的重量和价格是多少？', /27公斤[\s\S]*9800元/],
  ['白鹭的价格以及重量是多少？', /9800元[\s\S]*27公斤/],
])('%s is answered for each value, in their order', async (question, expected) => {
  const lines = await told(question)
  expect(lines).toHaveLength(2)
  expect(lines.join('\n')).toMatch(expected)
})

test.each([
  [
    'What is the weight and colour of the Heron?',
    /27 kg/,
    'On “What is the colour of the Heron”: The documents do not say more than is quoted.',
  ],
  ['白鹭的重量和颜色是什么？', /27公斤/, '关于“白鹭的颜色是什么”：除引文外，文档中没有说明。'],
])('%s tells which of the values is not found', async (question, found, missing) => {
  const lines = await told(question)
  expect(lines).toEqual([expect.stringMatching(found), missing])
})
