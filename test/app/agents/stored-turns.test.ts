import { once } from 'node:events'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { agentTool } from '../../../src/agent/agents/agent-tool.ts'
import { groupChat } from '../../../src/agent/agents/group-chat.ts'
import { defineTool } from '../../../src/agent/tools/define-tool.ts'
import { ChatModels } from '../../../src/app/chat-models.ts'
import type { Passim } from '../../../src/app/passim.ts'
import { loadSettings } from '../../../src/config.ts'
import {
  calls,
  ScriptedChatModel,
  says,
  thenSilent,
  toolCall,
} from '../../fakes/scripted-chat-model.ts'
import { startScriptedModel } from '../../fakes/scripted-model-server.ts'
import { Sandbox } from '../../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await passim.index([
    await sandbox.write({ 'hotels.md': '# Hotels\n\nA hotel may cost 40 euros a night.' }),
  ])
})
afterAll(() => sandbox.remove())

const ANY_KNOWLEDGE = 'Hotels cost 40 euros.'

/** A tool that counts its calls. */
function counted(needsApproval = false) {
  const paid: unknown[] = []
  const call = async (args: unknown) => {
    paid.push(args)
    return 'paid'
  }
  return {
    paid,
    pay: defineTool({ name: 'pay', description: 'Pays.', parameters: [], needsApproval, call }),
  }
}

const saidTo = (model: ScriptedChatModel, at: number) =>
  model.requests[at]?.messages.filter(({ role }) => role !== 'system').map(({ content }) => content)

test('a run of an agent is the next turn of a conversation that is kept', async () => {
  const model = new ScriptedChatModel([says('Forty.'), says('Fifty.')])
  const agent = passim.agent({ model, knowledge: ANY_KNOWLEDGE })
  const first = await agent.run('What do hotels cost?', { conversation: 'new' }).result
  expect(first.conversation).toMatch(/^conv_/)
  const second = await agent.run('And in Rome?', { conversation: first.conversation }).result
  expect([second.text, second.conversation]).toEqual(['Fifty.', first.conversation])
  expect(saidTo(model, 1)).toEqual(['What do hotels cost?', 'Forty.', 'And in Rome?'])
  const turns = await passim.conversationService.listTurns(first.conversation!, { limit: 10 })
  expect(turns.map(({ question, status }) => [question, status])).toEqual([
    ['What do hotels cost?', 'completed'],
    ['And in Rome?', 'completed'],
  ])
})

test('one that is left early is gone on with by another process, and calls that were made are not made again', async () => {
  const { pay, paid } = counted()
  const agent = passim.agent({
    model: thenSilent(calls(toolCall('pay'))),
    knowledge: ANY_KNOWLEDGE,
    tools: [pay],
  })
  const { id: conversation } = await passim.conversations.create()
  for await (const event of agent.run('Pay.', { conversation }).events)
    if (event.type === 'tool-result') break
  const later = await sandbox.open()
  const model = new ScriptedChatModel([says('It is paid.')])
  const other = later.agent({ model, knowledge: ANY_KNOWLEDGE, tools: [pay] })
  expect((await other.run([], { conversation }).result).text).toBe('It is paid.')
  expect(paid).toHaveLength(1)
  expect(saidTo(model, 0)).toEqual(['Pay.', '', 'paid'])
  await expect(other.run([], { conversation }).result).rejects.toThrow(
    /was not interrupted: there is nothing to resume/,
  )
})

test('thoughts go back to their server in later turns, and where another process goes on with an answer', async () => {
  const thinks = (reasoning: string) => ({ reasoning: [reasoning] })
  const server = await startScriptedModel([
    { ...thinks('I look.'), calls: [{ id: 'c1', name: 'pay', arguments: {} }] },
    { ...thinks('It is paid.'), text: ['Paid.'] },
    { ...thinks('Again.'), calls: [{ id: 'c2', name: 'pay', arguments: {} }] },
    { text: ['Twice.'] },
  ])
  onTestFinished(() => server.close())
  const agentOf = async (store: Passim) => {
    const settings = await loadSettings({
      environment: {},
      settings: { model: { url: server.url, name: 'thinker' } },
    })
    return store.agent({
      model: new ChatModels(settings).open(),
      knowledge: ANY_KNOWLEDGE,
      tools: [counted(isNext).pay],
    })
  }
  const thoughts = (at: number) =>
    server.requests[at]?.body.messages.flatMap(({ role, reasoning_content }) =>
      role === 'assistant' ? [reasoning_content] : [],
    )
  let isNext = false
  const { conversation = '' } = await (await agentOf(passim)).run('Pay.', { conversation: 'new' })
    .result
  isNext = true
  const { finishReason, calls: open = [] } = await (await agentOf(passim)).run('Once more.', {
    conversation,
  }).result
  expect([finishReason, thoughts(2)]).toEqual(['approval', ['It is paid.']])
  const later = await agentOf(await sandbox.open())
  const approvals = Object.fromEntries(open.map(({ id }) => [id, true]))
  expect((await later.run([], { conversation, approvals }).result).text).toBe('Twice.')
  expect(thoughts(3)).toEqual(['It is paid.', 'Again.'])
})

