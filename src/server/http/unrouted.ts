import type { Hono } from 'hono'
import { localizable } from '../../errors/localizable.ts'
import type { RequestContext, ServerEnv } from './context.ts'
import { answerError, createRefusal } from './errors.ts'

/** Routes of other services, with what to use instead. */
const NOT_SERVED: ReadonlyMap<string, string> = new Map([
  [
    'POST /v1/responses/compact',
    'Long conversations are shortened automatically: continue with previous_response_id or a conversation.',
  ],
  ['POST /v1/messages', 'Send messages to POST /v1/chat/completions or POST /v1/responses.'],
  ['POST /v1/embed', 'Send texts to POST /v1/embeddings.'],
  ['POST /v2/embed', 'Send texts to POST /v1/embeddings.'],
  ['POST /v2/chat', 'Send messages to POST /v1/chat/completions.'],
  ['POST /v1/assistants', 'Send questions to POST /v1/responses with a file_search tool.'],
  ['POST /v1/threads', 'Keep conversations with POST /v1/conversations.'],
])

export function isNotServed({ method, path }: RequestContext['req']): boolean {
  return NOT_SERVED.has(`${method} ${path}`)
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Answers 405 with the allowed methods, or 404. */
export function answerUnrouted(app: Hono<ServerEnv>): (c: RequestContext) => Response {
  return c => {
    const { method, path } = c.req
    const instead = NOT_SERVED.get(`${method} ${path}`)
    if (instead !== undefined) {
      const message = localizable`${method} ${path} is not served here. ${instead}`
      return answerError(createRefusal({ status: 404, code: 'not_found', message }), c)
    }
    const allowed = METHODS.filter(candidate => hasRoute(app, candidate, path))
    if (allowed.length === 0 && hasRoute(app, method, `/v1${path}`)) {
      const message = localizable`There is no route ${method} ${path}. If this is a client of OpenAI's API, let its base URL end in /v1.`
      return answerError(createRefusal({ status: 404, code: 'not_found', message }), c)
    }
    if (allowed.length === 0) {
      const message = localizable`There is no route ${method} ${path}. GET /openapi.json lists all routes.`
      return answerError(createRefusal({ status: 404, code: 'not_found', message }), c)
    }
    const message = localizable`${path} does not support ${method}: use ${allowed.join(' or ')}.`
    const headers = { allow: allowed.join(', ') }
    return answerError(
      createRefusal({ status: 405, code: 'method_not_allowed', message, headers }),
      c,
    )
  }
}

/** Ignores middleware, which matches every method. */
function hasRoute(app: Hono<ServerEnv>, method: string, path: string): boolean {
  const [matches] = app.router.match(method, path)
  return matches.some(([[, route]]) => route.method === method)
}
