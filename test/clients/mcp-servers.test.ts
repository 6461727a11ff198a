import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { expect, onTestFinished, test } from 'vitest'
import { callForContent, callTool } from '../../src/agent/tool.ts'
import { connectMcpServers } from '../../src/agent/tools/mcp-client.ts'
import { toolCall } from '../fakes/scripted-chat-model.ts'
import { createOldServer } from './old-mcp-server.mjs'

type Transport = SSEServerTransport | StreamableHTTPServerTransport
type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Map<string, Transport>,
) => Promise<unknown>

/** Serves the older transport only: a stream to read, and another address to post to. */
const answerSse: Answer = async (request, response, sessions) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/sse' && request.method === 'GET') {
    const transport = new SSEServerTransport('/messages', response)
    sessions.set(transport.sessionId, transport)
    return await createOldServer().connect(transport)
  }
  const session = sessions.get(searchParams.get('sessionId') ?? '')
  if (pathname === '/messages' && session instanceof SSEServerTransport)
    return await session.handlePostMessage(request, response)
  response.writeHead(404).end()
}

/** Serves sessions, each of which begins with its first request. */
const answerHttp: Answer = async (request, response, sessions) => {
  const id = request.headers['mcp-session-id']
  const known = sessions.get(String(id))
  if (known instanceof StreamableHTTPServerTransport)
    return await known.handleRequest(request, response)
  if (id !== undefined) return response.writeHead(404).end('Session not found')
  const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: session => void sessions.set(session, transport),
  })
  await createOldServer().connect(
    transport as Parameters<ReturnType<typeof createOldServer>['connect']>[0],
  ) // differs by undefined
  await transport.handleRequest(request, response)
}

/** Serves on loopback. `restart` forgets the sessions, and keeps the port. */
async function serve(answer: Answer) {
  let server: Server
  const start = async (port: number) => {
    const sessions = new Map<string, Transport>()
    server = createServer((request, response) => void answer(request, response, sessions))
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  const stop = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  const port = await start(0)
  const restart = async () => {
    await stop()
    await start(port)
  }
  onTestFinished(stop)
  return { origin: `http://127.0.0.1:${port}`, restart }
}

async function connect(...[servers, options]: Parameters<typeof connectMcpServers>) {
  const connection = await connectMcpServers(servers, options)
  onTestFinished(() => connection.close())
  expect(connection.failures).toEqual([])
  return connection.tools
}

const stdio = {
  command: process.execPath,
  args: [fileURLToPath(new URL('old-mcp-server.mjs', import.meta.url))],
}

test.each([
  ['SSE, found by its refusal', answerSse, { path: '/sse' }],
  ['SSE, named by its type', answerSse, { path: '/sse', type: 'sse' }],
  ['HTTP with sessions', answerHttp, { path: '/mcp' }],
] as const)(
  'a server over %s is used, and again after it was started anew',
  async (_, answer, { path, ...more }) => {
    const { origin, restart } = await serve(answer)
    const tools = await connect({ old: { url: `${origin}${path}`, ...more } })
    expect(tools.map(({ name }) => name)).toEqual([
      'old-show',
      'old-note',
      'old-roots',
      'old-order',
    ])
    expect(await callTool(tools, toolCall('old-note'))).toBe('note://1\nScale 1:100')
    await restart()
    expect(await callTool(tools, toolCall('old-note'))).toBe('note://1\nScale 1:100')
  },
)

test('a result has its pictures, and its resources with their addresses', async () => {
  const tools = await connect({ old: stdio })
  expect(await callForContent(tools, toolCall('old-show'))).toEqual([
    { text: 'A plan:' },
    { image: expect.stringMatching(/^data:image\/png;base64,iVBORw/) },
    { text: 'note://1\nScale 1:100' },
    { text: '[data://2, application/zip]' },
    { text: 'plan: file:///plan.dwg\nThe drawing.' },
  ])
})

test('a server started here is told the roots, one elsewhere is not', async () => {
  const { origin } = await serve(answerHttp)
  const roots = ['/srv/plans 1', '/srv/notes']
  const tools = await connect({ old: stdio, far: { url: `${origin}/mcp` } }, { roots })
  expect(await callTool(tools, toolCall('old-roots'))).toBe(
    roots.map(root => pathToFileURL(root).href).join(' '),
  )
  expect(await callTool(tools, toolCall('far-roots'))).toBe('none')
})

test('a server may ask the user where the host lets it', async () => {
  const { origin } = await serve(answerSse)
  const servers = { old: stdio, far: { url: `${origin}/sse` } }
  const forms: unknown[] = []
  const asked = await connect(servers, {
    elicit: async form => {
      forms.push(form)
      return form.server === 'old' ? { count: 3 } : undefined
    },
  })
  expect(await callTool(asked, toolCall('old-order'))).toBe('accept 3')
  expect(await callTool(asked, toolCall('far-order'))).toBe('decline')
  expect(forms).toMatchObject([
    { server: 'old', message: 'How many?', schema: { required: ['count'] } },
    { server: 'far' },
  ])
  expect(await callTool(await connect({ old: stdio }), toolCall('old-order'))).toBe(
    'Nobody can be asked.',
  )
})
