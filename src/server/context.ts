import type { Context, Hono } from 'hono'
import type { Passim } from '../app.ts'

/** What every route finds beside the request. The store comes with the request, so that one server can serve several. */
export type ServerEnv = {
  readonly Variables: {
    readonly passim: Passim
    readonly requestId: string
    /** Aborts when the server closes: streams end, and say so. */
    readonly closing: AbortSignal
    /** Where failures that are no client's fault are told. */
    readonly log: (message: string) => void
  }
}

export type RequestContext = Context<ServerEnv>
export type Routes = Hono<ServerEnv>
