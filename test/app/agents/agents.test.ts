import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { textContent } from '../../../src/agent/message.ts'
import { defineTool } from '../../../src/agent/tools/define-tool.ts'
import type { AgentOptions } from '../../../src/app/agents/agent-options.ts'
import type { Passim } from '../../../src/app/passim.ts'
import { runJson } from '../../../src/qwen/run-json.ts'
import { eventsOf } from '../../fakes/answers.ts'
import { ScriptedChatModel, says } from '../../fakes/scripted-chat-model.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  silentAfter,
  startScriptedModel,
} from '../../fakes/scripted-model-server.ts'
import { Sandbox } from '../../fakes/store.ts'

let sandbox: Sandbox
let server: ScriptedModel
let passim: Passim
const script: ScriptedReply[] = []
beforeAll(async () => {
  sandbox = await Sandbox.make()
  server = await startScriptedModel(script)
  const model = { url: server.url, name: 'scripted', temperature: 0.1, stop: ['A'] }
  passim = await sandbox.open({ settings: { model } })
  await sandbox.write({
    'leave.md': 'Employees receive 24 days of leave.',
    'pump.md': '水泵的保修期为三年。',
  })
  await passim.index([sandbox.path('leave.md')])
  await passim.index([sandbox.path('pump.md')], { collection: 'pumps' })
})
afterAll(async () => {
  await server.close()
  await sandbox.remove()
})
afterEach(() => {
  script.length = 0
})

const echo = defineTool({
  name: 'echo',
  description: 'Echoes.',
  parameters: [{ name: 'text' }],
  call: async args => args,
})
const HI = [{ role: 'user', content: 'How long?' }] as const
const OK: ScriptedReply = { text: ['ok'] }

/** What the server is asked, and the answer, when an agent with these options gets this script. */
async function ask(options: AgentOptions, replies: readonly ScriptedReply[] = [OK], how = {}) {
  const before = server.requests.length
  script.push(...Array.from({ length: before }, () => OK), ...replies)
  const result = await passim.agent(options).run(HI, how).result
  return { ...result, bodies: server.requests.slice(before).map(request => request.body) }
}

const system = async (options: AgentOptions) => (await ask(options)).bodies[0]?.messages[0]?.content

describe('an agent of the configured model', () => {
  test('has its name on what it says', async () =>
    expect((await ask({ name: 'clerk' })).messages).toMatchObject([
      { name: 'clerk', content: 'ok' },
    ]))
  test('says its instructions', async () =>
    expect(await system({ instructions: 'Be brief.' })).toMatch(/^Be brief\./))
  test('knows the documents of its collections', async () =>
    expect(await system({ collections: ['pumps'] })).toMatch(
      /\(pump\.md\):\n\n```\n水泵的保修期为三年。\n```/,
    ))
  test('knows its files, which need not lie under the roots', async () =>
    expect(await system({ files: [sandbox.path('leave.md')] })).toMatch(/24 days/))
  test('knows what it is given, instead of looking anything up', async () => {
    const given = await system({ collections: ['pumps'], knowledge: 'The pump is blue.' })
    expect([given?.includes('blue'), given?.includes('三年')]).toEqual([true, false])
  })
  test('asks another model of the server, or any', async () => {
    expect((await ask({ model: 'other' })).bodies).toMatchObject([{ model: 'other' }])
    const own = new ScriptedChatModel([says('mine')])
    expect((await ask({ model: own })).messages).toMatchObject([{ content: 'mine' }])
  })
  test('ends after so many model calls, and says so', async () => {
    const always = { calls: [{ name: 'echo', arguments: {} }] }
    const { finishReason, bodies } = await ask({ tools: [echo], maxModelCalls: 2 }, [
      always,
      always,
    ])
    expect(bodies.map(body => body.tool_choice)).toEqual(['auto', 'none'])
    expect(finishReason).toBe('max-model-calls')
  })
  test('calls a named tool first', async () => {
    const { bodies } = await ask({ tools: [echo], toolChoice: { name: 'echo' } }, [
      { calls: [{ name: 'echo', arguments: {} }] },
      OK,
    ])
    expect(bodies.map(body => body.tool_choice)).toEqual([
      { type: 'function', function: { name: 'echo' } },
      'auto',
    ])
  })
  test('tells its operator what a tool threw, and the model the sentence alone', async () => {
    const told: string[] = []
    const failing = defineTool({
      name: 'fail',
      description: '',
      parameters: [],
      call: () => Promise.reject(new Error(`no ${sandbox.home}/x`)),
    })
    const onToolError = (name: string, error: unknown) => told.push(`${name}: ${error}`)
    const { messages } = await ask({ tools: [failing], onToolError }, [
      { calls: [{ name: 'fail', arguments: {} }] },
      OK,
    ])
    expect(told).toEqual([`fail: Error: no ${sandbox.home}/x`])
    expect(textContent(messages[1]!)).toBe('An error occurred when calling tool fail: Error: no x')
  })
  test('refuses unknown tools, two of a name, and a named tool that is not there', async () => {
    expect(() => passim.agent({ tools: ['whether'] })).toThrow(
      /no tool whether\. There are: retrieval/,
    )
    expect(() => passim.agent({ tools: [echo, echo] })).toThrow(/Two tools are called echo/)
    await expect(ask({ tools: [echo], toolChoice: { name: 'eco' } })).rejects.toThrow(
      /no tool eco .*There are: echo/,
    )
  })
})

