import { mkdir, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '../fakes/cli.ts'
import { buildMcpServer } from '../fakes/mcp-server-command.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { hasTerminal, startOnTerminal } from '../fakes/terminal.ts'

const DONE = { text: ['Employees receive "24 days of leave" [1].'] }
const script: ScriptedReply[] = [
  {
    calls: [
      { name: 'sums-add', arguments: { a: 20, b: 4 } },
      { name: 'sums-order', arguments: {} },
    ],
  },
  DONE,
]
let sandbox: Sandbox
let model: ScriptedModel
beforeAll(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel(script)
  const mcpServers = {
    sums: { ...(await buildMcpServer()), env: { ORDERS: '1' } },
    gone: { url: 'http://127.0.0.1:1/mcp' },
  }
  await mkdir(sandbox.home, { recursive: true })
  const settings = {
    model: { url: model.url, name: 'scripted' },
    agent: { mcpServers, mcpConnectMs: 60_000 },
  }
  await writeFile(`${sandbox.home}/config.yaml`, JSON.stringify(settings))
  await sandbox.write({ 'leave.md': 'Employees receive 24 days of leave.' })
})
afterAll(async () => {
  await model.close()
  await sandbox.remove()
})

test('ask uses the tools of the servers in the settings file, names one that cannot be reached, and fills in no form where nobody sits at a terminal', async () => {
  const { code, stdout, stderr } = await runCli(sandbox.home, [
    'ask',
    'How many days of leave?',
    '--file',
    sandbox.path('leave.md'),
  ])
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/The tools of the MCP server gone are left out/),
  ])
  expect(stdout).toMatch(/24 days of leave/)
  expect(model.requests[1]?.body.messages.slice(-2)).toMatchObject([
    { role: 'tool', content: '24' },
    { role: 'tool', content: expect.stringMatching(/elicit/) },
  ])
})

describe.skipIf(!hasTerminal)('a form of a server (needs Python for a terminal)', () => {
  const ORDER: ScriptedReply = { calls: [{ name: 'sums-order', arguments: {} }] }
  const ask = () => ['ask', 'How many days?', '--file', sandbox.path('leave.md')]
  const start = (args: readonly string[]) => {
    script.length = 0
    script.push(...model.requests.map(() => DONE), ORDER, DONE)
    return startOnTerminal(sandbox.home, args)
  }
  const answerOfTool = () => model.requests.at(-1)?.body.messages.at(-1)

  test('is filled in at the terminal, and asked again until it fits', async () => {
    const { child, ended, shown } = start(ask())
    await shown('The MCP server sums asks: How many?')
    await shown('count (number, empty to decline): ')
    child.stdin.write('many\r')
    await shown('This does not fit: must be number.')
    await shown('count (number, empty to decline): ')
    child.stdin.write('3\r')
    await shown('24 days of leave')
    expect(await ended).toBe(0)
    expect(answerOfTool()).toMatchObject({ role: 'tool', content: '3 ordered' })
  })
  test('is left by Ctrl-C, with the command', async () => {
    const { child, ended, shown } = start(ask())
    await shown('count (number, empty to decline): ')
    child.stdin.write('\u0003')
    expect(await ended).toBe(130)
  })
  test('is declined by an empty line, or filled in, within a conversation that goes on', async () => {
    await runCli(sandbox.home, ['index', sandbox.path('leave.md'), '--no-vectors'])
    const { child, ended, shown } = start(['chat'])
    script.push(ORDER, DONE)
    await shown('> ')
    child.stdin.write('How many days?\r')
    await shown('count (number, empty to decline): ')
    child.stdin.write('\r')
    await shown('24 days of leave')
    expect(answerOfTool()).toMatchObject({ content: 'Declined.' })
    await shown('> ')
    child.stdin.write('How many days of leave?\r')
    await shown('count (number, empty to decline): ')
    child.stdin.write('4\r')
    await shown('24 days of leave')
    await shown('> ')
    child.stdin.write('/quit\r')
    expect(await ended).toBe(0)
    expect(answerOfTool()).toMatchObject({ content: '4 ordered' })
  })
})
