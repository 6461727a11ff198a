import { describe, expect, test } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { agentTool } from '../../../src/agent/agents/agent-tool.ts'
import { createRouter } from '../../../src/agent/agents/router.ts'
import type { Message } from '../../../src/agent/message.ts'
import { defineTool } from '../../../src/agent/tools/define-tool.ts'
import { runJson } from '../../../src/qwen/run-json.ts'
import {
  calls,
  type ScriptedAnswer,
  ScriptedChatModel,
  says,
  toolCall,
} from '../../fakes/scripted-chat-model.ts'

const PICTURE = { image: 'data:image/png;base64,AAAA' }
const FILE = { file: 'plan.pdf' }
const TALK: readonly Message[] = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Hello' },
  {
    role: 'assistant',
    name: '绘图',
    content: '',
    functionCall: { name: 'draw', arguments: '{}' },
    functionId: 'd1',
  },
  { role: 'function', name: 'draw', functionId: 'd1', content: 'drawn' },
  { role: 'assistant', name: '绘图', content: 'Here it is.' },
  { role: 'user', content: [{ text: 'What is in it?' }, PICTURE, FILE] },
]

const pay = defineTool({
  name: 'pay',
  description: '',
  parameters: [],
  needsApproval: true,
  call: async () => 'paid',
})

function create(name: string, ...script: readonly ScriptedAnswer[]) {
  const model = new ScriptedChatModel(script)
  return { model, agent: new Agent({ model, name, description: `Is ${name}.`, tools: [pay] }) }
}

function route(choice: string, ...agents: readonly ReturnType<typeof create>[]) {
  const model = new ScriptedChatModel([says(choice)])
  return {
    model,
    router: createRouter(
      agents.map(({ agent }) => agent),
      { model },
    ),
  }
}

/** What the model was sent, without system messages. */
function read(model: ScriptedChatModel, at = 0): readonly (readonly [string, unknown])[] {
  const sent = model.requests[at]?.messages.filter(({ role }) => role !== 'system') ?? []
  return sent.map(({ role, content }) => [role, content])
}

describe('a router', () => {
  test('gives the conversation to the agent that is chosen, and streams its answer', async () => {
    const [drawer, reader] = [create('绘图', says('No.')), create('阅读 员', says('A ', 'plan.'))]
    const { model, router } = route('阅读 员。', drawer, reader)
    const run = router.run(TALK)
    const deltas: string[] = []
    for await (const delta of run.textStream) deltas.push(delta)
    const { text, messages } = await run.result
    expect([deltas, text, messages[0]?.name]).toEqual([['A ', 'plan.'], 'A plan.', '阅读 员'])
    expect(drawer.model.requests).toEqual([])
    expect(read(reader.model)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Here it is.'],
      ['user', [{ text: '(Uploaded [file](plan.pdf)) What is in it?' }, PICTURE]],
    ])
    expect(model.requests[0]?.messages[1]?.content).toMatch(
      /- 绘图: Is 绘图\.\n- 阅读 员: Is 阅读 员\.[\s\S]*user: What is in it\?\n\[image\]\n\[file\]/,
    )
  })
  test('leaves an agent its own calls, and asks no model if one is called by name', async () => {
    const drawer = create('绘图', says('A house.'))
    const { model, router } = route('x', create('Ana'), drawer)
    await router.run([...TALK, { role: 'user', content: '@绘图 what?' }]).result
    expect(read(drawer.model).map(([role]) => role)).toEqual([
      ...['user', 'assistant', 'function', 'assistant', 'user', 'user'],
    ])
    expect(model.requests).toEqual([])
  })
  test('asks the first agent if the model names none, and has the name in plain JSON', async () => {
    const { router } = route('nobody', create('Ana', says('Yes.')), create('Bob'))
    let last: unknown
    for await (const list of runJson(router, [{ role: 'user', content: 'Hi' }])) last = list
    expect(last).toEqual([{ role: 'assistant', content: 'Yes.', name: 'Ana' }])
  })
  test('resumes the agent whose call waits for approval', async () => {
    const { model, router } = route(
      'Bob',
      create('Ana', says('No.')),
      create('Bob', calls(toolCall('pay')), says('Paid.')),
    )
    const { messages, finishReason } = await router.run('Pay').result
    const asked: readonly Message[] = [{ role: 'user', content: 'Pay' }, ...messages]
    const { text } = await router.run(asked, { approvals: { c1: true } }).result
    expect([finishReason, text, model.requests.length]).toEqual(['approval', 'Paid.', 1])
  })
  test('refuses agents without a purpose, and agents of one name', () => {
    const model = new ScriptedChatModel([])
    const { agent } = create('Ana')
    expect(() => createRouter([], { model })).toThrow(/at least one agent/)
    expect(() => createRouter([agent, agent], { model })).toThrow(/Two agents are called Ana/)
    expect(() => createRouter([new Agent({ model })], { model })).toThrow(/needs a description/)
  })
})

describe('an agent that is a tool', () => {
  const task = '{"task":"Say what it shows."}'

  test('hears the conversation with its pictures and files if it is to', async () => {
    const reader = create('reader', says('A plan.'))
    const model = new ScriptedChatModel([calls(toolCall('reader', task)), says('Done.')])
    const tools = [agentTool(reader.agent, { conversation: true })]
    await new Agent({ model, tools }).run(TALK).result
    expect(read(reader.model)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Here it is.'],
      ['user', [{ text: '(Uploaded [file](plan.pdf)) What is in it?' }, PICTURE]],
      ['user', 'Say what it shows.'],
    ])
  })
  test('hears its task only otherwise, and may have a name in any script', async () => {
    const reader = create('阅读员', says('A plan.'))
    const tool = agentTool(reader.agent)
    expect(tool.name).toMatch(/^agent_[0-9a-f]{8}$/)
    expect(tool.description).toBe('阅读员: Is 阅读员.')
    const model = new ScriptedChatModel([calls(toolCall(tool.name, task)), says('Done.')])
    await new Agent({ model, tools: [tool] }).run(TALK).result
    expect(read(reader.model)).toEqual([['user', 'Say what it shows.']])
  })
})
