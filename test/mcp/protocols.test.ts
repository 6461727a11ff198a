import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { serveMcpHttp } from '../../src/mcp/http.ts'
import { CLI, startCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim
let service: Awaited<ReturnType<typeof serveMcpHttp>>
beforeAll(async () => {
  sandbox = await Sandbox.make()
  await sandbox.write({ 'leave.md': '# Leave\n\nEmployees receive 24 days of leave.' })
  passim = await sandbox.open()
  await passim.index([sandbox.path('leave.md')])
  service = await serveMcpHttp(passim, { port: 0 })
})
afterAll(async () => {
  await service.close()
  await sandbox.remove()
})

const SYNONYMS = ['get_synonyms', 'set_synonyms']
const TOOLS = ['search', 'fetch', 'ask', 'converse', 'list_documents', ...SYNONYMS]
const WRITES = ['converse', 'set_synonyms']

describe('the protocol of 2025', () => {
  const command = { command: CLI[0], args: [CLI[1], 'mcp'] }
  const transports = {
    http: () => new StreamableHTTPClientTransport(new URL(service.url)),
    stdio: () =>
      new StdioClientTransport({
        ...command,
        env: { PASSIM_HOME: sandbox.home },
        stderr: 'ignore',
      }),
  }
  test.each(['http', 'stdio'] as const)(
    'lists, calls and reads over %s',
    async kind => {
      const client = new Client(
        { name: 'old', version: '1' },
        { versionNegotiation: { mode: 'legacy' } },
      )
      await client.connect(transports[kind](), { timeout: 90_000 })
      const { tools } = await client.listTools()
      expect(tools.map(tool => [tool.name, tool.annotations?.readOnlyHint])).toEqual(
        TOOLS.map(name => [name, !WRITES.includes(name)]),
      )
      const { structuredContent } = await client.callTool({ name: 'list_documents', arguments: {} })
      expect(structuredContent).toMatchObject({
        documents: [{ name: 'leave.md', status: 'completed' }],
      })
      const { resources } = await client.listResources()
      const { contents } = await client.readResource({ uri: resources[0]!.uri })
      expect(contents).toMatchObject([
        { mimeType: 'text/plain', text: expect.stringContaining('24 days') },
      ])
      const failed = await client.callTool({ name: 'fetch', arguments: { id: 'gone' } })
      expect([failed.isError, JSON.stringify(failed.content)]).toEqual([
        true,
        expect.stringMatching(/no document gone/),
      ])
      await client.close()
    },
    120_000,
  )

  test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
    'is answered in its own version of the protocol: %s',
    async version => {
      const params = {
        protocolVersion: version,
        capabilities: {},
        clientInfo: { name: 'old', version: '1' },
      }
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
      const answer = await (await fetch(service.url, { method: 'POST', headers, body })).text()
      expect(answer).toContain(`"protocolVersion":"${version}"`)
      expect(answer).toContain('"name":"passim"')
    },
  )
})

test('the current client reads the same over stdio', async () => {
  const env = { PASSIM_HOME: sandbox.home }
  const transport = new StdioClientTransport({
    command: CLI[0],
    args: [CLI[1], 'mcp'],
    env,
    stderr: 'ignore',
  })
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(transport, { timeout: 90_000 })
  const { resources } = await client.listResources()
  expect(resources.map(resource => resource.name)).toEqual(['leave.md'])
  const { structuredContent } = await client.callTool({ name: 'list_documents' })
  expect(structuredContent).toMatchObject({
    documents: [{ title: 'Leave', url: resources[0]?.uri }],
    has_more: false,
  })
  await client.close()
})

test('over stdio what is no message is answered by an error, and the next one is read', async () => {
  const { child, ended } = startCli(sandbox.home, ['mcp'])
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  }
  const long = JSON.stringify({ jsonrpc: '2.0', id: 6, method: 'x'.repeat(12 * 2 ** 20) })
  const lines = [
    '\u00ff{{{',
    '',
    'null',
    '{"jsonrpc":"2.0","id":5,"method":5}',
    '{"id":4,"result":4}',
    long,
  ]
  const answers: { id: unknown; error?: { code: number; message: string }; result?: object }[] = []
  const isAnswered = new Promise<void>(resolve => {
    createInterface(child.stdout!).on(
      'line',
      line => answers.push(JSON.parse(line)) === lines.length && resolve(),
    )
  })
  child.stdin!.write(
    `${lines.join('\n')}\n${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params })}\n`,
  )
  await Promise.race([isAnswered, ended])
  child.stdin!.end()
  expect((await ended).code).toBe(0)
  expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32700],
    [null, -32600],
    [5, -32600],
    [null, -32600],
    [null, -32600],
    [7, undefined],
  ])
  expect(answers[4]?.error?.message).toContain('larger than 4194304 bytes')
})
