import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Agent, type AgentDeps } from '../../src/agent/agent.ts'
import { agentTool } from '../../src/agent/agents/agent-tool.ts'
import { groupChat } from '../../src/agent/agents/group-chat.ts'
import { writeFromScratch } from '../../src/agent/agents/write-from-scratch.ts'
import type { Message } from '../../src/agent/message.ts'
import { DiskCache, MemoryCache } from '../../src/agent/models/text-cache.ts'
import type { ObservedStep } from '../../src/agent/observed.ts'
import { defineTool } from '../../src/agent/tools/define-tool.ts'
import { connectMcpServers } from '../../src/agent/tools/mcp-client.ts'
import { storageTool } from '../../src/agent/tools/storage.ts'
import { withRetries } from '../../src/agent/tools/tool-limits.ts'
import { eventsOf } from '../fakes/answers.ts'
import { setUpAssistant } from '../fakes/scripted-assistant.ts'
import {
  calls,
  type ScriptedAnswer,
  ScriptedChatModel,
  says,
  toolCall,
} from '../fakes/scripted-chat-model.ts'

const echo = defineTool({
  name: 'echo',
  description: '',
  parameters: [{ name: 'text' }],
  call: async args => args,
})
const made: string[] = []
const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  parameters: [{ name: 'euros', type: 'number' }],
  needsApproval: true,
  call: async ({ euros }) => {
    made.push(`${euros}`)
    return 'paid'
  },
})

function make(script: readonly ScriptedAnswer[], parts: Partial<AgentDeps> = {}) {
  const model = new ScriptedChatModel(script)
  return { model, agent: new Agent({ model, ...parts }) }
}

describe('a run', () => {
  test('is read by several, each from the first step on, and asks the model once', async () => {
    const { model, agent } = make([says('Do', 'ne.')])
    const run = agent.run('Go')
    let streamed = ''
    const [events, result] = await Promise.all([eventsOf(run), run.result])
    for await (const text of run.textStream) streamed += text
    expect([streamed, result.text, events.length, model.requests.length]).toEqual([
      'Done.',
      'Done.',
      3,
      1,
    ])
    expect(JSON.parse(JSON.stringify(events))).toEqual(events)
  })
  test('adds messages that go on with its conversation', async () => {
    const { model, agent } = make([calls(toolCall('echo')), says('One.'), says('Two.')], {
      tools: [echo],
    })
    const before: readonly Message[] = [{ role: 'user', content: 'First' }]
    const { messages, question } = await agent.run(before).result
    await agent.run([...before, ...messages, { role: 'user', content: 'Second' }]).result
    const roles = model.requests[2]?.messages.map(({ role }) => role)
    expect(roles).toEqual(['system', 'user', 'assistant', 'function', 'assistant', 'user'])
    expect(question).toBe('First')
  })
  test('that was left has no result', async () => {
    const run = make([says('Do', 'ne.')]).agent.run('Go')
    for await (const _ of run.events) break
    await expect(run.result).rejects.toMatchObject({ code: 'cancelled' })
  })
})

test('own tools and checked citations go together', async () => {
  const { ask } = await setUpAssistant(
    [
      { calls: [{ name: 'echo', arguments: { text: 'hi' } }] },
      { text: ['You get "24 days of leave" [1].'] },
    ],
    { options: { tools: [echo] } },
  )
  const run = ask('How many days of leave?')
  expect((await eventsOf(run)).map(({ type }) => type)).toContain('tool-result')
  expect((await run.result).citations).toMatchObject([{ text: '24 days of leave', verified: true }])
})

