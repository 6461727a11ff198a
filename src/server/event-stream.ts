import { setTimeout as sleep } from 'node:timers/promises'
import { streamSSE } from 'hono/streaming'
import type { RequestContext } from './context.ts'

/** One server-sent event. */
export type SentEvent = { readonly event?: string; readonly id?: string; readonly data: string }

type EventStream = {
  /** Said at once, whatever the others wait for. */
  readonly opening?: readonly SentEvent[]
  readonly events: AsyncGenerator<SentEvent>
  /** The last events of a stream that something went wrong in after it had begun. */
  readonly failure: (error: unknown) => readonly SentEvent[]
}

/** What fails within this time is answered with a status, as without a stream; clients decide by it whether to try again. */
const STATUS_MS = 50

/**
 * A stream of events: its headers and first event go out at once, and a comment line follows whenever nothing else was
 * sent for `server.keepAliveMs`, so that neither clients nor proxies take it for dead. It ends when the client leaves.
 */
export async function streamEvents(
  c: RequestContext,
  { opening = [], events, failure }: EventStream,
): Promise<Response> {
  const first = events.next()
  await Promise.race([first, sleep(STATUS_MS, undefined, { ref: false })])
  return streamSSE(c, async sse => {
    const silence = setInterval(() => void sse.write(': keep-alive\n\n'), c.var.passim.settings.server.keepAliveMs)
    const send = async (event: SentEvent) => {
      silence.refresh()
      await sse.writeSSE(event)
    }
    try {
      for (const event of opening) await send(event)
      for (let next = await first; !next.done; next = await events.next()) await send(next.value)
    } catch (error) {
      if (c.req.raw.signal.aborted) return // nobody listens any more
      for (const event of failure(error)) await send(event)
    } finally {
      clearInterval(silence)
    }
  })
}
