import type { Handler } from 'hono'
import { allows, DEFAULT_TENANT } from '../app/keys.ts'
import type { Passim } from '../app.ts'
import type { RequestContext, ServerEnv } from './context.ts'

/** Answers a request of MCP over a store: another face, so it is handed in. */
export type AnswerMcp = (
  passim: Passim,
  request: Request,
  options: {
    readonly collections: readonly string[]
    readonly isReadOnly: boolean
    readonly signal: AbortSignal
    readonly onError: (error: Error) => void
  },
) => Promise<Response>

/** `/mcp`: vector stores by id or name in `?collection=`, else the default one. */
export function mcpRoute(answer: AnswerMcp): Handler<ServerEnv> {
  return c =>
    answer(c.var.passim, c.req.raw, {
      collections: c.req.queries('collection') ?? [],
      isReadOnly: !mayReadFolders(c),
      signal: c.var.signal,
      onError: error => c.var.log(`${c.var.requestId} MCP: ${error.message}`),
    })
}

/** Folders of this machine are indexed for its operator only: they are no tenant's. */
function mayReadFolders(c: RequestContext): boolean {
  const { key } = c.var
  return !key || (key.tenant === DEFAULT_TENANT && allows(key.scope, 'write'))
}
