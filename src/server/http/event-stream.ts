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

/** Maximum size of an event that is joined to one string; joining a larger one would copy it. */
const MAX_JOINED_CHARS = 4 * 1024

/**
 * Maximum number of characters per write. Node reserves three bytes for each unsent character, so an event of 1 MiB in one write would
 * hold 3 MiB until its client reads.
 */
const SLICE_CHARS = 16 * 1024

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
  c.set(
    'begin',
    headers => void send({ ...stream, first, keepAliveMs }, connectionSink(outgoing, headers)),
  )
  return c.body(null, 200, HEADERS)
}

/** Where events go. */
type Sink = {
  /** Sends the headers. */
  readonly begin: () => void
  /** What it returns resolves once there is room for more. */
  readonly write: (text: string) => Promise<void> | undefined
  readonly end: () => void
  /** Calls when nobody listens any more. */
  readonly onLeave: (leave: () => void) => void
}

type Sending = EventStream & {
  readonly first: Promise<IteratorResult<SentEvent>>
  readonly keepAliveMs: number
}

/**
 * Sends each event as soon as there is room for it. Requests the next event before that, so that the source is released after its
 * last event even if the client reads slowly.
 */
async function send(
  { opening, events, heartbeat, failure, first, keepAliveMs }: Sending,
  sink: Sink,
): Promise<void> {
  const beat = heartbeat ? framed(heartbeat).join('') : KEEP_ALIVE
  let isWriting = false
  const write = async (sent: readonly SentEvent[]) => {
    isWriting = true
    for (const part of sent.flatMap(framed))
      for (const slice of divide(part)) await sink.write(slice)
    isWriting = false
  }
  const silence = setInterval(() => isWriting || sink.write(beat), keepAliveMs)
  let hasLeft = false
  sink.onLeave(() => {
    hasLeft = true
    clearInterval(silence)
    events.return(undefined).catch(() => {}) // nobody is left to be told
  })
  try {
    sink.begin()
    await write(opening ?? [])
    for (let next = first; ; ) {
      const { done, value } = await next
      if (done || hasLeft) break
      next = events.next()
      next.catch(() => {}) // awaited after this event is sent
      silence.refresh()
      await write([value])
    }
  } catch (error) {
    if (!hasLeft) await write(failure(error))
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
    if (outgoing.destroyed || outgoing.write(text)) return undefined
    room ??= roomAgain()
    return room
  }
  const onLeave = (leave: () => void) => {
    if (outgoing.closed) leave()
    else outgoing.once('close', () => outgoing.writableFinished || leave())
  }
  return { begin: () => outgoing.flushHeaders(), write, end: () => outgoing.end(), onLeave }
}

/** Where there is no connection. */
function webSink(): { readonly readable: ReadableStream<Uint8Array>; readonly sink: Sink } {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const write = (text: string) => writer.write(Buffer.from(text)).catch(() => {}) // who left is told by `closed`
  const onLeave = (leave: () => void) => void writer.closed.catch(leave)
  return { readable, sink: { begin: () => {}, write, end: () => void writer.close(), onLeave } }
}

/** Returns the parts of an event on the wire. Joining those of a large event would copy it. */
function framed({ event, id, data }: SentEvent): readonly string[] {
  const lines = data.replaceAll(/\r\n|\r|\n/g, '\ndata: ')
  const before = `${event === undefined ? '' : `event: ${event}\n`}data: `
  const after = `\n${id === undefined ? '' : `id: ${id}\n`}\n`
  return lines.length < MAX_JOINED_CHARS ? [`${before}${lines}${after}`] : [before, lines, after]
}

/** Divides a text into slices, never within a surrogate pair. */
function* divide(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = start + SLICE_CHARS
    const isWithinPair = /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length
    const next = isWithinPair ? end + 1 : end
    yield text.slice(start, next)
    start = next
  }
}
