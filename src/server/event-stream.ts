import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestContext } from './context.ts'

/** One server-sent event. */
export type SentEvent = { readonly event?: string; readonly id?: string; readonly data: string }

type EventStream = {
  /** Said at once, whatever the others wait for. */
  readonly opening?: readonly SentEvent[]
  readonly events: AsyncGenerator<SentEvent>
  /** Sent in the place of a comment line whenever nothing else was. */
  readonly heartbeat?: SentEvent
  /** The last events of a stream that something went wrong in after it had begun. */
  readonly failure: (error: unknown) => readonly SentEvent[]
}

/** What fails within this time is answered with a status, as without a stream; clients decide by it whether to try again. */
const STATUS_MS = 50

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  connection: 'keep-alive',
}

/** Where nothing is said at once: else node-server waits for a first piece before it sends the headers. */
const HEADERS_ALONE = { ...HEADERS, 'transfer-encoding': 'chunked' }

const KEEP_ALIVE = Buffer.from(': keep-alive\n\n')

/**
 * A stream of events: its headers and first event go out at once, and a comment line follows whenever nothing else was
 * sent for `server.keepAliveMs`, so that neither clients nor proxies take it for dead. It ends when the client leaves.
 */
export async function streamEvents(c: RequestContext, stream: EventStream): Promise<Response> {
  const { starts } = c.var
  const first = starts.turn().then(() => stream.events.next())
  if (!starts.areMany) await Promise.race([first, sleep(STATUS_MS, undefined, { ref: false })])
  return c.body(toBytes(c, stream, first), 200, stream.opening?.length ? HEADERS : HEADERS_ALONE)
}

type Next = Promise<IteratorResult<SentEvent>>

/** The events as they go over the wire, each as soon as the one before it is taken. */
function toBytes(
  c: RequestContext,
  { opening = [], events, heartbeat, failure }: EventStream,
  first: Next,
): ReadableStream {
  let next: Next | undefined = first
  let silence: NodeJS.Timeout
  let hasLeft = false
  const end = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    clearInterval(silence)
    controller.close()
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const { keepAliveMs } = c.var.passim.settings.server
      const beat = heartbeat ? Buffer.from(framed(heartbeat)) : KEEP_ALIVE
      silence = setInterval(() => controller.enqueue(beat), keepAliveMs)
      for (const piece of inTwo(opening.map(framed).join(''))) controller.enqueue(Buffer.from(piece))
    },
    async pull(controller) {
      try {
        const { done, value } = await (next ?? events.next())
        next = undefined
        if (hasLeft) return
        if (done) return end(controller)
        silence.refresh()
        controller.enqueue(Buffer.from(framed(value)))
      } catch (error) {
        if (hasLeft || c.req.raw.signal.aborted) return clearInterval(silence) // nobody listens any more
        for (const event of failure(error)) controller.enqueue(Buffer.from(framed(event)))
        end(controller)
      }
    },
    async cancel() {
      hasLeft = true
      clearInterval(silence)
      await events.return(undefined)
    },
  })
}

/** node-server sends headers with the first two pieces, in one write, and waits where there is but one. */
function inTwo(text: string): readonly string[] {
  return text === '' ? [] : [text.slice(0, -1), text.slice(-1)]
}

function framed({ event, id, data }: SentEvent): string {
  const lines = data.replaceAll(/\r\n|\r|\n/g, '\ndata: ')
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${lines}\n${id === undefined ? '' : `id: ${id}\n`}\n`
}
