import { describe, expect, test } from 'vitest'
import type { Message } from '../../src/agent/message.ts'
import { textContent } from '../../src/agent/message.ts'
import { O200kTokens } from '../../src/agent/models/o200k.ts'
import { TruncatedModel } from '../../src/agent/models/truncated.ts'
import { truncateMessages } from '../../src/agent/truncation.ts'
import { goldenTokens } from '../fakes/golden-tokens.ts'
import { collect, ScriptedChatModel, says } from '../fakes/scripted-chat-model.ts'

const words = (count: number) => Array.from({ length: count }, () => 'w').join(' ')
const call = (id: string): Message => ({
  role: 'assistant',
  content: '',
  functionCall: { name: 'f', arguments: '{}' },
  functionId: id,
})
const result = (id: string, size: number): Message => ({
  role: 'function',
  name: 'f',
  functionId: id,
  content: words(size),
})

test('a conversation that fits is left as it is', () => {
  const messages: Message[] = [{ role: 'user', content: words(10) }]
  expect(truncateMessages(messages, 1000, goldenTokens)).toBe(messages)
  expect(truncateMessages(messages, 10, goldenTokens)).toBe(messages)
})

test('a system message that is too long alone is an error before any request', async () => {
  const inner = new ScriptedChatModel([says('ok')])
  const model = new TruncatedModel(inner, goldenTokens)
  const messages: Message[] = [
    { role: 'system', content: words(60) },
    { role: 'user', content: 'w' },
  ]
  const request = { messages, tools: [], toolChoice: 'auto', config: { maxInputTokens: 50 } } as const
  await expect(collect(model.stream(request))).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(/system message alone is longer than the 50 tokens .*maxInputTokens/),
  })
  expect(inner.requests).toEqual([])
  await collect(model.stream({ ...request, config: { maxInputTokens: 0 } }))
  expect(inner.requests).toHaveLength(1)
})

test('a call and its result leave together, and what is left of a pair keeps its id', () => {
  const messages: Message[] = [
    { role: 'user', content: words(5) },
    call('a'),
    call('b'),
    result('a', 50),
    result('b', 50),
    call('c'),
    result('c', 50),
    { role: 'assistant', content: words(5) },
  ]
  for (const budget of [60, 80, 100, 130]) {
    const kept = truncateMessages(messages, budget, goldenTokens)
    const ids = (role: string) => kept.filter(one => one.role === role && one.functionId).map(one => one.functionId)
    expect(ids('assistant')).toEqual(ids('function'))
  }
})

test('a long conversation far from the limit is not counted whole', () => {
  let counted = 0
  const counting = {
    ...goldenTokens,
    count(text: string) {
      counted += text.length
      return goldenTokens.count(text)
    },
  }
  const messages: Message[] = [{ role: 'user', content: words(50_000).replaceAll('w', 'wwww') }]
  expect(truncateMessages(messages, 110_000, counting)).toBe(messages)
  expect(counted).toBeLessThan(10_000)
  expect(truncateMessages(messages, 40_000, counting)).not.toBe(messages)
})

test('the oldest turns leave whole, the question stays', () => {
  const turn = (size: number): Message[] => [
    { role: 'user', content: words(size) },
    { role: 'assistant', content: words(size) },
  ]
  const question: Message = { role: 'user', content: 'what now' }
  const kept = truncateMessages([...turn(50), ...turn(50), question], 102, goldenTokens)
  expect(kept.map(textContent)).toEqual([words(50), words(50), 'what now'])
})

describe('with the vocabulary of chat models', () => {
  const exact = new O200kTokens('gpt-4o-mini')
  test('tokens are counted, with a margin where the vocabulary is another', () => {
    expect(exact.count('hello world')).toBe(2)
    expect(new O200kTokens('qwen2.5').count(words(100))).toBe(Math.ceil(exact.count(words(100)) * 1.1))
  })
  test('text that looks like a control token is text', () => expect(exact.count('<|endoftext|>')).toBeGreaterThan(1))
  test('texts are cut between characters', () => {
    const text = '检索増强👩‍🔬生成'.repeat(20)
    for (let size = 1; size < 40; size++) {
      expect(text.startsWith(exact.head(text, size))).toBe(true)
      expect(text.endsWith(exact.tail(text, size))).toBe(true)
    }
  })
})
