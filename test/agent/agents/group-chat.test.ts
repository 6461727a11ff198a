import { describe, expect, test } from 'vitest'
import { Agent } from '../../../src/agent/agent.ts'
import { type AnyAgent, agentTool } from '../../../src/agent/agents/agent-tool.ts'
import { groupChat } from '../../../src/agent/agents/group-chat.ts'
import { writeFromScratch } from '../../../src/agent/agents/write-from-scratch.ts'
import type { Message } from '../../../src/agent/message.ts'
import { defineTool } from '../../../src/agent/tools/define-tool.ts'
import { toMessageJson } from '../../../src/qwen/message-json.ts'
import { runJson } from '../../../src/qwen/run-json.ts'
import { eventsOf } from '../../fakes/answers.ts'
import { setUpAssistant } from '../../fakes/scripted-assistant.ts'
import {
  calls,
  type ScriptedAnswer,
  ScriptedChatModel,
  says,
  toolCall,
} from '../../fakes/scripted-chat-model.ts'

const pay = defineTool({
  name: 'pay',
  description: '',
  parameters: [],
  needsApproval: true,
  call: async () => 'paid',
})

function member(name: string, ...script: readonly ScriptedAnswer[]) {
  const model = new ScriptedChatModel(script)
  return { model, agent: new Agent({ model, name, description: `Is ${name}.`, tools: [pay] }) }
}

/** Who spoke, in order. */
function speakers(messages: readonly Message[]) {
  return messages.map(({ name }) => name)
}

/** What a model was asked, without what the system says. */
function heard(model: ScriptedChatModel, at: number) {
  const said = model.requests[at]?.messages.filter(({ role }) => role !== 'system') ?? []
  return said.map(({ role, content }) => [role, content])
}

