import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

type BodyLimits = {
  /** Bytes per second; 0 for no minimum. */
  readonly minBodyRate: number
  /** Maximum time below it. */
  readonly slowBodyMs: number
}

/** Interval of the check, so that slow bodies are cut soon. */
const MAX_STEP_MS = 1_000

/** `creditMs`: time left without data; `receivedBytes` and `waitedMs` over its life. */
type Arrival = { bytesRead: number; creditMs: number; receivedBytes: number; waitedMs: number }

export type SlowBodies = {
  readonly findSlowest: (sockets: readonly Socket[]) => Socket | undefined
}

/**
 * Cuts bodies that stay below `minBodyRate` for `slowBodyMs`. Counts waiting for the client only.
 */
export function cutSlowBodies(server: Server, { minBodyRate, slowBodyMs }: BodyLimits): SlowBodies {
  if (minBodyRate === 0) return { findSlowest: () => undefined }
  const arriving = new Map<IncomingMessage, Arrival>()
  const stepMs = Math.min(MAX_STEP_MS, slowBodyMs)
  const checkBodies = () => {
    for (const [request, arrival] of arriving) {
      if (request.complete || request.destroyed) arriving.delete(request)
      else if (request.readableLength === 0 && isTooSlow(request, arrival)) cut(server, request)
    }
  }
  const isTooSlow = ({ socket }: IncomingMessage, arrival: Arrival) => {
    const bytes = socket.bytesRead - arrival.bytesRead
    const earnedMs = (bytes / minBodyRate) * 1000
    arrival.bytesRead = socket.bytesRead
    arrival.receivedBytes += bytes
    arrival.waitedMs += stepMs
    arrival.creditMs = Math.min(slowBodyMs, arrival.creditMs + earnedMs) - stepMs
    return arrival.creditMs < 0
  }
  const timer = setInterval(checkBodies, stepMs).unref()
  server.on('close', () => clearInterval(timer))
  server.on('request', request => {
    const waitedMs = -stepMs // the first step comes soon after the start
    arriving.set(request, {
      bytesRead: request.socket.bytesRead,
      creditMs: slowBodyMs,
      receivedBytes: 0,
      waitedMs,
    })
    request.once('close', () => arriving.delete(request))
  })
  const findSlowest = (sockets: readonly Socket[]) => {
    const among = new Set(sockets)
    const tooSlow = [...arriving].filter(([{ socket, complete }, arrival]) => {
      return !complete && among.has(socket) && computeRate(arrival) < minBodyRate
    })
    const [slowest] = tooSlow.toSorted(([, a], [, b]) => computeRate(a) - computeRate(b))
    return slowest?.[0].socket
  }
  return { findSlowest }
}

/** Returns bytes per second; infinite before the first step. */
function computeRate({ receivedBytes, waitedMs }: Arrival): number {
  return waitedMs <= 0 ? Infinity : (receivedBytes / waitedMs) * 1000
}

/** Cuts as Node does for late headers. */
function cut(server: Server, { socket }: IncomingMessage): void {
  const error = Object.assign(new Error('The request body arrived too slowly.'), {
    code: 'ERR_HTTP_REQUEST_TIMEOUT',
  })
  server.emit('clientError', error, socket)
}
