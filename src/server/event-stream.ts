import type { ServerResponse } from 'node:http'
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

const KEEP_ALIVE = ': keep-alive\n\n'

/**
 * A stream of events: its headers and first event go out at once, and a comment line follows whenever nothing else was
 * sent for `server.keepAliveMs`, so that neither clients nor proxies take it for dead. It ends when the client leaves.
 */
export async function streamEvents(c: RequestContext, stream: EventStream): Promise<Response> {
  if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS)
  const starts = c.get('starts')
  const first = starts.turn().then(() => stream.events.next())
  first.catch(() => {}) // `send` tells it, but waits first until there is room for what comes before
  if (!starts.areMany) await Promise.race([first, sleep(STATUS_MS, undefined, { ref: false })])
  const { outgoing } = c.env ?? {}
  const { keepAliveMs } = c.get('passim').settings.server
  if (!outgoing) {
    const { readable, sink } = webSink()
    void send({ ...stream, first, keepAliveMs }, sink)
    return c.body(readable, 200, HEADERS)
  }
  c.set('begin', headers => void send({ ...stream, first, keepAliveMs }, connectionSink(outgoing, headers)))
  return c.body(null, 200, HEADERS)
}

/** Where events go. */
type Sink = {
  /** What it returns resolves once there is room for more. */
  readonly write: (text: string) => Promise<void> | undefined
  readonly end: () => void
  /** Calls when nobody listens any more. */
  readonly onLeave: (leave: () => void) => void
}

type Sending = EventStream & { readonly first: Promise<IteratorResult<SentEvent>>; readonly keepAliveMs: number }

/** Each event as soon as there is room for it. */
async function send({ opening, events, heartbeat, failure, first, keepAliveMs }: Sending, sink: Sink): Promise<void> {
  const beat = heartbeat ? framed(heartbeat) : KEEP_ALIVE
  const silence = setInterval(() => sink.write(beat), keepAliveMs)
  let hasLeft = false
  sink.onLeave(() => {
    hasLeft = true
    clearInterval(silence)
    events.return(undefined).catch(() => {}) // nobody is left to be told
  })
  try {
    await sink.write((opening ?? []).map(framed).join(''))
    for (let next = first; ; next = events.next()) {
      const { done, value } = await next
      if (done || hasLeft) break
      silence.refresh()
      await sink.write(framed(value))
    }
  } catch (error) {
    if (!hasLeft) for (const event of failure(error)) await sink.write(framed(event))
  } finally {
    clearInterval(silence)
    if (!hasLeft) sink.end()
  }
}

/** The connection itself, for a stream of the web around it costs twice as much as all else until the first byte. */
function connectionSink(outgoing: ServerResponse, headers: Headers): Sink {
  outgoing.writeHead(200, Object.fromEntries(headers))
  /** Whoever writes while there is none, as to keep the stream alive, waits for the same. */
  let room: Promise<void> | undefined
  let goOn = () => {}
  outgoing.on('drain', () => goOn()).on('close', () => goOn())
  const roomAgain = () =>
    new Promise<void>(resolve => {
      goOn = () => {
        room = undefined
        resolve()
      }
    })
  const write = (text: string) => {
    if (text === '') outgoing.flushHeaders()
    else if (!outgoing.destroyed && !outgoing.write(text)) {
      room ??= roomAgain()
      return room
    }
  }
  const onLeave = (leave: () => void) => {
    if (outgoing.closed) leave()
    else outgoing.once('close', () => outgoing.writableFinished || leave())
  }
  return { write, end: () => outgoing.end(), onLeave }
}

/** Where there is no connection. */
function webSink(): { readonly readable: ReadableStream<Uint8Array>; readonly sink: Sink } {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const write = (text: string) => writer.write(Buffer.from(text)).catch(() => {}) // who left is told by `closed`
  const onLeave = (leave: () => void) => void writer.closed.catch(leave)
  return { readable, sink: { write, end: () => void writer.close(), onLeave } }
}

function framed({ event, id, data }: SentEvent): string {
  const lines = data.replaceAll(/\r\n|\r|\n/g, '\ndata: ')
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${lines}\n${id === undefined ? '' : `id: ${id}\n`}\n`
}