describe('a group chat', () => {
  test('goes round, and each hears the others as people who are named', async () => {
    const [ana, bob] = [
      member('Ana', says('One.'), says('Three.')),
      member('Bob', says('Two.'), says('Four.')),
    ]
    const run = groupChat([ana.agent, bob.agent], { maxRounds: 2 }).run('Count')
    const { text, messages } = await run.result
    expect(text).toBe('Ana: One.\n\nBob: Two.\n\nAna: Three.\n\nBob: Four.')
    expect(speakers(messages)).toEqual(['Ana', 'Bob', 'Ana', 'Bob'])
    expect(heard(bob.model, 1)).toEqual([
      ['user', 'user: Count\n\nAna: One.'],
      ['assistant', 'Two.'],
      ['user', 'Ana: Three.'],
    ])
    let streamed = ''
    for await (const piece of run.textStream) streamed += piece
    expect(streamed).toBe(text)
    const steps = (await eventsOf(run)).flatMap(event =>
      event.type === 'agent' ? [event.name] : [],
    )
    expect(new Set(steps)).toEqual(new Set(['Ana', 'Bob']))
  })
  test('lets speak who is named, by whichever name is the longer', async () => {
    const members = [
      member('Ana', says('@Bob2?')),
      member('Bob', says('No.')),
      member('Bob2', says('@Ana, yes.')),
    ]
    const chat = groupChat(
      members.map(({ agent }) => agent),
      { turns: 'manual', maxRounds: 1 },
    )
    expect(speakers((await chat.run('@Ana, who?').result).messages)).toEqual(['Ana', 'Bob2', 'Ana'])
    expect((await chat.run('Anybody?').result).messages).toEqual([])
  })
  test('ends at the turn of the user, and goes on with what is said then', async () => {
    const [ana, bob] = [member('Ana', says('Hello.')), member('Bob', says('Bye.'))]
    const chat = groupChat([ana.agent, bob.agent], { user: 'Eva', maxRounds: 1 })
    const before: readonly Message[] = [{ role: 'user', name: 'Eva', content: 'Hi' }]
    const { messages, finishReason } = await chat.run(before).result
    expect([speakers(messages), finishReason]).toEqual([['Ana', 'Bob'], 'stop'])
    const named = await chat.run([{ role: 'user', content: '@Bob first' }]).result
    expect(speakers(named.messages)).toEqual(['Bob'])
  })
  test('asks a model who is to speak, which may end it; a name that is none is passed over', async () => {
    const model = new ScriptedChatModel([says('Bob'), says('Nobody knows'), says('[STOP]')])
    const [ana, bob] = [member('Ana', says('Hello.')), member('Bob', says('Bye.'))]
    const chat = groupChat([ana.agent, bob.agent], { turns: 'auto', model })
    expect(speakers((await chat.run('Go').result).messages)).toEqual(['Bob', 'Ana'])
    expect(model.requests[0]?.messages[1]?.content).toMatch(
      /- Ana: Is Ana\.\n- Bob: Is Bob\.[\s\S]*user: Go/,
    )
  })
  test('lets anybody speak but the last one', async () => {
    const [ana, bob] = [member('Ana', says('Hello.')), member('Bob', says('Bye.'))]
    const chat = groupChat([ana.agent, bob.agent], {
      turns: 'random',
      random: () => 0.99,
      maxRounds: 1,
    })
    expect(speakers((await chat.run('Go').result).messages)).toEqual(['Bob', 'Ana'])
  })
  test('pauses with a member whose call needs approval, who goes on', async () => {
    const [ana, bob] = [
      member('Ana', calls(toolCall('pay')), says('Paid.')),
      member('Bob', says('Good.')),
    ]
    const chat = groupChat([ana.agent, bob.agent], { maxRounds: 1 })
    const { messages, finishReason, calls: open } = await chat.run('Pay').result
    expect([finishReason, open]).toMatchObject(['approval', [{ id: 'c1' }]])
    const again = await chat.run([{ role: 'user', content: 'Pay' }, ...messages], {
      approvals: { c1: true },
    }).result
    expect(again.text).toBe('Ana: Paid.\n\nBob: Good.')
    expect(heard(bob.model, 0)).toEqual([['user', 'user: Pay\n\nAna: Paid.']])
  })
  test('shows the turns between two of a member as one, with the pictures in them', async () => {
    const members = [
      member('Ana', says('One.')),
      member('Bob', says('Two.')),
      member('乙', says('三')),
    ]
    const picture = { image: 'data:image/png;base64,AAAA' }
    const asked: readonly Message[] = [
      { role: 'user', content: [{ text: 'What is it?' }, picture] },
    ]
    const chat = groupChat(
      members.map(({ agent }) => agent),
      { maxRounds: 1, user: 'Eva' },
    )
    await chat.run(asked).result
    const [, , last] = members
    expect(heard(last!.model, 0)).toEqual([
      [
        'user',
        [{ text: 'Eva: What is it?' }, picture, { text: 'Ana: One.' }, { text: 'Bob: Two.' }],
      ],
    ])
  })
  test('searches for what was asked, without names and without what others answered', async () => {
    const { server, agentOf } = await setUpAssistant([{ text: ['24 [1].'] }])
    const cited: AnyAgent = {
      name: 'Ana',
      description: '',
      run: (input, how) => agentOf().run(input, how),
    }
    const bob = member('Bob', says('I only know about pumps.'), says('@Ana, 年假可以顺延吗？'))
    const chat = groupChat([bob.agent, cited], { user: 'Eva', maxRounds: 1 })
    const question = 'How many days of leave?'
    const searched = async (content: string) =>
      (await eventsOf(chat.run([{ role: 'user', name: 'Eva', content }]))).flatMap(event =>
        event.type === 'agent' && event.event.type === 'retrieval' ? [event.event.query] : [],
      )
    expect(await searched(question)).toEqual([question])
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain(
      `Eva: ${question}\\n\\nBob: I only know about pumps.`,
    )
    expect(await searched(question)).toEqual(['年假可以顺延吗？'])
    expect(await searched(`@Ana, ${question}`)).toEqual([question])
  })
  test('has the messages of each speaker under its name in plain JSON', async () => {
    const chat = groupChat(
      [
        member('甲', calls(toolCall('pay', '{}', 'p1')), says('付了。')).agent,
        member('Bob', says('Go', 'od.')).agent,
      ],
      { maxRounds: 1 },
    )
    const paused = await chat.run('Pay').result
    const before = [{ role: 'user', content: 'Pay' }, ...paused.messages.map(toMessageJson)]
    const lists: (readonly string[])[] = []
    for await (const list of runJson(chat, before, { approvals: { p1: true } }))
      lists.push(list.map(({ name, content }) => `${name}: ${content}`))
    expect(lists.at(-1)).toEqual(['pay: paid', '甲: 付了。', 'Bob: Good.'])
    expect(lists).toContainEqual(['pay: paid', '甲: 付了。', 'Bob: Go'])
  })
  test('adds up what its members cost, and may be a tool', async () => {
    const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3 }
    const spend = [{ type: 'usage', usage } as const, ...says('Fine.')]
    const chat = groupChat([member('Ana', spend).agent, member('Bob', spend).agent], {
      ...{ name: 'panel', description: 'Discusses.', maxRounds: 1 },
    })
    const model = new ScriptedChatModel([
      calls(toolCall('panel', '{"task":"Talk"}')),
      says('Done.'),
    ])
    const { usage: all, messages } = await new Agent({ model, tools: [agentTool(chat)] }).run(
      'Ask them',
    ).result
    expect(all).toMatchObject({ totalTokens: 6 })
    expect(messages[1]?.content).toBe('Ana: Fine.\n\nBob: Fine.')
  })
  test('refuses what cannot work', () => {
    const { agent } = member('Ana', says(''))
    expect(() => groupChat([])).toThrow(/at least one agent/)
    expect(() => groupChat([agent, agent])).toThrow(/Two members are called Ana/)
    expect(() => groupChat([agent], { turns: 'auto' })).toThrow(/needs a model/)
    expect(() => groupChat([agent], { turns: 'chaos' as 'auto' })).toThrow(
      /no turns chaos. There are: auto/,
    )
  })
})