test('of parallel calls each is kept when it ends, and those that had not begun are made when the answer is gone on with', async () => {
  const leaving = new AbortController()
  const made: string[] = []
  const pay = (hangs: boolean) =>
    defineTool({
      ...{ name: 'pay', description: 'Pays.', parameters: z.object({ whom: z.string() }) },
      call: async ({ whom }, signal) => {
        made.push(whom)
        if (!hangs || whom === 'Ada') return `paid ${whom}`
        const stopped = once(signal!, 'abort') // a run has one
        if (whom === 'Eve') leaving.abort()
        await stopped
        throw signal?.reason
      },
    })
  const [first, begun, unbegun] = ['Ada', ['Bea', 'Cyd', 'Dan', 'Eve'], ['Fay', 'Gil']] as const // four at a time
  const bills = [first, ...begun, ...unbegun].map(whom =>
    toolCall('pay', JSON.stringify({ whom }), whom),
  )
  const agent = passim.agent({
    ...{ model: thenSilent(calls(...bills)), knowledge: ANY_KNOWLEDGE, tools: [pay(true)] },
  })
  const { id: conversation } = await passim.conversations.create()
  await expect(agent.run('Pay.', { conversation, signal: leaving.signal }).result).rejects.toThrow()
  expect(made).toEqual([first, ...begun])
  const status = await passim.conversations.items(conversation, { limit: 1, order: 'desc' })
  expect(status).toMatchObject([{ kind: 'status', code: 'stopped', extra: { pending: unbegun } }])
  const later = await sandbox.open()
  const model = new ScriptedChatModel([says('It is paid.')])
  const other = later.agent({ model, knowledge: ANY_KNOWLEDGE, tools: [pay(false)] })
  expect((await other.run([], { conversation }).result).text).toBe('It is paid.')
  expect(made).toEqual([first, ...begun, ...unbegun])
  const told = model.requests[0]?.messages.filter(({ role }) => role === 'function')
  expect(
    Object.fromEntries(told?.map(({ functionId, content }) => [functionId, content]) ?? []),
  ).toEqual({
    ...{ Ada: 'paid Ada', Fay: 'paid Fay', Gil: 'paid Gil' },
    ...Object.fromEntries(begun.map(whom => [whom, expect.stringContaining('not known whether')])),
  })
})

test('a call that was under way is made once more where its tool says that it may be repeated', async () => {
  for (const about of [{ mayRepeat: true }, { isReadOnly: true }, { needsApproval: false }]) {
    const leaving = new AbortController()
    let made = 0
    const look = defineTool({
      ...{ name: 'look', description: 'Looks.', parameters: [], ...about },
      call: async (_, signal) => {
        if (++made > 1) return 'seen'
        const stopped = once(signal!, 'abort') // a run has one
        leaving.abort()
        await stopped
        throw signal?.reason
      },
    })
    const { id: conversation } = await passim.conversations.create()
    const agent = passim.agent({
      model: thenSilent(calls(toolCall('look'))),
      knowledge: ANY_KNOWLEDGE,
      tools: [look],
    })
    await expect(
      agent.run('Look.', { conversation, signal: leaving.signal }).result,
    ).rejects.toThrow()
    const model = new ScriptedChatModel([says('Done.')])
    const other = passim.agent({ model, knowledge: ANY_KNOWLEDGE, tools: [look] })
    expect((await other.run([], { conversation }).result).text).toBe('Done.')
    const [told] = model.requests[0]?.messages.filter(({ role }) => role === 'function') ?? []
    const isRepeated = !('needsApproval' in about)
    expect(made).toBe(isRepeated ? 2 : 1)
    expect(told?.content).toMatch(isRepeated ? /^seen$/ : /not known whether/)
  }
})