describe('what a tool answered', () => {
  const weather = defineTool({
    name: 'weather',
    description: 'The weather of a city.',
    parameters: [{ name: 'city' }],
    call: async ({ city }) => [
      { city, day: 'Monday', sky: 'heavy rain', degrees: 12 },
      { city, day: 'Tuesday', sky: 'bright sunshine', degrees: 21 },
    ],
  })
  const call = { calls: [{ name: 'weather', arguments: { city: 'Bern' } }] }
  const asked = async (text: string, options: object = {}) => {
    const { ask } = await setUpAssistant([call, { text: [text] }], {
      options: { tools: [weather], ...options },
    })
    return await ask('How many days of leave, and how is the weather in Bern?').result
  }
  test('is cited by its call, numbered together with documents', async () => {
    const { text, citations, toolCitations, unsupported } = await asked(
      'You get "24 days of leave" [1]. Bern has heavy rain on Monday.',
    )
    expect(text).toBe('You get "24 days of leave" [1]. Bern has heavy rain on Monday [2].')
    expect(citations).toMatchObject([{ marker: 1, doc: 'leave.md' }])
    expect(toolCitations).toMatchObject([
      { marker: 2, tool: 'weather', arguments: '{"city":"Bern"}' },
    ])
    const [{ text: words = '' } = {}] = toolCitations ?? []
    expect(JSON.parse(words)).toEqual({
      city: 'Bern',
      day: 'Monday',
      sky: 'heavy rain',
      degrees: 12,
    })
    expect(unsupported).toEqual([])
  })
  test('is no source of what it does not say', async () => {
    const { toolCitations, unconfirmed } = await asked(
      'Bern expects a violent snowstorm on Monday.',
    )
    expect(toolCitations).toBeUndefined()
    expect(unconfirmed).toEqual(['Bern expects a violent snowstorm on Monday.'])
  })
  test('may be quoted, and keeps a sentence that is not to be left without a source', async () => {
    const { text, toolCitations } = await asked(
      'On Tuesday there is "bright sunshine". A violent snowstorm buried the old town.',
      {
        removesUnsupported: true,
      },
    )
    expect(text).toBe('On Tuesday there is "bright sunshine" [1].')
    expect(toolCitations).toMatchObject([
      { marker: 1, text: expect.stringContaining('"day":"Tuesday"') },
    ])
  })
  test('is a source where the caller ran the tool, too', async () => {
    const { ask } = await setUpAssistant([{ text: ['Bern has heavy rain on Monday.'] }])
    const turn: readonly Message[] = [
      {
        role: 'assistant',
        content: '',
        functionId: 'a',
        functionCall: { name: 'sky', arguments: '{"city":"Bern"}' },
      },
      {
        role: 'function',
        name: 'sky',
        functionId: 'a',
        content: 'On Monday, Bern has heavy rain.',
      },
    ]
    const { toolCitations, unsupported } = await ask('How is the weather?', { turn }).result
    expect([toolCitations, unsupported]).toMatchObject([[{ tool: 'sky', callId: 'a' }], []])
  })
  test.each(['', 'call_0'])(
    'is cited apart where several answers have the same id, as %o',
    async id => {
      const { ask } = await setUpAssistant([
        { text: ['Bern has heavy rain. Rome has bright sunshine.'] },
      ])
      const turn = ['Bern has heavy rain.', 'Rome has bright sunshine.'].flatMap(
        (content): readonly Message[] => {
          const args = JSON.stringify({ city: content.slice(0, 4) })
          const of = { ...(id && { functionId: id }) }
          return [
            {
              role: 'assistant',
              content: '',
              functionCall: { name: 'sky', arguments: args },
              ...of,
            },
            { role: 'function', name: 'sky', content, ...of },
          ]
        },
      )
      const { text, toolCitations } = await ask('How is the weather?', { turn }).result
      expect(text).toBe('Bern has heavy rain [1]. Rome has bright sunshine [2].')
      const cited = { tool: 'sky', callId: id }
      expect(toolCitations).toMatchObject([
        { ...cited, marker: 1, arguments: '{"city":"Bern"}' },
        { ...cited, marker: 2, arguments: '{"city":"Rome"}' },
      ])
    },
  )
})

describe('an answer as data', () => {
  const outputSchema = z.object({ days: z.int() })
  test('is asked for and read, out of a code fence too', async () => {
    const { model, agent } = make([says('```json\n{"days": 24}\n```')], { outputSchema })
    expect((await agent.run('How many?').result).object).toEqual({ days: 24 })
    expect(model.requests[0]?.config?.responseFormat).toMatchObject({
      type: 'json_schema',
      schema: { type: 'object' },
    })
  })
  test('that misses the form is told what is wrong, once', async () => {
    const { model, agent } = make([says('{"days": "many"}'), says('{"days": 24}')], {
      outputSchema,
    })
    expect((await agent.run('How many?').result).object).toEqual({ days: 24 })
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringMatching(/days.* Answer again, with the JSON only\.$/),
    })
    const stubborn = make([says('Many.')], { outputSchema: { type: 'object', required: ['days'] } })
    await expect(stubborn.agent.run('How many?').result).rejects.toThrow(
      /twice gave an answer that does not match the output schema\. It is not JSON\.$/,
    )
    expect(stubborn.model.requests).toHaveLength(2)
  })
})

