import { afterAll, beforeAll, expect, test } from 'vitest'
import { callForContent, callTool } from '../../../src/agent/tool.ts'
import { connectMcpServers, type McpConnection } from '../../../src/agent/tools/mcp-client.ts'
import { buildMcpServer } from '../../fakes/mcp-server-command.ts'
import { toolCall } from '../../fakes/scripted-chat-model.ts'

const fake = await buildMcpServer()
const nothing = {
  command: process.execPath,
  args: ['-e', 'console.error("Starting.\\nThe key is missing."); process.exit(1)'],
}

let connection: McpConnection
beforeAll(async () => {
  const servers = {
    one: fake,
    two: fake,
    dead: nothing,
    away: { url: 'http://127.0.0.1:49151/mcp' },
  }
  connection = await connectMcpServers(servers)
})
afterAll(() => connection.close())

const call = (name: string, args: object = {}) =>
  callTool(connection.tools, toolCall(name, JSON.stringify(args)))

test('the tools of all servers are there, each under the name of its server', () => {
  const names = (server: string) => ['add', 'fail', 'hang', 'die'].map(tool => `${server}-${tool}`)
  expect(connection.tools.map(tool => tool.name)).toEqual([...names('one'), ...names('two')])
  expect(connection.tools[0]).toMatchObject({
    isReadOnly: true,
    parameters: { type: 'object', required: ['a', 'b'] },
  })
})

test('a tool that does not say that it only reads needs approval', () => {
  const careful = connection.tools
    .filter(tool => tool.needsApproval === true)
    .map(tool => tool.name)
  expect(careful).toEqual(
    ['one', 'two'].flatMap(server => ['fail', 'hang', 'die'].map(tool => `${server}-${tool}`)),
  )
})

test('a server that is not there is named beside the others, with the cause but no address', () =>
  expect(connection.failures).toEqual([
    { server: 'dead', message: expect.stringMatching(/\. It wrote: The key is missing\.$/) },
    { server: 'away', message: 'The server cannot be reached: ECONNREFUSED' },
  ]))

test('a tool answers, a failing one is told', async () => {
  expect(await call('one-add', { a: 2, b: 3 })).toBe('5')
  expect(await call('two-add', { a: 1 })).toMatch(
    /An error occurred when calling tool two-add: .*b/s,
  )
  expect(await call('one-fail')).toBe('An error occurred when calling tool one-fail: It broke.')
})

test('an answer that is too long is cut, and says so', async () => {
  const talkative = await connectMcpServers({ one: { ...fake, env: { SAYS: 'abcd ' } } })
  try {
    const answer = await callTool(talkative.tools, toolCall('one-say', '{"times":50000}'))
    expect(answer).toMatch(
      /abcd abcd \n\[This answer is cut to 200000 characters: ask for less\.\]$/,
    )
    expect(answer.length).toBeLessThan(200_100)
    expect(await callTool(talkative.tools, toolCall('one-say', '{"times":2}'))).toBe('abcd abcd ')
  } finally {
    await talkative.close()
  }
})

test('a result has its pictures, and its resources with their addresses', async () => {
  const shows = await connectMcpServers({ one: { ...fake, env: { SHOWS: '1' } } })
  expect(await callForContent(shows.tools, toolCall('one-show'))).toEqual([
    { text: 'A plan:' },
    { image: 'data:image/png;base64,AAAA' },
    { text: 'note://1\nScale 1:100' },
  ])
  await shows.close()
})

test('a tool that never answers is given up', async () => {
  const impatient = await connectMcpServers({ one: fake }, { callTimeoutMs: 1_000 })
  try {
    const answer = await callTool(impatient.tools, toolCall('one-hang', '{}'))
    expect(answer).toMatch(/An error occurred when calling tool one-hang: .*timed out/i)
  } finally {
    await impatient.close()
  }
})

test('a server that dies does not take the others with it, and is started again', async () => {
  expect(await call('two-die')).toMatch(/^An error occurred when calling tool two-die/)
  expect(await call('one-add', { a: 1, b: 1 })).toBe('2')
  expect(await call('two-add', { a: 1, b: 2 })).toBe('3')
})

test('a server that is killed ends its call at once, although its helper has its pipes', async () => {
  const helped = await connectMcpServers({ one: { ...fake, env: { HELPED: '1' } } })
  const helpers: number[] = []
  const readIds = async () => {
    const [server = 0, helper = 0] = (await callTool(helped.tools, toolCall('one-pids')))
      .split(' ')
      .map(Number)
    helpers.push(helper)
    return server
  }
  try {
    const hanging = callTool(helped.tools, toolCall('one-hang'))
    const server = await readIds() // answered after the call has arrived
    process.kill(server, 'SIGKILL')
    const killedMs = performance.now()
    expect(await hanging).toMatch(/^An error occurred when calling tool one-hang: .*closed/)
    expect(performance.now() - killedMs).toBeLessThan(5_000)
    expect(await readIds()).not.toBe(server)
  } finally {
    await helped.close()
    for (const helper of helpers) process.kill(helper)
  }
})
