import type { MiddlewareHandler } from 'hono'
import type { ServerEnv } from './context.ts'
import { refusal } from './errors.ts'

/** Whether only this machine reaches a server that listens there. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host)
}

/**
 * A server without keys trusts whoever reaches it, so a web page must not: its name may be made to point here (DNS
 * rebinding), and its forms may post here. Requests under any other name, or from a page of another host, are refused.
 */
export function onlyFromThisMachine(corsOrigins: readonly string[]): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const host = c.req.header('host') ?? new URL(c.req.url).host
    const origin = c.req.header('origin')
    if (!isLocal(`http://${host}`)) throw forbidden(`The host ${host} is not this machine's own name`)
    if (origin !== undefined && !isLocal(origin) && !corsOrigins.includes(origin))
      throw forbidden(`Pages of ${origin} may not use this server`)
    await next()
  }
}

function isLocal(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname)
}

function forbidden(what: string): Error {
  const message = `${what}: it answers to localhost, 127.0.0.1 and [::1] only.`
  return refusal({ status: 403, code: 'forbidden', message })
}
