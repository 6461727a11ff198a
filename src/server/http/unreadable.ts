import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { localizable } from '../../errors/localizable.ts'
import { createRequestId } from './context.ts'
import { createInvalid, toErrorBody } from './errors.ts'

/** Node's parser errors; others are bad requests. */
const FAILURES: Readonly<
  Record<string, { readonly status: number; readonly code: string; readonly what: string }>
> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'too_large', what: 'its headers are too long' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'too_large',
    what: 'the extensions of its chunks are too long',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'timeout', what: 'it did not arrive in time' },
}

/** Answers a request that no route can read, such as a malformed Host. */
export function answerUnreadable(error: unknown): Response {
  const reason = error instanceof Error ? error.message : String(error)
  const response = createInvalid(localizable`The request cannot be read: ${reason}.`).getResponse()
  response.headers.set('x-request-id', createRequestId())
  return response
}

export function answerBrokenRequests(server: Server): void {
  const last = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, response) => last.set(socket, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = last.get(socket)
    const isUnderWay = response?.headersSent && !response.writableFinished
    if (isUnderWay || !socket.writable || error.code === 'ECONNRESET') socket.destroy(error)
    else socket.end(readRawBytes(error), () => socket.destroy())
  })
}

function readRawBytes({ code: reason = '', message }: NodeJS.ErrnoException): string {
  const { status, code, what } = FAILURES[reason] ?? {
    status: 400,
    code: 'invalid_input',
    what: message,
  }
  return formatRawRefusal(status, { code, message: `The request cannot be read: ${what}.` })
}

export function formatRawRefusal(
  status: number,
  failure: { readonly code: string; readonly message: string },
): string {
  const body = JSON.stringify(toErrorBody(status, failure))
  const headers = {
    connection: 'close',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-request-id': createRequestId(),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}