test('the data of an answer has the type of its schema', async () => {
  const model = new ScriptedChatModel([says('{"days": 24}')])
  const agent = new Agent({ model, outputSchema: z.object({ days: z.int() }) })
  const { object } = await agent.run('How many?').result
  const days: number | undefined = object?.days
  expect(days).toBe(24)
})

describe('a call that needs approval', () => {
  const script = [
    calls(toolCall('pay', '{"euros":5}', 'c1'), toolCall('echo', '{"text":"x"}', 'c2')),
    says('Done.'),
  ]
  const tools = [pay, echo]
  test.each([
    [true, 'paid', ['5']],
    [false, expect.stringMatching(/^The user refused this call/), []],
  ])('is decided at once where somebody is asked: %j', async (decision, told, paid) => {
    made.length = 0
    const { messages } = await make(script, { tools, approve: () => decision }).agent.run('Pay')
      .result
    expect(messages.find(({ name }) => name === 'pay')?.content).toEqual(told)
    expect(made).toEqual(paid)
  })
  test.each([
    [true, 'paid', ['5']],
    [false, expect.stringMatching(/^The user refused/), []],
  ])('lets the run pause, which another agent goes on with: %j', async (decision, told, paid) => {
    made.length = 0
    const run = make(script, { tools }).agent.run('Pay')
    expect((await eventsOf(run)).filter(({ type }) => type === 'approval')).toMatchObject([
      { call: { id: 'c1' } },
    ])
    const { finishReason, calls: open, messages } = await run.result
    expect([finishReason, open, made]).toEqual([
      'approval',
      [toolCall('pay', '{"euros":5}', 'c1')],
      [],
    ])
    const stored: readonly Message[] = JSON.parse(
      JSON.stringify([{ role: 'user', content: 'Pay' }, ...messages]),
    )
    const { model, agent } = make([says('Done.')], { tools })
    const { text, messages: added } = await agent.run(stored, { approvals: { c1: decision } })
      .result
    expect([text, made, added[0]?.content]).toEqual(['Done.', paid, told])
    expect(model.requests[0]?.messages.filter(({ role }) => role === 'function')).toHaveLength(2)
  })
  test('may depend on its arguments, which fit when it is asked', async () => {
    const dear = defineTool({
      ...{ name: 'pay', description: 'Pays.', parameters: z.object({ euros: z.number() }) },
      needsApproval: ({ euros }) => euros.toFixed(0).length > 1,
      call: async ({ euros }) => `paid ${euros}`,
    })
    const reasonOf = async (args: string) => {
      const { agent } = make([calls(toolCall('pay', args)), says('Done.')], { tools: [dear] })
      return (await agent.run('Pay').result).finishReason
    }
    expect(await reasonOf('{"euros":5}')).toBe('stop')
    expect(await reasonOf('{"euros":50}')).toBe('approval')
    for (const args of ['{"euros":"many"}', '{"euros":', '7'])
      expect(await reasonOf(args)).toBe('stop') // it is not made
  })
})

test('a conversation that was aborted between a call and its result goes on', async () => {
  const { model, agent } = make([says('Fine.')], { tools: [echo] })
  const call = {
    role: 'assistant',
    content: '',
    functionCall: { name: 'echo', arguments: '{}' },
  } as const
  const stray = { role: 'function', name: 'gone', functionId: 'x', content: 'late' } as const
  await agent.run([
    { role: 'user', content: 'Go' },
    call,
    stray,
    { role: 'user', content: 'Still there?' },
  ]).result
  const [, , made, result, question] = model.requests[0]!.messages
  expect(made?.functionId).toBeTruthy()
  expect(result).toMatchObject({
    functionId: made?.functionId,
    content: expect.stringMatching(/^This call was interr/),
  })
  expect(question?.content).toBe('Still there?')
})

