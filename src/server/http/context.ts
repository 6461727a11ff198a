import { randomUUID } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { AskOptions } from '../../app/ask-options.ts'
import { DEFAULT_TENANT, hasScope, type Key } from '../../app/tenants/keys.ts'
import type { Passim } from '../../app.ts'
import type { WhenRevoked } from '../../conversations/turn-work.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { Starts } from './starts.ts'

/** What every route finds beside the request. The store comes with the request, so that one server can serve several. */
export type ServerEnv = {
  /** Of Node's server; not there where a request never came over a connection. */
  readonly Bindings: Partial<HttpBindings> | undefined
  readonly Variables: {
    readonly passim: Passim
    readonly requestId: string
    /** Aborts when the server closes. */
    readonly closing: AbortSignal
    /** When a stream may begin its work. */
    readonly starts: Starts
    /** Who asks; undefined where no key is needed. */
    readonly key: Key | undefined
    /** The key is still valid, for what goes on after the request. */
    readonly isAdmitted: (() => Promise<boolean>) | undefined
    /** Calls `end` once the key is revoked. Returns a function that unregisters it. */
    readonly whenRevoked: WhenRevoked | undefined
    /** What the key of the request may still ask, where there is one. */
    readonly rate: Rate | undefined
    /** Aborts when the client leaves, the key is revoked, the server closes or the time is over: what to hand to everything that waits. */
    readonly signal: AbortSignal
    /** Of a request whose body was read before its route was reached. */
    readonly body: Buffer | undefined
    /** Of the form that the request brought, once it was taken in: the same for the same fields and bytes. */
    readonly formDigest: string | undefined
    /** Names of unknown parameters that were ignored. */
    readonly ignored: readonly string[] | undefined
    /** Sends the headers of a stream, and its events after them. */
    readonly begin: ((headers: Headers) => void) | undefined
    /** Where failures that are no client's fault are told. */
    readonly log: (message: string) => void
  }
}

/** How many requests a key has in a minute, how many are left, and when all are, in milliseconds. */
export type Rate = { readonly limit: number; readonly left: number; readonly fullInMs: number }

export type RequestContext = Context<ServerEnv>

/** Whoever runs this machine asks: nobody else may use its folders, nor the servers that it is set to use. */
export function isOperator(c: RequestContext): boolean {
  const key = c.get('key')
  return !key || (key.tenant === DEFAULT_TENANT && hasScope(key.scope, 'write'))
}

/** To the log, under the request's id. */
export function tellOperator(what: string, c: RequestContext): void {
  c.var.log(`${c.var.requestId} ${c.req.method} ${c.req.path}: ${what}`)
}

/** The tools of configured MCP servers are the operator's; with a key that reads, only those that read. */
export function outsideTools(c: RequestContext): NonNullable<AskOptions['outsideTools']> {
  if (isOperator(c)) return 'all'
  return c.get('key')?.tenant === DEFAULT_TENANT ? 'read-only' : 'none'
}

/** The document that the path names, in a collection that a user made. Throws `not_found`. */
export async function documentOf(c: RequestContext): Promise<Document> {
  return await c.var.passim.scope.findDocumentById(c.req.param('id')!) // every route that asks has an id
}

/** What a client and the log call a request by. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`
}
