import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import type { Key } from '../app/keys.ts'
import type { Passim } from '../app.ts'

/** What every route finds beside the request. The store comes with the request, so that one server can serve several. */
export type ServerEnv = {
  /** Of Node's server; not there where a request never came over a connection. */
  readonly Bindings: Partial<HttpBindings> | undefined
  readonly Variables: {
    readonly passim: Passim
    readonly requestId: string
    /** Aborts when the server closes: streams end, and say so. */
    readonly closing: AbortSignal
    /** Who asks; undefined where no key is needed. */
    readonly key: Key | undefined
    /** Aborts when the client leaves, the server closes or the time is over: what to hand to everything that waits. */
    readonly signal: AbortSignal
    /** Where failures that are no client's fault are told. */
    readonly log: (message: string) => void
  }
}

export type RequestContext = Context<ServerEnv>
export type Routes = Hono<ServerEnv>
