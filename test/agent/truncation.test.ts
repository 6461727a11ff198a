import { describe, expect, test } from 'vitest'
import type { Message } from '../../src/agent/message.ts'
import { textContent } from '../../src/agent/message.ts'
import { type ChatModel, REQUEST_SHORTENED } from '../../src/agent/model.ts'
import { TruncatedModel, truncateMessages } from '../../src/agent/models/truncated.ts'
import { openVocabulary } from '../../src/agent/tokens/encoding.ts'
import { O200kTokens } from '../../src/agent/tokens/o200k.ts'
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

test('a conversation that fits is left as it is', async () => {
  const messages: Message[] = [{ role: 'user', content: words(10) }]
  expect(await truncateMessages(messages, 1000, { tokens: goldenTokens })).toBe(messages)
  expect(await truncateMessages(messages, 10, { tokens: goldenTokens })).toBe(messages)
})

test('thoughts of earlier turns leave first, and their field stays', async () => {
  const thinking = {
    reasoningContent: words(20),
    reasoningOrigin: { server: 's', fields: ['reasoning_content'] },
  }
  const turn: readonly Message[] = [
    { role: 'user', content: words(5) },
    { role: 'assistant', content: words(5), ...thinking },
  ]
  const short = await truncateMessages([...turn, ...turn], 45, { tokens: goldenTokens })
  expect(short).toEqual([turn[0], { ...turn[1], reasoningContent: '' }, ...turn])
})

test('a system message that is too long alone is an error before any request', async () => {
  const inner = new ScriptedChatModel([says('ok')])
  const model = new TruncatedModel(inner, goldenTokens)
  const messages: Message[] = [
    { role: 'system', content: words(60) },
    { role: 'user', content: 'w' },
  ]
  const request = {
    messages,
    tools: [],
    toolChoice: 'auto',
    config: { maxInputTokens: 50 },
  } as const
  await expect(collect(model.stream(request))).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(
      /system message alone is longer than the 50 tokens .*Shorten it/,
    ),
  })
  expect(inner.requests).toEqual([])
  await collect(model.stream({ ...request, config: { maxInputTokens: 0 } }))
  expect(inner.requests).toHaveLength(1)
})

test('a call and its result leave together, and what is left of a pair keeps its id', async () => {
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
    const kept = await truncateMessages(messages, budget, { tokens: goldenTokens })
    const ids = (role: string) =>
      kept.filter(one => one.role === role && one.functionId).map(one => one.functionId)
    expect(ids('assistant')).toEqual(ids('function'))
  }
})

test('the oldest turns leave whole, the question stays', async () => {
  const turn = (size: number): Message[] => [
    { role: 'user', content: words(size) },
    { role: 'assistant', content: words(size) },
  ]
  const question: Message = { role: 'user', content: 'what now' }
  const kept = await truncateMessages([...turn(50), ...turn(50), question], 102, {
    tokens: goldenTokens,
  })
  expect(kept.map(textContent)).toEqual([words(50), words(50), 'what now'])
})

test('a warning counts what is left out and shortened, of equal messages too', async () => {
  const thanks: Message = { role: 'assistant', content: 'ok' }
  const messages: readonly Message[] = [
    { role: 'user', content: words(5) },
    thanks,
    { role: 'user', content: words(50) },
    thanks,
    { role: 'user', content: words(6) },
  ]
  const model = new TruncatedModel(new ScriptedChatModel([says('ok')]), goldenTokens)
  const config = { maxInputTokens: 40 }
  const events = await collect(model.stream({ messages, tools: [], toolChoice: 'auto', config }))
  const lost = expect.stringMatching(/: earlier messages left out: 2, messages shortened: 1\.$/)
  expect(events.at(-1)).toHaveProperty('warnings', [expect.objectContaining({ message: lost })])
})

