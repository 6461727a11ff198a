import { afterEach, describe, expect, test } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import type { Message } from '../../src/agent/message.ts'
import { defineTool } from '../../src/agent/tools/define-tool.ts'
import { ChatModels } from '../../src/app/chat-models.ts'
import { loadSettings } from '../../src/config.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'

const open: ScriptedModel[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(server => server.close()))
})

type Given = { readonly answer?: unknown; readonly maxToolTokens?: number }

/** An agent as `open()` makes one, over a server that answers by this script, with a tool that answers with anything. */
async function agentOver(
  script: readonly ScriptedReply[],
  { answer = 'Fine.', maxToolTokens }: Given = {},
) {
  const server = await startScriptedModel(script)
  open.push(server)
  const settings = await loadSettings({
    environment: {},
    settings: { model: { url: server.url, name: 'scripted' } },
  })
  const made: unknown[] = []
  const look = defineTool({
    ...{ name: 'look', description: '', parameters: [{ name: 'at' }] },
    call: async args => {
      made.push(args)
      return answer
    },
  })
  const agent = new Agent({ model: new ChatModels(settings).open(), tools: [look], maxToolTokens })
  return { server, agent, made }
}

const CALL: ScriptedReply = { calls: [{ name: 'look', arguments: { at: 'x' } }] }
const DONE: ScriptedReply = { text: ['Done.'] }
const busy = (status: number): ScriptedReply => ({ status, headers: { 'retry-after': '0' } })
const data = (...chunks: readonly object[]) =>
  chunks.map(chunk => `data: ${JSON.stringify(chunk)}\n\n`).join('')

describe('a server that is busy', () => {
  test.each([429, 503])('with %d is asked again twice, by default', async status => {
    const { agent, server } = await agentOver([busy(status), busy(status), DONE])
    expect([(await agent.run('Go').result).text, server.requests.length]).toEqual(['Done.', 3])
    const patient = await agentOver([busy(status)])
    await expect(patient.agent.run('Go').result).rejects.toMatchObject({ name: 'AppError' })
    expect(patient.server.requests).toHaveLength(3)
  })
  test('for long is told on, with its time', async () => {
    const { agent, server } = await agentOver([{ status: 429, headers: { 'retry-after': '60' } }])
    await expect(agent.run('Go').result).rejects.toThrow(/Try again in 60 s/)
    expect(server.requests).toHaveLength(1)
  })
})

test('a conversation that was aborted at a call goes on: each call has its result, and no result is without its call', async () => {
  const { agent, server } = await agentOver([DONE])
  const call = {
    role: 'assistant',
    content: '',
    functionCall: { name: 'look', arguments: '{}' },
  } as const
  const said: readonly Message[] = [
    { role: 'user', content: 'Go' },
    { ...call, functionId: 'a' },
    { ...call, functionId: 'b' },
    { role: 'function', name: 'look', functionId: 'b', content: 'seen' },
    { role: 'function', name: 'look', functionId: 'gone', content: 'late' },
    { role: 'user', content: 'Still there?' },
  ]
  expect((await agent.run(said).result).text).toBe('Done.')
  const sent = server.requests[0]?.body.messages.filter(({ role }) => role !== 'system') ?? []
  expect(sent.map(({ role, tool_call_id }) => tool_call_id ?? role)).toEqual([
    'user',
    'assistant',
    'b',
    'a',
    'user',
  ])
  expect(sent[3]?.content).toMatch(/interrupted/)
})

test('an abort while a tool is at work ends the run, and the conversation goes on without it', async () => {
  const leaving = new AbortController()
  const { agent, server } = await agentOver([CALL, DONE])
  const said: Message[] = [{ role: 'user', content: 'Go' }]
  const run = agent.run(said, { signal: leaving.signal })
  const reading = (async () => {
    for await (const event of run.events) {
      if (event.type !== 'tool-call') continue
      const { id: functionId, name, arguments: args } = event.call
      said.push({
        role: 'assistant',
        content: '',
        functionCall: { name, arguments: args },
        functionId,
      })
      leaving.abort()
    }
  })()
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  await agent.run([...said, { role: 'user', content: 'And now?' }]).result
  expect(server.requests[1]?.body.messages.map(({ role }) => role).slice(-4)).toEqual([
    'user',
    'assistant',
    'tool',
    'user',
  ])
})