const circle: Record<string, unknown> = { days: 24 }
circle.self = circle
test.each([
  [{ big: 10n }, '{"big":"10"}'],
  [circle, expect.stringContaining('days: 24')],
  [undefined, ''],
  [{ toJSON: () => Promise.reject }, ''],
])('a tool may answer anything: %#', async (answer, told) => {
  const odd = defineTool({ name: 'odd', description: '', parameters: [], call: async () => answer })
  const { messages } = await make([calls(toolCall('odd')), says('ok')], { tools: [odd] }).agent.run(
    'Go',
  ).result
  expect(messages.find(({ role }) => role === 'function')?.content).toEqual(told)
})

test('a run that paused goes on with the sources that it had, under their numbers', async () => {
  const setUp = () =>
    setUpAssistant(
      [
        { calls: [{ name: 'search', arguments: { query: 'certificate' } }] },
        { calls: [{ id: 'p1', name: 'pay', arguments: { euros: 5 } }] },
        { text: ['Needed "from day three" [2].'] },
      ],
      { options: { tools: [pay], maxSourceTokens: 60 } },
    )
  const { agentOf, memory } = await setUp()
  const agent = agentOf({ limit: 1 })
  const question: Message = { role: 'user', content: 'How many days of leave?' }
  const { messages } = await agent.run([question]).result
  const stored: readonly Message[] = JSON.parse(JSON.stringify([question, ...messages]))
  const searches = memory.queries.length
  const { citations } = await agent.run(stored, { approvals: { p1: true } }).result
  expect(citations).toMatchObject([{ text: 'from day three' }])
  expect(memory.queries).toHaveLength(searches)
})

test('an option that there is none of is named, with those that there are', () => {
  const model = new ScriptedChatModel([says('ok')])
  expect(() => new Agent({ model, system: 'Be brief.' } as AgentDeps)).toThrow(
    /^new Agent\(\) has no option system\. There are: model, name,/,
  )
  const mistaken: object = { abortSignal: new AbortController().signal }
  expect(() => new Agent({ model }).run('Hi', mistaken)).toThrow(
    /^run\(\) has no option abortSignal\. There are: signal,/,
  )
})

test.each<readonly [call: string, make: (options: never) => unknown]>([
  [
    'agentTool()',
    options =>
      agentTool(new Agent({ model: new ScriptedChatModel([]), description: 'x' }), options),
  ],
  ['groupChat()', options => groupChat([new Agent({ model: new ScriptedChatModel([]) })], options)],
  [
    'writeFromScratch()',
    options => writeFromScratch(new Agent({ model: new ScriptedChatModel([]) }), options),
  ],
  ['withRetries()', options => withRetries(echo, options)],
  ['new MemoryCache()', options => new MemoryCache(options)],
  ['new DiskCache()', options => new DiskCache(options)],
  ['storageTool()', options => storageTool(options)],
  ['connectMcpServers()', options => connectMcpServers({}, options)],
])('%s knows its options, too', async (call, make) => {
  const mistaken: object = { folder: '/nowhere', root: '/nowhere', nothing: 1 }
  await expect((async () => await make(mistaken as never))()).rejects.toThrow(
    `${call} has no option`,
  )
})

test.each<readonly [what: string, input: unknown, said: RegExp]>([
  ['an object', { prompt: 'Hi' }, /^run\(\) takes a question, or a list of messages/],
  ['nothing', [], /^There is no message to answer/],
  ['an empty question', ' ', /^The question is empty/],
  [
    'a role of another library',
    [{ role: 'tool', content: 'x' }],
    /has the role "tool"\. The roles are user, .*function/,
  ],
  ['a message without content', [{ role: 'user' }], /of the role user has content that is neither/],
  [
    'parts of another library',
    [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }],
    /neither a text nor a list of text, image, file, audio, video/,
  ],
])('%s is refused in a sentence, before the model is asked', (_, input, said) => {
  const { model, agent } = make([says('Hello.')])
  expect(() => agent.run(input as string)).toThrow(said)
  expect(model.requests).toEqual([])
})

