import { expect, test } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import type { AgentEvent } from '../../src/agent/event.ts'
import type { ChatModel, ToolCall } from '../../src/agent/model.ts'
import type { Tool } from '../../src/agent/tool.ts'
import { eventsOf } from '../fakes/answers.ts'
import { toolCall as call, calls, ScriptedChatModel, says } from '../fakes/scripted-chat-model.ts'

function tool(name: string, answer: Tool['call']): Tool {
  return { name, description: name, parameters: { type: 'object', properties: {} }, call: answer }
}

async function run(
  model: ChatModel,
  tools: readonly Tool[] = [],
  limits: { maxModelCalls?: number; maxToolCalls?: number; maxParallelTools?: number } = {},
): Promise<readonly AgentEvent[]> {
  return await eventsOf(new Agent({ model, tools, ...limits }).run('Go'))
}

/** What the model is told when it makes this call. */
async function checkToolAnswer(made: ToolCall, expected: string | RegExp, tools: readonly Tool[]) {
  const model = new ScriptedChatModel([calls(made), says('Done.')])
  const events = await run(model, tools)
  const result = events.find(event => event.type === 'tool-result')
  expect(result?.text).toMatch(expected)
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    role: 'function',
    content: result?.text,
  })
  expect(events.at(-1)).toMatchObject({
    type: 'finish',
    result: { text: 'Done.', finishReason: 'stop' },
  })
}

test('an answer without a call ends the loop', async () => {
  expect(await run(new ScriptedChatModel([says('Hello.')]))).toMatchObject([
    { type: 'text-delta', text: 'Hello.' },
    { type: 'finish', result: { text: 'Hello.', finishReason: 'stop' } },
  ])
})

test('a call, its result and the answer come in this order', async () => {
  const echo = tool('echo', async args => JSON.stringify(args))
  const events = await run(new ScriptedChatModel([calls(call('echo', '{"a":1}')), says('Done.')]), [
    echo,
  ])
  expect(events.map(event => event.type)).toEqual([
    'tool-call',
    'tool-start',
    'tool-result',
    'text-delta',
    'finish',
  ])
})

test('the model sees its call and the answer to it', async () => {
  const model = new ScriptedChatModel([calls(call('echo', '{"a":1}', 'id7')), says('Done.')])
  await run(model, [tool('echo', async () => 'it says so')])
  expect(model.requests[1]?.messages.slice(2)).toEqual([
    {
      role: 'assistant',
      content: '',
      functionCall: { name: 'echo', arguments: '{"a":1}' },
      functionId: 'id7',
    },
    { role: 'function', name: 'echo', functionId: 'id7', content: 'it says so' },
  ])
})

test('parallel calls run at once, at most so many, and are told as they end, and to the model in their order', async () => {
  let [running, most] = [0, 0]
  let begin = () => {}
  const lastBegins = new Promise<void>(resolve => {
    begin = resolve
  })
  const slow = tool('slow', async args => {
    most = Math.max(most, ++running)
    const { name } = args as { name: string } // as the script sends it
    if (name === 'c2') begin()
    if (name === 'c0') await lastBegins
    running--
    return `${name} is done`
  })
  const made = ['c0', 'c1', 'c2'].map(name => call('slow', JSON.stringify({ name }), name))
  const model = new ScriptedChatModel([calls(...made), says('Done.')])
  const events = await run(model, [slow], { maxParallelTools: 2 })
  const steps = events.flatMap(event => {
    if (event.type === 'tool-start') return [`${event.id} begins`]
    return event.type === 'tool-result' ? [event.text] : []
  })
  expect(steps.slice(0, 4)).toEqual(['c0 begins', 'c1 begins', 'c1 is done', 'c2 begins'])
  expect(steps.slice(4).sort()).toEqual(['c0 is done', 'c2 is done'])
  const told = model.requests[1]?.messages.flatMap(({ role, content }) =>
    role === 'function' ? [content] : [],
  )
  expect(told).toEqual(['c0 is done', 'c1 is done', 'c2 is done'])
  expect(most).toBe(2)
})

