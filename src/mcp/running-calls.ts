import {
  DEFAULT_MAX_REQUEST_BODY_SIZE,
  type McpServer,
  readRequestBody,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

/** What a message has to be so that it matters here: a call that may run for long, or the wish to end one. */
const messageSchema = z.union([
  z.object({ method: z.literal('initialize'), id: z.union([z.string(), z.number()]) }),
  z.object({
    method: z.literal('notifications/cancelled'),
    params: z.object({ requestId: z.union([z.string(), z.number()]) }),
  }),
  z.object({ method: z.string(), id: z.union([z.string(), z.number()]) }),
])

/** Answers a request; the second argument spares reading its body again. */
type Serve = (request: Request, options?: { readonly parsedBody?: unknown }) => Promise<Response>

const SESSION = 'mcp-session-id'
const LONGEST_SESSION = 200
/** Requests of the protocol of 2026 name their method in a header; there the end of the connection is the cancellation. */
const MODERN = 'mcp-method'

/**
 * The calls that run for clients of 2025 over HTTP. Each of their requests is served by itself, so a cancellation, which comes
 * as a request of its own, has to find the call that it means: by the session that the client was given, and the call's id.
 * Nothing else is kept of a session, so that it needs no end and outlives a restart.
 */
export class RunningCalls {
  readonly #named = new WeakMap<Request, string>()
  readonly #running = new Map<string, McpServer>()

  /** Answers a request over the store `home`; what runs for one store can be cancelled there only. */
  async answer(home: string, request: Request, serve: Serve): Promise<Response> {
    const body = await jsonOf(request)
    if (body === undefined) return await serve(request)
    const { data: message } = messageSchema.safeParse(body)
    const session = request.headers.get(SESSION)?.slice(0, LONGEST_SESSION)
    const nameOf = (id: string | number) => JSON.stringify([home, session, id])
    if (message && session) {
      if ('params' in message) await this.#running.get(nameOf(message.params.requestId))?.close()
      else this.#named.set(request, nameOf(message.id))
    }
    const response = await serve(request, { parsedBody: body })
    return message?.method === 'initialize' && response.ok ? withSession(response) : response
  }

  /** The server that answers this request, known until it is closed. */
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

/** The message of a client of 2025; undefined for all others and for what is none, which the SDK answers by itself. */
async function jsonOf(request: Request): Promise<unknown> {
  if (request.method !== 'POST' || request.headers.has(MODERN)) return undefined
  try {
    const read = await readRequestBody(request.clone(), DEFAULT_MAX_REQUEST_BODY_SIZE)
    return read.tooLarge ? undefined : JSON.parse(read.text)
  } catch {
    return undefined // the SDK reads it again, and says what is wrong with it
  }
}

function withSession(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set(SESSION, crypto.randomUUID())
  return new Response(response.body, { status: response.status, headers })
}
