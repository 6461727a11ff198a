import {
  DEFAULT_MAX_REQUEST_BODY_SIZE,
  type McpServer,
  readRequestBody,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

const messageSchema = z.union([
  z.object({ method: z.literal('initialize'), id: z.union([z.string(), z.number()]) }),
  z.object({
    method: z.literal('notifications/cancelled'),
    params: z.object({ requestId: z.union([z.string(), z.number()]) }),
  }),
  z.object({ method: z.string(), id: z.union([z.string(), z.number()]) }),
])

type Serve = (request: Request, options?: { readonly parsedBody?: unknown }) => Promise<Response>

const SESSION = 'mcp-session-id'
const MAX_SESSION_CHARS = 200
/** Header of the protocol of 2026, where closing the connection cancels. */
const MODERN = 'mcp-method'

/**
 * Running calls of HTTP clients of 2025. Requests are served separately, so a cancellation
 * finds its call by session and id. Sessions survive restarts.
 */
export class RunningCalls {
  readonly #named = new WeakMap<Request, string>()
  readonly #running = new Map<string, McpServer>()

  /** Cancels within one store. */
  async answer(home: string, request: Request, serve: Serve): Promise<Response> {
    const body = await parseBody(request)
    if (body === undefined) return await serve(request)
    const { data: message } = messageSchema.safeParse(body)
    const session = request.headers.get(SESSION)?.slice(0, MAX_SESSION_CHARS)
    const getName = (id: string | number) => JSON.stringify([home, session, id])
    if (message && session) {
      if ('params' in message) await this.#running.get(getName(message.params.requestId))?.close()
      else this.#named.set(request, getName(message.id))
    }
    const response = await serve(request, { parsedBody: body })
    return message?.method === 'initialize' && response.ok ? withSession(response) : response
  }

  watch(server: McpServer, request: Request | undefined): McpServer {
    const name = request && this.#named.get(request)
    if (name === undefined) return server
    this.#running.set(name, server)
    server.server.onclose = () => {
      if (this.#running.get(name) === server) this.#running.delete(name)
    }
    return server
  }
}

/** Returns the message of a 2025 client; undefined for what the SDK answers. */
async function parseBody(request: Request): Promise<unknown> {
  if (request.method !== 'POST' || request.headers.has(MODERN)) return undefined
  try {
    const read = await readRequestBody(request.clone(), DEFAULT_MAX_REQUEST_BODY_SIZE)
    return read.tooLarge ? undefined : JSON.parse(read.text)
  } catch {
    return undefined // the SDK reads it again and reports the fault
  }
}

function withSession(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set(SESSION, crypto.randomUUID())
  return new Response(response.body, { status: response.status, headers })
}