describe('with the vocabulary of chat models', () => {
  const exact = new O200kTokens('gpt-4o-mini')
  test('tokens are counted, with a margin where the vocabulary is another', async () => {
    expect(await exact.count('hello world')).toBe(2)
    const other = await new O200kTokens('qwen2.5').count(words(100))
    expect(other).toBe(Math.ceil((await exact.count(words(100))) * 1.1))
  })
  test('text that looks like a control token is text', async () => {
    expect(await exact.count('<|endoftext|>')).toBeGreaterThan(1)
  })
  test('texts are cut between characters', async () => {
    const text = '检索増强👩‍🔬生成'.repeat(20)
    for (let size = 1; size < 40; size++) {
      expect(text.startsWith(await exact.cutHead(text, size))).toBe(true)
      expect(text.endsWith(await exact.cutTail(text, size))).toBe(true)
    }
  })
  test('a text of several pieces has as many tokens as in one', async () => {
    const encoder = openVocabulary('o200k_base')
    const paragraph =
      'The supplier’s terms don’t apply.\n\n 甲方应当在三十日内付款，逾期须支付违约金。  `code(a, b)`; 12,345.67 €\t'
    for (const text of [paragraph.repeat(40), words(3000), paragraph.slice(0, 60).repeat(50)]) {
      expect(await exact.count(text)).toBe(encoder.encode(text, [], []).length)
    }
    encoder.free()
  })
  test('texts without any separator are counted and cut in pieces, a little high, while others have the thread', async () => {
    const text = Array.from({ length: 400_000 }, (_, at) =>
      String.fromCharCode(0x4e00 + (at % 4999)),
    ).join('')
    const encoder = openVocabulary('o200k_base')
    const inOnePiece = encoder.encode(text.slice(0, 2_000), [], []).length
    encoder.free()
    const inPieces = await exact.count(text.slice(0, 2_000))
    expect(inPieces).toBeGreaterThanOrEqual(inOnePiece)
    expect(inPieces).toBeLessThan(inOnePiece * 1.05)
    let turns = 0
    const others = setInterval(() => turns++, 1)
    const count = await exact.count(text)
    clearInterval(others)
    expect(turns).toBeGreaterThan(1)
    expect(count).toBeGreaterThan(text.length)
    const end = await exact.cutTail(text, 10_000)
    expect(text.endsWith(end)).toBe(true)
    expect(await exact.count(end)).toBeGreaterThan(9_900)
  })
  test('counting stops with its signal', async () => {
    const stop = new AbortController()
    const counting = exact.count('字'.repeat(4_000_000), stop.signal)
    stop.abort(new Error('enough'))
    await expect(counting).rejects.toThrow('enough')
  })
})

describe('a server that cuts a request without an error', () => {
  /** Reports that it read so many tokens. */
  function reporting(promptTokens: number): ChatModel {
    return {
      id: 'reporting',
      async *stream() {
        yield { type: 'usage', usage: { promptTokens, completionTokens: 1, totalTokens: 0 } }
        yield { type: 'finish', reason: 'stop' }
      },
    }
  }

  async function findWarnings(text: string, promptTokens: number, maxInputTokens = 58_000) {
    const model = new TruncatedModel(reporting(promptTokens), goldenTokens)
    const messages: Message[] = [{ role: 'user', content: text }]
    const config = { maxInputTokens }
    const request = { messages, tools: [], toolChoice: 'auto' as const, config }
    const [finish] = (await collect(model.stream(request))).filter(({ type }) => type === 'finish')
    return finish?.type === 'finish' ? (finish.warnings ?? []) : []
  }

  const long = Array.from({ length: 6_000 }, () => 'wwwwwwww').join(' ')

  test.each([58_000, 0])('is told of, with a limit of %d', async maxInputTokens => {
    const [warning] = await findWarnings(long, 4_096, maxInputTokens)
    expect(warning).toMatchObject({
      code: REQUEST_SHORTENED,
      message: expect.stringMatching(/read 4096 of about \d+ tokens/),
      advice: expect.stringContaining('model.maxInputTokens below 4096'),
    })
  })
  test('is not supposed where the count is near, or counts something else', async () => {
    expect(await findWarnings(long, 14_000)).toEqual([])
    expect(await findWarnings(long, 10)).toEqual([])
    expect(await findWarnings('A short question.', 4_096)).toEqual([])
  })
})