test('a call that needs approval is not made because the answer is gone on with', async () => {
  const leaving = new AbortController()
  const { pay, paid } = counted(true)
  const wait = defineTool({
    ...{ name: 'wait', description: 'Waits.', parameters: [] },
    call: async (_, signal) => {
      const stopped = once(signal!, 'abort') // a run has one
      leaving.abort()
      await stopped
      throw signal?.reason
    },
  })
  const model = thenSilent(calls(toolCall('wait', '{}', 'w'), toolCall('pay', '{}', 'p')))
  const agent = passim.agent({ model, knowledge: ANY_KNOWLEDGE, tools: [pay, wait] })
  const { id: conversation } = await passim.conversations.create()
  await expect(agent.run('Pay.', { conversation, signal: leaving.signal }).result).rejects.toThrow()
  const goesOn = new ScriptedChatModel([says('It is paid.')])
  const other = passim.agent({ model: goesOn, knowledge: ANY_KNOWLEDGE, tools: [pay, wait] })
  const { finishReason, calls: open } = await other.run([], { conversation }).result
  expect([finishReason, open?.map(({ id }) => id), paid.length]).toEqual(['approval', ['p'], 0])
  expect((await other.run([], { conversation, approvals: { p: true } }).result).text).toBe(
    'It is paid.',
  )
  expect(paid).toHaveLength(1)
})

test('one that waits for approval is gone on with by what was decided', async () => {
  const { pay, paid } = counted(true)
  const model = new ScriptedChatModel([calls(toolCall('pay')), says('It is paid.')])
  const agent = passim.agent({ model, knowledge: ANY_KNOWLEDGE, tools: [pay] })
  const {
    finishReason,
    calls: open,
    conversation,
  } = await agent.run('Pay.', { conversation: 'new' }).result
  expect([finishReason, open?.map(({ id }) => id), paid.length]).toEqual(['approval', ['c1'], 0])
  await expect(agent.run([], { conversation }).result).rejects.toThrow(
    'Calls wait for approval: c1',
  )
  const { text } = await agent.run([], { conversation, approvals: { c1: true } }).result
  expect([text, paid.length]).toEqual(['It is paid.', 1])
})

test('an answer of an agent is gone on with by no other face, which has not its tools', async () => {
  const model = new ScriptedChatModel([calls(toolCall('pay')), says('')])
  const agent = passim.agent({ model, knowledge: ANY_KNOWLEDGE, tools: [counted(true).pay] })
  const { conversation } = await agent.run('Pay.', { conversation: 'new' }).result
  await expect(
    passim.conversationService.resume(conversation!, { approvals: { c1: true } }),
  ).rejects.toThrow(/made by an agent/)
})

test('what a kept conversation cannot take is refused by name, and nothing is kept of it', async () => {
  const agent = passim.agent({
    model: new ScriptedChatModel([says('Forty.')]),
    knowledge: ANY_KNOWLEDGE,
  })
  const { id: conversation } = await passim.conversations.create()
  const refused = async (...asked: Parameters<typeof agent.run>) => {
    await expect((async () => await agent.run(...asked).result)()).rejects.toMatchObject({
      code: 'invalid_input',
    })
  }
  await refused(
    [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ],
    { conversation },
  )
  await refused('', { conversation })
  await refused('Pay.', { conversation, approvals: { c1: true } })
  await refused('Pay.', {
    conversation,
    callerTools: [{ name: 'pay', description: '', parameters: { type: 'object', properties: {} } }],
  })
  await expect(agent.run('Hi', { conversation: 'conv_gone' }).result).rejects.toMatchObject({
    code: 'not_found',
  })
  expect((await passim.conversations.get(conversation)).turns).toBe(0)
})

test('agents inside of agents take part in a turn, and have none of their own', async () => {
  const inner = passim.agent({
    ...{ name: 'expert', description: 'Knows hotels.', knowledge: ANY_KNOWLEDGE },
    model: new ScriptedChatModel([says('Forty.')]),
  })
  const model = new ScriptedChatModel([
    calls(toolCall('expert', '{"task": "What do hotels cost?"}')),
    says('It says 40.'),
  ])
  const outer = passim.agent({ model, knowledge: ANY_KNOWLEDGE, tools: [agentTool(inner)] })
  const { text, conversation } = await outer.run('What do hotels cost?', { conversation: 'new' })
    .result
  expect([text, (await passim.conversations.get(conversation!)).turns]).toEqual(['It says 40.', 1])
  const chat = groupChat([inner, outer], { turns: 'round_robin', maxRounds: 1 })
  expect((await chat.run('And in Rome?', { conversation: 'rome' }).result).text).toContain('Forty.')
})

test('ask goes on with a conversation, too', async () => {
  const first = await passim.ask({
    question: 'What may a hotel cost a night?',
    conversation: 'new',
  }).result
  expect([first.text, first.conversation]).toEqual([
    expect.stringContaining('40 euros'),
    expect.stringMatching(/^conv_/),
  ])
  const { conversation } = first
  expect(
    (await passim.ask({ question: 'And a hotel in Rome?', conversation }).result).conversation,
  ).toBe(conversation)
  expect((await passim.conversations.get(conversation!)).turns).toBe(2)
  const history = [{ role: 'user', content: 'Hi' }] as const
  await expect(passim.ask({ question: 'Hi', conversation, history }).result).rejects.toThrow(
    /^history cannot be combined/,
  )
})