describe('an answer of a tool', () => {
  const long = defineTool({
    ...{ name: 'long', description: '', parameters: [] },
    call: async () => ({
      content: [{ text: `a${'b'.repeat(2_000)}c` }, { image: 'data:x' }, { text: 'd'.repeat(900) }],
    }),
  })
  test('that is too long is cut, all its texts together, and said to be', async () => {
    const { agent } = make([calls(toolCall('long')), says('ok')], {
      tools: [long],
      maxToolTokens: 200,
    })
    const [, result] = (await agent.run('Go').result).messages
    const [first, picture, last] = result!.content as readonly { text?: string }[]
    expect(first?.text).toMatch(
      /^ab+\.\.\.b+c\n\[This answer is cut to 200 tokens: ask for less\.\]$/,
    )
    expect(first?.text?.length).toBeLessThan(200 * 3 + 60)
    expect(picture).toEqual({ image: 'data:x' })
    expect(last?.text).toBe('\n[This answer is cut to 200 tokens: ask for less.]')
  })
  test('is cut where it is that of an agent inside, too', async () => {
    const { agent: writer } = make([says('many words '.repeat(2_000))], {
      name: 'writer',
      description: 'Writes.',
    })
    const { model, agent } = make(
      [calls({ id: 'a', name: 'writer', arguments: '{"task":"Write."}' }), says('Done.')],
      {
        tools: [agentTool(writer)],
        maxToolTokens: 100,
      },
    )
    await agent.run('Go').result
    const told = model.requests[1]?.messages.at(-1)?.content ?? ''
    expect(told).toMatch(/^many words/)
    expect(told.length).toBeLessThan(1_000)
  })
  test('of a size that fits is left as it is', async () => {
    const { agent } = make([calls(toolCall('long')), says('ok')], {
      tools: [long],
      maxToolTokens: 1_000,
    })
    expect((await agent.run('Go').result).messages[1]?.content).toMatchObject([
      { text: expect.stringMatching(/c$/) },
      {},
      { text: expect.stringMatching(/^d+$/) },
    ])
  })
})

test('model calls and tool calls are observed, with what they cost and what went wrong', async () => {
  const steps: ObservedStep[] = []
  const fail = defineTool({
    name: 'fail',
    description: '',
    parameters: [],
    call: () => Promise.reject(new Error('no')),
  })
  const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3, cost: 0.25 }
  const script: readonly ScriptedAnswer[] = [
    calls(toolCall('echo'), toolCall('fail')),
    [{ type: 'usage', usage }, ...says('ok')],
  ]
  await make(script, { tools: [echo, fail], observe: step => steps.push(step) }).agent.run('Go')
    .result
  const shown = steps.map(
    step => `${step.type} ${'model' in step ? step.model : 'tool' in step ? step.tool : step.of}`,
  )
  expect(new Set(steps.map(({ id }) => id)).size).toBe(4)
  expect(steps.find(({ type }) => type === 'error')).toMatchObject({ kind: 'tool' })
  expect(steps.findLast(({ type }) => type === 'model-end')).toMatchObject({ usage })
  expect(shown.toSorted()).toEqual([
    ...[
      'error fail',
      'model-end scripted',
      'model-end scripted',
      'model-start scripted',
      'model-start scripted',
    ],
    ...['tool-end echo', 'tool-start echo', 'tool-start fail'],
  ])
})

test('a model call that is left has an end for who observes it', async () => {
  const steps: ObservedStep[] = []
  const { agent } = make([says('One.', 'Two.')], { observe: step => steps.push(step) })
  for await (const _ of agent.run('Go').textStream) break
  expect(steps).toMatchObject([
    { type: 'model-start' },
    { type: 'error', kind: 'model', error: { code: 'cancelled' } },
  ])
})

test('an agent inside another one is a tool: it is chosen, its steps are told under its name, its cost counts', async () => {
  const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3, cost: 0.25 }
  const [said, finish] = says('Sunny.')
  const { agent: inner } = make([[said!, { type: 'usage', usage }, finish!]], { name: 'weather' })
  const tools = [agentTool(inner, { description: 'Knows the weather.' })]
  const { agent } = make(
    [calls(toolCall('weather', '{"task":"Ulm?"}')), [{ type: 'usage', usage }, ...says('It is.')]],
    {
      tools,
    },
  )
  const run = agent.run('How is it in Ulm?')
  const told = (await eventsOf(run)).flatMap(event =>
    event.type === 'agent' ? [[event.name, event.event.type]] : [],
  )
  expect(told).toEqual(['text-delta', 'usage', 'finish'].map(type => ['weather', type]))
  expect(await run.result).toMatchObject({
    text: 'It is.',
    usage: { promptTokens: 2, totalTokens: 6, cost: 0.5 },
  })
})
