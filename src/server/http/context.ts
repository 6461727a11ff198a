import { randomUUID } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { parseAccept } from 'hono/utils/accept'
import type { AskOptions } from '../../app/ask-options.ts'
import type { Passim } from '../../app/passim.ts'
import { DEFAULT_TENANT, hasScope, isRestricted, type Key } from '../../app/tenants/keys.ts'
import type { WhenRevoked } from '../../conversations/turn-work.ts'
import { translate } from '../../errors/chinese/translate.ts'
import { getMessages, type Sentence } from '../../errors/localizable.ts'
import { omitAdvice } from '../../errors.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { Language } from '../../text/language.ts'
import type { Starts } from './starts.ts'

export type ServerEnv = {
  /** Missing without a connection. */
  readonly Bindings: (Partial<HttpBindings> & { readonly caller?: Caller }) | undefined
  readonly Variables: {
    readonly passim: Passim
    readonly requestId: string
    readonly closing: AbortSignal
    readonly starts: Starts
    readonly key: Key | undefined
    /** Tests the key later, for background work. */
    readonly isAdmitted: (() => Promise<boolean>) | undefined
    /** Returns a function that unregisters `end`. */
    readonly whenRevoked: WhenRevoked | undefined
    readonly rate: Rate | undefined
    /** Aborts if the client leaves, the key is revoked, the server closes or time is over. */
    readonly signal: AbortSignal
    /** Present if the body was read before the route. */
    readonly body: Buffer | undefined
    /** Parsed JSON body, without its refused `null` values. */
    readonly received: unknown
    readonly formDigest: string | undefined
    readonly ignored: readonly string[] | undefined
    readonly olderForms: OlderForms | undefined
    /** Language of messages in the answer; undefined if it has none. */
    readonly messageLanguage: Language | undefined
    readonly startResponse: ((headers: Headers) => void) | undefined
    readonly log: (message: string) => void
  }
}

/** A caller in this process, such as a batch. It was authenticated before. */
type Caller = { readonly passim: Passim; readonly key: Key | undefined }

/** Present for clients of an earlier version. */
export type OlderForms = {
  /** Current names by the older ones of requests. */
  readonly names: ReadonlyMap<string, string>
  readonly write: (value: object) => object
}

/** `fullInMs` until it is complete again. */
export type Rate = { readonly limit: number; readonly remaining: number; readonly fullInMs: number }

export type RequestContext = Context<ServerEnv>

/** The operator may use local folders and configured servers. */
export function isOperator(c: RequestContext): boolean {
  const key = c.get('key')
  return !key || (key.tenant === DEFAULT_TENANT && hasScope(key.scope, 'write'))
}

export function notifyOperator(what: string, c: RequestContext): void {
  c.var.log(`${c.var.requestId} ${c.req.method} ${c.req.path}: ${what}`)
}

/** Allows the operator's tools, with read keys only reading ones. */
export function getOutsideTools(c: RequestContext): NonNullable<AskOptions['outsideTools']> {
  if (isOperator(c)) return 'all'
  const key = c.get('key')
  return key?.tenant === DEFAULT_TENANT && !isRestricted(key) ? 'read-only' : 'none'
}

/** Writes a message in Chinese if the client prefers it and a translation exists. */
export function localize(c: RequestContext, message: Sentence): string {
  const chinese = prefersChinese(c) ? translate(message) : undefined
  if (chinese !== undefined) c.set('messageLanguage', 'zh')
  else if (!c.get('messageLanguage')) c.set('messageLanguage', 'en')
  return chinese ?? `${message}`
}

export function localizeWarning<Warning extends Warned>(
  c: RequestContext,
  warning: Warning,
): Omit<Warning, 'advice'> {
  return { ...omitAdvice(warning), message: localize(c, getMessages(warning).message) }
}

type Warned = { readonly message: string; readonly advice?: string }

/** Compares the two languages of the messages in RFC 9110's `Accept-Language`. */
function prefersChinese(c: RequestContext): boolean {
  const accepted = parseAccept(c.req.header('accept-language') ?? '')
  const preferred = accepted.find(({ type, q }) => q > 0 && /^(?:zh|en)(?:-|$)/i.test(type))
  return preferred !== undefined && /^zh/i.test(preferred.type)
}

/** Throws `not_found`. */
export async function findDocument(c: RequestContext): Promise<Document> {
  return await c.var.passim.scope.findDocumentById(c.req.param('id')!)
}

export function createRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`
}
