import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { textContent } from '../../../src/agent/message.ts'
import { defineTool } from '../../../src/agent/tools/define-tool.ts'
import { McpTools } from '../../../src/app/agents/mcp-tools.ts'
import type { Passim } from '../../../src/app/passim.ts'
import { eventsOf, messagesOf } from '../../fakes/answers.ts'
import { buildMcpServer } from '../../fakes/mcp-server-command.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../../fakes/scripted-model-server.ts'
import { Sandbox } from '../../fakes/store.ts'

const dead = { command: process.execPath, args: ['-e', 'process.exit(1)'] }
const mute = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1e6)'] }

let sandbox: Sandbox
let model: ScriptedModel
let passim: Passim
const script: ScriptedReply[] = []
const told: string[] = []
beforeAll(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel(script)
  const agent = {
    mcpServers: { one: await buildMcpServer(), two: await buildMcpServer('add'), dead },
  }
  passim = await sandbox.open({
    settings: { model: { url: model.url, name: 'scripted' }, agent },
    onBackgroundError: (message, error) => told.push(`${message} ${error}`),
  })
  await sandbox.write({ 'leave.md': 'Employees receive 24 days of leave.' })
  await passim.index([sandbox.path('leave.md')])
})
afterAll(async () => {
  await model.close()
  await sandbox.remove()
})

const USER = [{ role: 'user', content: 'How many days of leave?' }] as const
const CALL: ScriptedReply = { calls: [{ name: 'one-add', arguments: { a: 2, b: 3 } }] }
const DONE: ScriptedReply = { text: ['Employees receive "24 days of leave" [1].'] }
const ONE = ['one-add', 'one-fail', 'one-hang', 'one-die']

/** The requests that the model got meanwhile. */
async function asked(replies: readonly ScriptedReply[], work: () => Promise<unknown>) {
  const before = model.requests.length
  script.length = 0
  script.push(...Array.from({ length: before }, () => DONE), ...replies)
  await work()
  return model.requests.slice(before).map(request => request.body)
}

const names = (body: { readonly [key: string]: unknown } | undefined) =>
  ((body?.tools ?? []) as readonly { function: { name: string } }[]).map(tool => tool.function.name)

describe('servers from the settings', () => {
  test('give their tools to an agent; one that is dead is told, and does not take the agent with it', async () => {
    let said = ''
    const bodies = await asked([CALL, DONE], async () => {
      const messages = await messagesOf(passim.agent({ tools: ['retrieval'] }), USER)
      said = messages.map(textContent).join('|')
    })
    expect(names(bodies[0])).toEqual(['retrieval', ...ONE, 'two-add'])
    expect(said).toMatch(/^\|5\|Employees receive/)
    expect(told).toEqual([
      expect.stringMatching(/^The tools of the MCP server dead are left out\. /),
    ])
  })
  test('are chosen by an agent, or left out', async () => {
    const of = async (mcpServers: readonly string[]) =>
      names((await asked([DONE], () => messagesOf(passim.agent({ mcpServers }), USER)))[0])
    expect([await of(['two']), await of([])]).toEqual([['two-add'], []])
  })
  test('are joined by servers among the tools of an agent, as Qwen-Agent has them', async () => {
    const tools = ['retrieval', { mcpServers: { mine: await buildMcpServer('sum') } }]
    const of = async () =>
      names(
        (await asked([DONE], () => messagesOf(passim.agent({ tools, mcpServers: [] }), USER)))[0],
      )
    expect(await of()).toEqual(['retrieval', 'mine-sum'])
    expect(await of()).toEqual(['retrieval', 'mine-sum'])
    const wrong = [{ mcpServers: { mine: { comand: 'x' } } }] as never
    expect(() => passim.agent({ tools: wrong })).toThrow(/mcpServers/)
    expect(() => passim.tools({ tools: wrong })).toThrow(/MCP servers belong to agent\(\)/)
  })
  test('leave the names that tools of a program have', async () => {
    const mine = defineTool({
      name: 'two-add',
      description: 'Mine.',
      parameters: [],
      call: async () => 'mine',
    })
    const [body] = await asked([DONE], () =>
      messagesOf(passim.agent({ tools: [mine], mcpServers: ['two'] }), USER),
    )
    expect(names(body)).toEqual(['two-add', expect.stringMatching(/^two-add_[0-9a-f]{8}$/)])
  })
  test('give their tools to an answer with citations, which says so to the model', async () => {
    let events: readonly AgentEvent[] = []
    const bodies = await asked([CALL, DONE], async () => {
      events = await eventsOf(passim.ask({ question: 'How many days of leave?' }))
    })
    expect(names(bodies[0])).toEqual(['search', 'documents', ...ONE, 'two-add'])
    expect(bodies[0]?.messages[0]?.content).toMatch(
      /What the other tools return may be relied on, too/,
    )
    expect(events).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ type: 'tool-result', text: '5' }),
        expect.objectContaining({
          type: 'finish',
          result: expect.objectContaining({ citations: [expect.anything()] }),
        }),
      ]),
    )
  })
  test('give only what only reads, or nothing, where somebody else asks', async () => {
    const of = async (outsideTools: 'read-only' | 'none') =>
      names(
        (await asked([DONE], () => eventsOf(passim.ask({ question: 'leave?', outsideTools }))))[0],
      )
    expect([await of('read-only'), await of('none')]).toEqual([
      ['search', 'documents', 'one-add'],
      ['search', 'documents'],
    ])
  })
})

