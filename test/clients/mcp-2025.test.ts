import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mcpService } from '../../src/mcp.ts'
import { CLI } from '../fakes/cli.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { openKeyed } from '../server/keyed.ts'
import { type Running, startServer } from '../server/running.ts'

const LEAVE = { 'leave.md': '# Leave\n\nEmployees receive 24 days of leave.' }
const ASK = {
  name: 'ask',
  arguments: { question: 'How many days of leave do employees receive?' },
}
/** Longer than a test may take: the call is cancelled by nothing but the signal. */
const TIMEOUT_MS = 600_000

let model: ScriptedModel
let isSilent = false
let service: Running
let sandbox: Sandbox
beforeAll(async () => {
  const text = Array.from({ length: 60 }, () => 'Employees receive 24 days. ')
  model = await startScriptedModel(() => (isSilent ? { hang: true } : { text }))
  service = await startServer(
    { settings: { model: { url: model.url, name: 'scripted' } } },
    { mcp: mcpService() },
  )
  await service.sandbox.write(LEAVE)
  await service.passim.index([service.sandbox.path('leave.md')])
  sandbox = await Sandbox.make()
  await sandbox.write(LEAVE)
  const passim = await sandbox.open()
  await passim.collections.create({ name: 'default', embedder: 'none' }) // the command line embeds by another model
  await passim.index([sandbox.path('leave.md')])
  await passim.close()
})
afterAll(async () => {
  await service.close()
  await sandbox.remove()
  await model.close()
})

async function connect(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
): Promise<Client> {
  const client = new Client({ name: 'old', version: '1' })
  // The transport's own type differs by undefined.
  await client.connect(transport as Parameters<Client['connect']>[0], { timeout: 90_000 })
  return client
}

describe.each([
  ['HTTP', () => new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`))],
  ['stdio', () => new StdioClientTransport(toCommand())],
] as const)('the SDK of 2025 over %s', (_, toTransport) => {
  test('lists, calls and reads', { timeout: 120_000 }, async () => {
    const client = await connect(toTransport())
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search')
    const { structuredContent } = await client.callTool({ name: 'list_documents', arguments: {} })
    expect(structuredContent).toMatchObject({
      documents: [{ name: 'leave.md', status: 'completed' }],
    })
    const { resources } = await client.listResources()
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' })
    expect(contents).toMatchObject([{ text: expect.stringContaining('24 days') }])
    const templates = (await client.listResourceTemplates()).resourceTemplates
    expect(templates.map(({ name }) => name)).toEqual(['document', 'passage'])
    const prompts = (await client.listPrompts()).prompts
    expect(prompts.map(({ name }) => name)).toEqual(['ask', 'summarise', 'compare'])
    const failed = await client.callTool({ name: 'fetch', arguments: { id: 'gone' } })
    expect([failed.isError, JSON.stringify(failed.content)]).toEqual([
      true,
      expect.stringMatching(/no document gone/),
    ])
    await client.close()
  })

  test('is told the progress of an answer', { timeout: 120_000 }, async () => {
    const client = await connect(toTransport())
    const progress: number[] = []
    await client.callTool(ASK, undefined, { onprogress: part => progress.push(part.progress) })
    expect(progress.length).toBeGreaterThan(1)
    expect(progress).toEqual([...new Set(progress)].toSorted((a, b) => a - b))
    await client.close()
  })

  test('ends the work of the model when it cancels', { timeout: 120_000 }, async () => {
    const client = await connect(toTransport())
    const errors: Error[] = []
    client.onerror = error => errors.push(error)
    const index = model.requests.length
    isSilent = true
    const controller = new AbortController()
    const { signal } = controller
    const answer = client.callTool(ASK, undefined, { signal, timeout: TIMEOUT_MS })
    const isRejected = expect(answer).rejects.toThrow()
    const request = await model.request(index)
    controller.abort('changed my mind')
    await request.closed
    isSilent = false
    await isRejected
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('ask')
    expect(errors).toEqual([])
    await client.close()
  })
})

test('the SDK of 2025 sends a key', async () => {
  const keyed = await openKeyed({})
  try {
    const token = await keyed.token('ours')
    const file = await keyed.upload(token, 'note.txt', 'The fox sleeps.')
    const store = { name: 'notes', file_ids: [file] }
    await keyed.call(token, 'POST', '/v1/vector_stores', store)
    const place = new URL('http://localhost/mcp?collection=notes')
    const client = await connect(
      new StreamableHTTPClientTransport(place, {
        fetch: async (url, init) => keyed.app.fetch(new Request(url, init)),
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    )
    const search = { name: 'search', arguments: { query: 'fox' } }
    await expect
      .poll(async () => (await client.callTool(search)).structuredContent)
      .toMatchObject({ results: [{ text: 'The fox sleeps.' }] })
  } finally {
    await keyed.close()
  }
})

function toCommand() {
  const env = { PASSIM_HOME: sandbox.home, PASSIM_MODEL_URL: model.url, PASSIM_MODEL: 'scripted' }
  return { command: CLI[0], args: [CLI[1], 'mcp'], env, stderr: 'ignore' as const }
}