test('an agent with citations cites its collections, and calls its own tools', async () => {
  const cited: ScriptedReply = { text: ['They get "24 days of leave" [1].'] }
  const { citations, bodies } = await ask(
    { citations: true, instructions: 'Be brief.', tools: [echo] },
    [{ calls: [{ name: 'echo', arguments: { text: 'hi' } }] }, cited],
  )
  expect(citations).toMatchObject([{ doc: 'leave.md', text: '24 days of leave', verified: true }])
  expect(bodies[0]?.messages[0]?.content).toMatch(
    /^Be brief\.\n\nYou answer questions from the user's documents/,
  )
})

test('an agent with citations and files cites these', async () => {
  await sandbox.write({ 'notice.md': 'The notice period is as long as three months.' })
  const file = { citations: true, files: [sandbox.path('notice.md')] }
  const ofFile = await ask(file, [{ text: ['It is "three months" [1].'] }])
  expect(ofFile.citations).toMatchObject([{ doc: 'notice.md', text: 'three months' }])
})

test('an agent stops where nobody approves of its call', async () => {
  const careful = { ...echo, needsApproval: true }
  const paused = await ask({ tools: [careful] }, [{ calls: [{ name: 'echo', arguments: {} }] }])
  expect(paused).toMatchObject({ finishReason: 'approval', calls: [{ name: 'echo' }] })
})

test('the model may be given to open() itself', async () => {
  const other = await sandbox.open({
    home: sandbox.path('other'),
    model: { url: server.url, name: 'mine' },
  })
  expect(other.settings.model).toMatchObject({ name: 'mine', url: server.url })
})