test('a model is shown so many tokens of what a tool of a server answers, and told that it is cut', async () => {
  const talkative = await sandbox.open({
    settings: {
      model: { url: model.url, name: 'scripted' },
      agent: {
        mcpServers: { one: { ...(await buildMcpServer()), env: { SAYS: 'heavy rain ' } } },
        maxToolTokens: 100,
      },
    },
  })
  const CALL_SAY: ScriptedReply = { calls: [{ name: 'one-say', arguments: { times: 10_000 } }] }
  const bodies = await asked(
    [CALL_SAY, DONE],
    () => talkative.agent({ tools: [] }).run('How is the weather?').result,
  )
  await talkative.close()
  const shown = bodies[1]?.messages.at(-1)?.content ?? ''
  expect(shown).toMatch(
    /^heavy rain .*\.\.\..* heavy rain \n\[This answer is cut to 100 tokens: ask for less\.\]$/,
  )
  expect(shown.length).toBeLessThan(1_500)
})

test('a program gets the tools of the servers in the settings, and is told which of them cannot be reached', async () => {
  const connection = await passim.connectMcp()
  expect(connection.tools.map(tool => tool.name)).toEqual([...ONE, 'two-add'])
  expect(connection.failures).toMatchObject([{ server: 'dead' }])
  await connection.close()
})

describe('names', () => {
  test('that two servers would share, or two tools of one, are told apart', async () => {
    const servers = {
      a: await buildMcpServer('b-c', 'x.y', 'x_y'),
      'a-b': await buildMcpServer('c'),
    }
    const tools = new McpTools({
      servers,
      connectTimeoutMs: 60_000,
      callTimeoutMs: 60_000,
      onFailure: () => {},
    })
    const given = (await tools.listTools()).map(tool => tool.name)
    expect(given).toEqual([
      ...['a-b-c', 'a-x_y', expect.stringMatching(/^a-x_y_[0-9a-f]{8}$/)],
      expect.stringMatching(/^a-b-c_[0-9a-f]{8}$/),
    ])
    expect(await (await tools.listTools())[2]?.call({})).toBe('x_y')
    expect(await (await tools.listTools()).at(-1)?.call({})).toBe('c')
    expect((await tools.listTools()).map(tool => tool.name)).toEqual(given)
    await tools.close()
  })
})

test('a server that says nothing is left out after its time, and tried again after a minute', async () => {
  let now = 0
  const failures: string[] = []
  const tools = new McpTools({
    servers: { mute },
    ...{ connectTimeoutMs: 50, callTimeoutMs: 50, now: () => now },
    onFailure: (server, message) => failures.push(`${server}: ${message}`),
  })
  expect(await tools.listTools()).toEqual([])
  expect(failures).toEqual([expect.stringMatching(/^mute: .*timed out/i)])
  await tools.listTools()
  expect(failures).toHaveLength(1)
  now = 60_000
  await tools.listTools()
  expect(failures).toHaveLength(2)
  await expect(tools.listTools({ signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  })
  await tools.close()
})

test('what a server asks goes to elicit of open(); without it, the model learns that nobody can be asked', async () => {
  const shop = { ...(await buildMcpServer()), env: { ORDERS: 'yes' } }
  const settings = { model: { url: model.url, name: 'scripted' }, agent: { mcpServers: { shop } } }
  const order: ScriptedReply = { calls: [{ name: 'shop-order', arguments: {} }] }
  const forms: unknown[] = []
  const answers = [{ count: 3 }, undefined]
  const run = async (options: Parameters<Sandbox['open']>[0]) => {
    const own = await Sandbox.make()
    try {
      const opened = await own.open({ settings, ...options })
      let said: string[] = []
      await asked([order, DONE, order, DONE], async () => {
        for (const _ of answers.keys()) {
          const messages = await messagesOf(opened.agent(), USER)
          said = [...said, textContent(messages.find(({ role }) => role === 'function')!)]
        }
      })
      return said
    } finally {
      await own.remove()
    }
  }
  const elicit = async (form: unknown) => answers[forms.push(form) - 1]
  expect(await run({ elicit })).toEqual(['3 ordered', 'Declined.'])
  expect(forms[0]).toMatchObject({
    server: 'shop',
    message: 'How many?',
    schema: { type: 'object' },
  })
  expect((await run({}))[0]).toMatch(/^An error occurred when calling tool shop-order: .*elicit/i)
})