test('calls to which a server gives one id in several answers are told apart', async () => {
  const echo = tool('echo', async args => JSON.stringify(args))
  const pay = { ...tool('pay', async () => 'paid'), needsApproval: true }
  const delta = { type: 'tool-call-delta', id: 'call_0', name: 'pay', text: '{}' } as const
  const model = new ScriptedChatModel([
    calls(call('echo', '{"a":1}', 'call_0'), call('echo', '{"a":2}', 'call_0')),
    [delta, ...calls(call('pay', '{}', 'call_0'))],
    says('Done.'),
  ])
  const agent = new Agent({ model, tools: [echo, pay] })
  const asked = { role: 'user', content: 'Go' } as const
  const events = await eventsOf(agent.run([asked]))
  const made = events.flatMap(event => (event.type === 'tool-call' ? [event.call.id] : []))
  expect(new Set(made).size).toBe(3)
  expect(events.find(event => event.type === 'tool-call-delta')?.id).toBe(made[2])
  const paused = events.at(-1)
  if (paused?.type !== 'finish') throw new Error('It did not end.')
  expect(paused.result).toMatchObject({
    finishReason: 'approval',
    calls: [{ id: made[2], name: 'pay' }],
  })
  await agent.run([asked, ...paused.result.messages], { approvals: { [made[2] ?? '']: true } })
    .result
  expect(model.requests.at(-1)?.messages.filter(({ role }) => role === 'function')).toMatchObject([
    { functionId: made[0], content: '{"a":1}' },
    { functionId: made[1], content: '{"a":2}' },
    { functionId: made[2], content: 'paid' },
  ])
})

test('an unknown tool is said to the model', () =>
  checkToolAnswer(call('nosuch'), /^Tool nosuch does not exist\.$/, []))

test('a failing tool is said to the model in one line, without a stack', () => {
  const boom = tool('boom', async () => {
    throw new TypeError('bad key')
  })
  return checkToolAnswer(
    call('boom'),
    /^An error occurred when calling tool boom: TypeError: bad key$/,
    [boom],
  )
})

test('broken arguments are said to the model', () =>
  checkToolAnswer(call('echo', '{"a": '), /echo: The arguments are not valid JSON: \{"a": $/, [
    tool('echo', async () => ''),
  ]))

test('arguments in a code fence and in loose JSON are read', () => {
  const echo = tool('echo', async args => JSON.stringify(args))
  return checkToolAnswer(call('echo', "```json\n{a: 'b',}\n```"), /^\{"a":"b"\}$/, [echo])
})

test('an empty answer is an error, not another try', async () => {
  const model = new ScriptedChatModel([[{ type: 'finish', reason: 'stop' }]])
  await expect(run(model, [tool('echo', async () => '')])).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining('scripted gave no answer'),
  })
  expect(model.requests).toHaveLength(1)
})

test('what a model throws is thrown', async () => {
  const failing: ChatModel = {
    id: 'failing',
    // biome-ignore lint/correctness/useYield: it fails before the first event
    async *stream() {
      throw new Error('no power')
    },
  }
  await expect(run(failing)).rejects.toThrow('no power')
})

test('the last permitted call may not use tools, and a model that calls on is stopped', async () => {
  const model = new ScriptedChatModel([calls(call('echo'))])
  const events = await run(model, [tool('echo', async () => 'again')], { maxModelCalls: 3 })
  expect(model.requests.map(request => request.toolChoice)).toEqual(['auto', 'auto', 'none'])
  expect(events.at(-1)).toMatchObject({ result: { finishReason: 'max-model-calls' } })
})

test('once the permitted tool calls are made, in this run or before it, no more may be made, and a model that calls on is stopped', async () => {
  const made: string[] = []
  const echo = tool('echo', async ({ at }) => String(made.push(String(at))))
  const two = (from: number) =>
    calls(...[from, from + 1].map(at => call('echo', JSON.stringify({ at }), `c${at}`)))
  const model = new ScriptedChatModel([two(1), two(3), two(5)])
  const events = await run(model, [echo], { maxToolCalls: 4 })
  expect(model.requests.map(request => request.toolChoice)).toEqual(['auto', 'auto', 'none'])
  expect(events.at(-1)).toMatchObject({ result: { finishReason: 'max-tool-calls' } })
  expect(made).toEqual(['1', '2', '3', '4'])
  const over = new ScriptedChatModel([two(1), two(3)])
  const stopped = await run(over, [echo], { maxToolCalls: 3 })
  expect(stopped.at(-1)).toMatchObject({ result: { finishReason: 'max-tool-calls' } })
  expect(stopped.filter(({ type }) => type === 'tool-call')).toHaveLength(2)
  const { messages } = await new Agent({
    model: new ScriptedChatModel([two(1), says('Done.')]),
    tools: [echo],
  }).run('Go').result
  const goesOn = new ScriptedChatModel([two(3), says('Done.')])
  const { finishReason } = await new Agent({ model: goesOn, tools: [echo], maxToolCalls: 3 }).run([
    { role: 'user', content: 'Go' },
    ...messages.slice(0, -1),
  ]).result
  expect(finishReason).toBe('max-tool-calls')
})

test('an abort during a tool ends the loop by throwing', async () => {
  const controller = new AbortController()
  const stop = tool('stop', async (_, signal) => {
    controller.abort()
    signal?.throwIfAborted()
    return ''
  })
  const agent = new Agent({ model: new ScriptedChatModel([calls(call('stop'))]), tools: [stop] })
  await expect(agent.run('Go', { signal: controller.signal }).result).rejects.toMatchObject({
    name: 'AbortError',
  })
})
