import { expect, test } from 'vitest'
import { getSearchText, needsHistory } from '../../../src/agent/memory/conversation-question.ts'
import type { Message } from '../../../src/agent/message.ts'
import { selectRecentTurns } from '../../../src/agent/models/recent-turns.ts'
import { collectGarbage } from '../../fakes/garbage.ts'

const system: Message = { role: 'system', content: 'Be brief. '.repeat(100) }
const user = (content: string): Message => ({ role: 'user', content })
const call: Message = {
  role: 'assistant',
  content: '',
  functionCall: { name: 'f', arguments: '{}' },
  functionId: 'call_1',
}
const result = (content: string): Message => ({
  role: 'function',
  name: 'f',
  functionId: 'call_1',
  content,
})

test('a conversation that fits is as it was', () => {
  const messages = [system, user('One?'), call, result('1'), user('Two?')]
  expect(selectRecentTurns(messages, 1_000)).toEqual(messages)
})

test('turns before the one that does not fit are left out, and system messages stay', () => {
  const turns = Array.from({ length: 1_000 }, (_, at) => user(`${at} ${'x'.repeat(2_000)}`))
  const kept = selectRecentTurns([system, ...turns], 5_000)
  expect(kept.map(({ content }) => String(content).split(' ')[0])).toEqual([
    'Be',
    '997',
    '998',
    '999',
  ])
  expect(kept.map(({ content }) => content.length)).toEqual([
    1_000,
    expect.any(Number),
    2_004,
    2_004,
  ])
  expect(JSON.stringify(kept).length).toBeLessThan(7_000)
})

test('the last turn is cut where it alone is too long, and a result stays with its call', () => {
  const kept = selectRecentTurns(
    [user('Before?'), user('书'.repeat(10_000)), call, result('y'.repeat(10_000))],
    3_000,
  )
  expect(kept).toMatchObject([{ content: '书'.repeat(200) }, call, { role: 'function' }])
  expect(kept[2]!.content.length).toBeLessThan(3_000)
})

test('what is cut off takes no memory any more', async () => {
  await collectGarbage()
  const before = process.memoryUsage().heapUsed
  const kept = selectRecentTurns([user('x'.repeat(2 ** 26))], 1_000)
  await collectGarbage()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(2 ** 24)
  expect(kept).toHaveLength(1)
})

test('parts that are no text stay, and no character is cut in two', () => {
  const image = { image: 'https://example.org/a.png' }
  const [message] = selectRecentTurns(
    [{ role: 'user', content: [{ text: '😀'.repeat(1_000) }, image] }],
    1_001,
  )
  expect(message?.content).toEqual([{ text: expect.stringMatching(/^(?:😀)+$/u) }, image])
})

test('of a question before that is very long, its beginning is searched with the one that leans on it', () => {
  const asked = { question: 'And why?', history: [user('word '.repeat(1_000_000))] }
  expect(getSearchText(asked).length).toBeLessThan(20_000)
})

test.each([
  ['Chinese, whole', '公司年会在哪天举行？', false],
  ['with words that only hold a pronoun', '员工应该怎样报销其他费用？', false],
  ['a thing alone', '年会呢？', true],
  ['a pronoun', '它的负责人是哪一位同事？', true],
  ['a pronoun before a noun', '该部门的负责人是哪一位？', true],
  ['English, whole', 'Who signs the lease?', false],
  ['a word alone', 'The price?', true],
])(
  'a question that can be searched for alone does not lean on the one before: %s',
  (_, question, leans) => {
    expect(needsHistory({ question, history: [user('Which trains may be booked?')] })).toBe(leans)
  },
)