test('a question is one model call, however much there is to search', async () => {
  const lines = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} tells of other things.`)
  await sandbox.write({ 'much.md': `Employees receive 24 days of leave.\n\n${lines.join('\n\n')}` })
  const settings = { model: { url: server.url, name: 'scripted' }, agent: { contextTokens: 200 } }
  const narrow = await sandbox.open({ settings })
  const before = server.requests.length
  script.push(...Array.from({ length: before }, () => OK), OK)
  const files = [sandbox.path('much.md')]
  await narrow.agent({ files }).run('How many days of leave?').result
  await narrow.agent({ files, citations: true }).run('How many days of leave?').result
  const asked = server.requests.slice(before).map(({ body }) => body.messages[0]?.content)
  expect(asked).toEqual([expect.stringContaining('24 days'), expect.stringContaining('24 days')])
})

test('a light model is asked for keywords, where one is set, and an event has them', async () => {
  const before = server.requests.length
  script.push(
    ...Array.from({ length: before }, () => OK),
    { text: ['{"keywords_en": ["leave"]}'] },
    OK,
  )
  const light = await sandbox.open({
    settings: {
      model: { url: server.url, name: 'scripted' },
      agent: { keywords: 'GenKeyword', keywordModel: 'light', contextTokens: 200 },
    },
  })
  const lines = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} tells of other things.`)
  await sandbox.write({ 'long.md': `Employees receive 24 days of leave.\n\n${lines.join('\n\n')}` })
  const run = light.agent({ files: [sandbox.path('long.md')] }).run('Which holidays are there?')
  const searches = (await eventsOf(run)).filter(({ type }) => type === 'retrieval')
  expect(searches).toMatchObject([
    {
      query: 'Which holidays are there? leave',
      keywords: ['leave'],
      hits: [{ name: 'long.md', text: expect.stringContaining('24 days of leave') }],
    },
  ])
  const bodies = server.requests.slice(before).map(request => request.body)
  expect(bodies.map(body => body.model)).toEqual(['light', 'scripted'])
  expect(bodies[1]?.messages[0]?.content).toContain('24 days of leave')
})

describe('settings of the model', () => {
  const config = { temperature: 0.2, topP: 0.5, stop: ['B'], extraBody: { top_k: 20 } }
  test('of a call win over those of the agent, and those over the model’s; stops join', async () => {
    const { bodies } = await ask({ config }, [OK], {
      config: { topP: 0.9, seed: 7, maxTokens: 5, stop: ['C'] },
    })
    expect(bodies).toMatchObject([
      { temperature: 0.2, top_p: 0.9, seed: 7, max_tokens: 5, stop: ['A', 'B', 'C'], top_k: 20 },
    ])
  })
  test('cannot replace the conversation, nor end the streaming', async () => {
    const { bodies } = await ask({
      config: { extraBody: { messages: [], model: 'x', stream: false } },
    })
    expect(bodies).toMatchObject([{ model: 'scripted', stream: true, messages: [HI[0]] }])
  })
  test('come in plain JSON, by the names of Qwen-Agent', async () => {
    const before = server.requests.length
    script.push(...Array.from({ length: before }, () => OK), OK)
    const generate_cfg = {
      top_p: 0.3,
      max_tokens: 9,
      function_choice: 'echo',
      extra_body: { min_p: 0.1 },
    }
    for await (const _ of runJson(passim.agent({ tools: [echo] }), HI, { generate_cfg }));
    expect(server.requests[before]?.body).toMatchObject({
      ...{ top_p: 0.3, max_tokens: 9, min_p: 0.1, temperature: 0.1 },
      tool_choice: { function: { name: 'echo' } },
    })
    const wrong = runJson(passim.agent(), HI, { generate_cfg: { top_p: 3 } })
    await expect(wrong.next()).rejects.toThrow(/generate_cfg\.top_p/)
  })
  test('of a call choose how tools are called', async () => {
    const written = '✿FUNCTION✿: echo\n✿ARGS✿: {"text": "hi"}'
    const { bodies, messages } = await ask({ tools: [echo] }, [{ text: [written] }, OK], {
      config: { functionCalling: 'qwen' },
    })
    expect(bodies.map(body => body.tools)).toEqual([undefined, undefined])
    expect(messages[1]).toMatchObject({ role: 'function', name: 'echo', content: '{"text":"hi"}' })
  })
  test('of a call say how often to try again', async () => {
    const { bodies } = await ask({}, [{ status: 503, headers: { 'retry-after': '0' } }, OK], {
      config: { maxRetries: 1 },
    })
    expect(bodies).toHaveLength(2)
  })
})

test('an answer that nobody reads to its end stops the request', async () => {
  const before = server.requests.length
  script.push(...Array.from({ length: before }, () => OK), silentAfter('You'))
  for await (const _ of passim.agent().run(HI).events) break
  await server.requests[before]?.closed
})
