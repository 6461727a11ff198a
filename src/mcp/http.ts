import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import type { Passim } from '../app/passim.ts'
import { type McpOptions, mcpHandler } from '../mcp.ts'
import { listen } from '../system/listen.ts'

type McpHttpOptions = McpOptions & { readonly port: number }

const PATH = '/mcp'

/** Serves MCP on loopback; refuses other host names and origins. */
export async function serveMcpHttp(passim: Passim, { port, ...options }: McpHttpOptions) {
  const handler = mcpHandler(passim, options)
  const answer = async (request: Request): Promise<Response> => {
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins())
    if (refused) return refused
    return new URL(request.url).pathname === PATH
      ? handler.fetch(request)
      : new Response('Not found', { status: 404 })
  }
  const server = createServer(getRequestListener(answer, { overrideGlobalObjects: false }))
  await listen(server, '127.0.0.1', port)
  const { port: actual } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${actual}${PATH}`,
    async close() {
      await handler.close()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
