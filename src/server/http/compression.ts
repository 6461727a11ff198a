import type { MiddlewareHandler } from 'hono'
import type { ServerEnv } from './context.ts'

/** Leaves answers of one packet, so that compressing pays. */
const MIN_BYTES = 1024

export function createCompression(): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    await next()
    const isJson = (c.res.headers.get('content-type') ?? '').startsWith('application/json')
    if (!isJson || c.req.method === 'HEAD') return
    c.res.headers.append('vary', 'Accept-Encoding')
    if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(c.req.header('accept-encoding') ?? ''))
      return
    const { body, status } = c.res
    if (!body) return
    const { start, rest, isLong } = await readStart(body)
    const joined = joinChunks(start, rest)
    const headers = new Headers(c.res.headers)
    if (isLong) {
      headers.delete('content-length')
      headers.set('content-encoding', 'gzip')
    }
    c.res = undefined // avoids merging headers
    c.res = new Response(isLong ? joined.pipeThrough(new CompressionStream('gzip')) : joined, {
      status,
      headers: headers,
    })
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>

async function readStart(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const rest: Reader = body.getReader()
  const start: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  while (size <= MIN_BYTES) {
    const { done, value } = await rest.read()
    if (done) break
    start.push(value)
    size += value.length
  }
  return { start, rest, isLong: size > MIN_BYTES }
}

function joinChunks(
  start: readonly Uint8Array<ArrayBuffer>[],
  rest: Reader,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start: controller => {
      for (const chunk of start) controller.enqueue(chunk)
    },
    async pull(controller) {
      const { done, value } = await rest.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: reason => rest.cancel(reason),
  })
}
