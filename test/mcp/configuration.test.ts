import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Keys } from '../../src/app/tenants/keys.ts'
import { mcpService } from '../../src/mcp.ts'
import { type Service, serve } from '../../src/server.ts'
import { oneStore } from '../fakes/one-store.ts'
import { Sandbox } from '../fakes/store.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Where the program is started from: the checkout, or where its tarball was installed. */
const { PASSIM_TEST_PACKAGE: PACKAGE = ROOT } = process.env

/** A server as clients' files describe it. */
type Described = {
  readonly type?: string
  readonly command?: string
  readonly args?: string[]
  readonly env?: Record<string, string>
  readonly url?: string
  readonly headers?: Record<string, string>
}
type Block = {
  readonly mcpServers?: Record<string, Described>
  readonly servers?: Record<string, Described>
}

let sandbox: Sandbox
let service: Service
let keys: Keys
let key: string
beforeAll(async () => {
  sandbox = await Sandbox.make()
  await sandbox.write({ 'leave.md': '# Leave\n\nEmployees receive 24 days of leave.' })
  const passim = await sandbox.open()
  await passim.collections.create({ name: 'papers', embedder: 'none' }) // the command line embeds by another model
  await passim.index([sandbox.path('leave.md')], { collection: 'papers' })
  keys = await Keys.open({ home: sandbox.home })
  key = (await keys.create({ name: 'test', tenant: 'default', scope: 'read' })).token
  const settings = { ...passim.settings.server, port: 0 }
  service = await serve(oneStore(passim), { settings, keys, log: () => {}, mcp: mcpService() })
})
afterAll(async () => {
  await service.close()
  await keys.close()
  await sandbox.remove()
})

const docs = readFileSync(`${ROOT}/docs/connect.md`, 'utf8')
const example = readFileSync(`${ROOT}/examples/mcp.json`, 'utf8')
const blocks = [...docs.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = '']) => text)

/** What a reader makes of a block: the places and the key that are his. */
function filledIn(text: string): Block {
  const mine = text
    .replaceAll('/path/to/passim', PACKAGE.replace(/\/$/, ''))
    .replaceAll('/path/to/store', sandbox.home)
  return JSON.parse(mine.replace('KEY', key).replace('http://127.0.0.1:7700', service.url)) as Block // ours
}

/** Runs the command, or goes to the address, exactly as it is written. */
function transportOf({ command, args = [], env = {}, url = '', headers = {} }: Described) {
  if (command) return new StdioClientTransport({ command, args, env, stderr: 'ignore' })
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
}

describe('a configuration from docs/connect.md works as it is written', () => {
  test.each([
    ['Claude Desktop', 'mcpServers', 0],
    ['Cursor', 'mcpServers', 1],
    ['VS Code', 'servers', 2],
    ['Cursor over HTTP', 'mcpServers', 3],
    ['VS Code over HTTP', 'servers', 4],
  ] as const)('%s', async (_, field, at) => {
    const described = filledIn(blocks[at] ?? '')[field]?.passim
    expect(Object.keys(JSON.parse(blocks[at] ?? ''))).toEqual([field])
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    )
    await client.connect(transportOf(described!), { timeout: 100_000 })
    const { structuredContent } = await client.callTool({ name: 'list_documents' })
    expect(structuredContent).toMatchObject({
      documents: [{ name: 'leave.md', status: 'completed' }],
    })
    await client.close()
  })
  test('and there are no others', () => {
    expect(blocks).toHaveLength(5)
    expect(JSON.parse(example)).toEqual(JSON.parse(blocks[0] ?? ''))
  })
})