const toJSON = () => {
  throw new Error('It cannot.')
}
const cycle: Record<string, unknown> = { name: 'ring' }
cycle.self = cycle
test.each<readonly [what: string, answer: unknown, shown: RegExp]>([
  ['a large number', { count: 12345678901234567890n }, /12345678901234567890/],
  ['what refers to itself', cycle, /ring[\s\S]*Circular/],
  ['a map', { of: new Map([['a', 1]]) }, /"a",1/],
  ['nothing', undefined, /^(?!undefined)/],
  ['a date', { day: new Date(0) }, /1970-01-01/],
  ['what fails to say itself', { name: 'odd', toJSON }, /odd/],
])('a tool may answer with %s', async (_, answer, shown) => {
  const { agent, server } = await agentOver([CALL, DONE], { answer })
  expect((await agent.run('Go').result).text).toBe('Done.')
  expect(server.requests[1]?.body.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: expect.stringMatching(shown),
  })
})

test('an answer of a tool is bounded, and said to be cut', async () => {
  const { agent, server } = await agentOver([CALL, DONE], {
    answer: 'word '.repeat(10_000),
    maxToolTokens: 50,
  })
  await agent.run('Go').result
  const content = server.requests[1]?.body.messages.at(-1)?.content ?? ''
  expect(content).toMatch(
    /^word .*\.\.\..* word \n\[This answer is cut to 50 tokens: ask for less\.\]$/,
  )
  expect(content.length).toBeLessThan(500)
})

const finish = { choices: [{ delta: {}, finish_reason: 'tool_calls' }] }
const calling = (call: object) => ({
  choices: [{ delta: { tool_calls: [{ index: 0, ...call }] } }],
})
test.each<readonly [what: string, call: object]>([
  ['arguments that are an object', { id: 'a', function: { name: 'look', arguments: { at: 'x' } } }],
  ['no id', { function: { name: 'look', arguments: '{"at":"x"}' } }],
  ['an empty id, and no type', { id: '', function: { name: 'look', arguments: '{"at":"x"}' } }],
])('a call may come with %s', async (_, call) => {
  const { agent, server, made } = await agentOver([
    { raw: `${data(calling(call), finish)}data: [DONE]\n\n` },
    DONE,
  ])
  expect((await agent.run('Go').result).text).toBe('Done.')
  expect(made).toEqual([{ at: 'x' }])
  const [asked, answered] = server.requests[1]?.body.messages.slice(-2) ?? []
  const [{ id = '' } = {}] = (asked?.tool_calls ?? []) as readonly { id?: string }[]
  expect(id).not.toBe('')
  expect(answered).toMatchObject({ role: 'tool', tool_call_id: id })
})

test('a server may answer whole, and not stream', async () => {
  const whole = (message: object, finish_reason = 'stop'): ScriptedReply => ({
    ...{ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } },
    body: JSON.stringify({
      choices: [{ message, finish_reason }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    }),
  })
  const tool_calls = [
    { id: 'a', type: 'function', function: { name: 'look', arguments: { at: 'x' } } },
  ]
  const { agent, made } = await agentOver([
    whole({ content: null, tool_calls }, 'tool_calls'),
    whole({ content: 'Done.' }),
  ])
  const { text, usage } = await agent.run('Go').result
  expect([text, made, usage?.promptTokens]).toEqual(['Done.', [{ at: 'x' }], 6])
})

const begun = data({ choices: [{ delta: { content: 'It is' } }] })
test.each(['drop', 'end'] as const)(
  'an answer that is cut in its middle says so: %s',
  async ending => {
    const { agent } = await agentOver([{ raw: begun, ending }])
    const run = agent.run('Go')
    let told = ''
    const reading = (async () => {
      for await (const piece of run.textStream) told += piece
    })()
    await expect(reading).rejects.toThrow(/closed the connection in the middle of its answer/)
    expect(told).toBe('It is')
  },
)
