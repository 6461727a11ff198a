import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

type BodyLimits = {
  /** Bytes a second; 0 for any. */
  readonly minBodyRate: number
  /** How long a body may bring fewer, in milliseconds. */
  readonly slowBodyMs: number
}

/** How often it is looked, at least, in milliseconds. */
const MAX_STEP_MS = 1_000

/** `creditMs` is how long it may go on without bringing anything, `brought` and `waitedMs` what it did over all its time. */
type Arrival = { bytesRead: number; creditMs: number; brought: number; waitedMs: number }

/** What is known of the bodies that are arriving. */
export type SlowBodies = {
  /** The connection whose body came slowest from its beginning on, if one of these came too slowly. */
  readonly slowestOf: (sockets: readonly Socket[]) => Socket | undefined
}

/**
 * Cuts requests whose bodies drip: each may fall behind `minBodyRate` for `slowBodyMs`, and gets that time back as it
 * brings more. Only what the client keeps us waiting for counts: while bytes lie here unread, we are the slow ones. A
 * step counts as one however late it comes, so that nobody is cut because this process was busy.
 */
export function cutSlowBodies(server: Server, { minBodyRate, slowBodyMs }: BodyLimits): SlowBodies {
  if (minBodyRate === 0) return { slowestOf: () => undefined }
  const arriving = new Map<IncomingMessage, Arrival>()
  const stepMs = Math.min(MAX_STEP_MS, slowBodyMs)
  const look = () => {
    for (const [request, arrival] of arriving) {
      if (request.complete || request.destroyed) arriving.delete(request)
      else if (request.readableLength === 0 && isTooSlow(request, arrival)) cut(server, request)
    }
  }
  const isTooSlow = ({ socket }: IncomingMessage, arrival: Arrival) => {
    const bytes = socket.bytesRead - arrival.bytesRead
    const earnedMs = (bytes / minBodyRate) * 1000
    arrival.bytesRead = socket.bytesRead
    arrival.brought += bytes
    arrival.waitedMs += stepMs
    arrival.creditMs = Math.min(slowBodyMs, arrival.creditMs + earnedMs) - stepMs
    return arrival.creditMs < 0
  }
  const timer = setInterval(look, stepMs).unref()
  server.on('close', () => clearInterval(timer))
  server.on('request', request => {
    const waitedMs = -stepMs // the first step is taken soon after it began, and is no second
    arriving.set(request, {
      bytesRead: request.socket.bytesRead,
      creditMs: slowBodyMs,
      brought: 0,
      waitedMs,
    })
    request.once('close', () => arriving.delete(request))
  })
  const slowestOf = (sockets: readonly Socket[]) => {
    const among = new Set(sockets)
    const tooSlow = [...arriving].filter(([{ socket, complete }, arrival]) => {
      return !complete && among.has(socket) && rateOf(arrival) < minBodyRate
    })
    const [slowest] = tooSlow.toSorted(([, a], [, b]) => rateOf(a) - rateOf(b))
    return slowest?.[0].socket
  }
  return { slowestOf }
}

/** Bytes a second; of one that has had no time yet, the best there is. */
function rateOf({ brought, waitedMs }: Arrival): number {
  return waitedMs <= 0 ? Infinity : (brought / waitedMs) * 1000
}

/** As Node does with headers that do not come in time. */
function cut(server: Server, { socket }: IncomingMessage): void {
  const error = Object.assign(new Error('The request body arrived too slowly.'), {
    code: 'ERR_HTTP_REQUEST_TIMEOUT',
  })
  server.emit('clientError', error, socket)
}
