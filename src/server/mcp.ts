import type { Passim } from '../app/passim.ts'
import { hasScope } from '../app/tenants/keys.ts'
import type { Asker } from '../conversations/turn-work.ts'
import { formatWithAdvice, toAppError } from '../errors.ts'
import { createTurnContext } from './conversations/turn-request.ts'
import { isOperator } from './http/context.ts'
import type { Routes } from './route.ts'

/** Passed in, because MCP is another face. */
export type AnswerMcp = (
  passim: Passim,
  request: Request,
  options: {
    readonly collections: readonly string[]
    readonly isReadOnly: boolean
    readonly isGuest: boolean
    readonly asker: Asker | null
    readonly signal: AbortSignal
    readonly onError: (error: Error) => void
  },
) => Promise<Response>

export function createMcpRoutes(answer: AnswerMcp): Routes {
  return {
    'POST /mcp': {
      summary: 'Exchange MCP messages over streamable HTTP',
      description:
        'Bodies follow the Model Context Protocol. `?collection=NAME` selects a collection and can be repeated. Default: the collection `default`.',
      media: ['application/json', 'text/event-stream'],
      speaksRpc: true,
      reply: c => {
        const mayWrite = !c.var.key || hasScope(c.var.key.scope, 'write')
        return answer(c.var.passim, c.req.raw, {
          collections: (c.req.queries('collection') ?? []).filter(name => name !== ''),
          isReadOnly: !mayWrite,
          isGuest: !isOperator(c),
          asker: mayWrite ? createTurnContext(c).asker : null,
          signal: c.var.signal,
          onError: error =>
            c.var.log(`${c.var.requestId} MCP: ${formatWithAdvice(toAppError(error))}`),
        })
      },
    },
  }
}