test('an agent inside another one that needs an approval says so', async () => {
  const { agent } = member('Ana', calls(toolCall('pay')))
  const model = new ScriptedChatModel([calls(toolCall('Ana', '{"task":"Pay"}')), says('Sorry.')])
  const { messages } = await new Agent({ model, tools: [agentTool(agent)] }).run('Pay').result
  expect(messages[1]?.content).toMatch(/nobody can approve its call of pay/)
  expect(() => agentTool(new Agent({ model }))).toThrow(/needs a description of assistant/)
})

test('a writer in a group chat writes what was asked, and reads what others said', async () => {
  const outline = '{"sections":[{"title":"Leave","about":"Days."}]}'
  const ana = member('Ana', says(outline), says('24 days.'))
  const bob = member('Bob', says('Mind the pumps.'))
  const author = { ...writeFromScratch(ana.agent), name: 'Ana' }
  const chat = groupChat([bob.agent, author], { user: 'Eva', maxRounds: 1 })
  const question = 'A page on leave.'
  await chat.run([{ role: 'user', name: 'Eva', content: question }]).result
  for (const at of [0, 1]) {
    const [talk, task] = heard(ana.model, at).map(([, content]) => String(content))
    expect(talk).toBe(`Eva: ${question}\n\nBob: Mind the pumps.`)
    expect(task).toContain(
      at === 0 ? `The text: ${question}` : `The text: ${question}\n\nIts outline`,
    )
    expect(task).not.toContain('pumps')
  }
})

test('who writes from scratch says what it lacks without a task', async () => {
  const author = writeFromScratch(member('Ana', says('No.')).agent)
  const before: readonly Message[] = [{ role: 'assistant', content: 'Hello.' }]
  await expect(author.run(before).result).rejects.toThrow(/no message is from the user/)
})
