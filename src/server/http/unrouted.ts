import type { Hono } from 'hono'
import type { RequestContext, ServerEnv } from './context.ts'
import { answerError, createRefusal } from './errors.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Answers 405 with the allowed methods, or 404. */
export function answerUnrouted(app: Hono<ServerEnv>): (c: RequestContext) => Response {
  return c => {
    const { method, path } = c.req
    const allowed = METHODS.filter(candidate => hasRoute(app, candidate, path))
    if (allowed.length === 0) {
      const message = `There is no route ${method} ${path}. GET /openapi.json lists all routes.`
      return answerError(createRefusal({ status: 404, code: 'not_found', message }), c)
    }
    const message = `${path} does not support ${method}: use ${allowed.join(' or ')}.`
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
