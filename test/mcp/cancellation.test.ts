import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mcpService } from '../../src/mcp.ts'
import { CLI } from '../fakes/cli.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { type Running, startServer } from '../server/running.ts'

let model: ScriptedModel
let service: Running
let sandbox: Sandbox
beforeAll(async () => {
  model = await startScriptedModel([{ hang: true }])
  const settings = { model: { url: model.url, name: 'scripted' } }
  service = await startServer({ settings }, { mcp: mcpService() })
  await service.sandbox.write({ 'leave.md': '# Leave\n\nEmployees receive 24 days of leave.' })
  await service.passim.index([service.sandbox.path('leave.md')])
  sandbox = await Sandbox.make()
  await sandbox.write({ 'leave.md': '# Leave\n\nEmployees receive 24 days of leave.' })
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

const CALL = {
  name: 'ask',
  arguments: { question: 'How many days of leave do employees receive?' },
}

/** Calls `ask`, waits for the model to be asked, cancels, and waits for the model to be let go of. */
async function cancelled(call: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const at = model.requests.length
  const controller = new AbortController()
  const answer = call(controller.signal)
  const tooSoon = answer.then(result =>
    Promise.reject(new Error(`It answered: ${JSON.stringify(result)}`)),
  )
  const asked = await Promise.race([model.request(at), tooSoon])
  controller.abort('changed my mind')
  await asked.closed
  await expect(answer).rejects.toThrow()
  expect(model.requests).toHaveLength(at + 1)
}

function command() {
  const env = { PASSIM_HOME: sandbox.home, PASSIM_MODEL_URL: model.url, PASSIM_MODEL: 'scripted' }
  return { command: CLI[0], args: [CLI[1], 'mcp'], env, stderr: 'ignore' as const }
}

/** Longer than a test may take: the call is cancelled by nothing but the signal. */
const TIMEOUT_MS = 600_000

describe('a cancelled ask lets go of the model', () => {
  const url = () => new URL(`${service.url}/mcp`)

  test.each([
    ['HTTP', () => new StreamableHTTPClientTransport(url())],
    ['stdio', () => new StdioClientTransport(command())],
  ] as const)('by the current client over %s', async (_, transport) => {
    for (const mode of ['auto', 'legacy'] as const) {
      const client = new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode } })
      const errors: Error[] = []
      client.onerror = error => errors.push(error)
      await client.connect(transport())
      await cancelled(signal => client.callTool(CALL, { signal, timeout: TIMEOUT_MS }))
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('ask')
      expect(errors).toEqual([])
      await client.close()
    }
  })

  test('of a session, and no call of another one', async () => {
    const [ours, other] = await Promise.all([initialized(), initialized()])
    expect(ours).not.toBe(other)
    const at = model.requests.length
    const answer = post({ id: 7, method: 'tools/call', params: CALL }, ours)
    const asked = await model.request(at)
    await post({ method: 'notifications/cancelled', params: { requestId: 7 } }, other)
    await post({ method: 'notifications/cancelled', params: { requestId: '7' } }, ours)
    let isClosed = false
    asked.closed.then(() => {
      isClosed = true
    })
    await (await post({ id: 8, method: 'ping' }, ours)).text()
    expect(isClosed).toBe(false)
    await post({ method: 'notifications/cancelled', params: { requestId: 7 } }, ours)
    await asked.closed
    expect(await (await answer).text()).not.toContain('"id":7')
  })

  async function initialized(): Promise<string> {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    }
    const response = await post({ id: 1, method: 'initialize', params })
    await response.text()
    return response.headers.get('mcp-session-id') ?? ''
  }

  async function post(message: object, session?: string): Promise<Response> {
    const type = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const headers = { ...type, ...(session && { 'mcp-session-id': session }) }
    return await fetch(url(), {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  }
})

test('a client that leaves before its request is whole is told of as that', async () => {
  const leaving = new AbortController()
  const left = new Error('The client left.')
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      leaving.abort(left)
      controller.enqueue(Buffer.from('{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'))
      controller.close()
    },
  })
  const request = new Request(`${service.url}/mcp`, { method: 'POST', body, duplex: 'half' })
  await expect(mcpService()(service.passim, request, { signal: leaving.signal })).rejects.toBe(left)
})
