import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OlderForms, RequestContext } from './context.ts'
import { encodeJson, joinPieces, sliceText } from './sliced-json.ts'

export type SentEvent =
  | {
      readonly event?: string
      readonly id?: string
      /** JSON, encoded slice by slice while it is sent, or a text. */
      readonly data: object | string
    }
  /** A line that clients skip. */
  | { readonly comment: string }

type EventStream = {
  readonly opening?: readonly SentEvent[]
  readonly events: AsyncGenerator<SentEvent>
  /** Replaces the comment line. */
  readonly heartbeat?: SentEvent
  readonly failure: (error: unknown) => readonly SentEvent[]
}

/** Time in which a failure becomes a status, so that clients can decide about a retry. */
const STATUS_MS = 50

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  connection: 'keep-alive',
}

const KEEP_ALIVE = ': keep-alive\n\n'

/**
 * Streams headers at once, comment lines during silence (`server.keepAliveMs`). Ends when the
 * client leaves.
 */
export async function streamEvents(c: RequestContext, original: EventStream): Promise<Response> {
  if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS)
  const forms = c.get('olderForms')
  const stream = forms ? { ...original, events: writeOlder(original.events, forms) } : original
  const starts = c.get('starts')
  const first = starts.turn().then(() => stream.events.next())
  first.catch(() => {}) // `send` reports it later
  if (!starts.areMany) await Promise.race([first, sleep(STATUS_MS, undefined, { ref: false })])
  const { outgoing } = c.env ?? {}
  const { keepAliveMs } = c.get('passim').settings.server
  if (!outgoing) {
    const { readable, sink } = createWebSink()
    void send({ ...stream, first, keepAliveMs }, sink)
    return c.body(readable, 200, HEADERS)
  }
  c.set(
    'startResponse',
    headers =>
      void send({ ...stream, first, keepAliveMs }, createConnectionSink(outgoing, headers)),
  )
  return c.body(null, 200, HEADERS)
}

async function* writeOlder(
  events: AsyncGenerator<SentEvent>,
  { write }: OlderForms,
): AsyncGenerator<SentEvent> {
  for await (const event of events)
    yield 'data' in event && typeof event.data === 'object'
      ? { ...event, data: write(event.data) }
      : event
}

type Sink = {
  readonly start: () => void
  readonly write: (text: string) => Promise<void> | undefined
  readonly end: () => void
  readonly onLeave: (leave: () => void) => void
}

type Sending = EventStream & {
  readonly first: Promise<IteratorResult<SentEvent>>
  readonly keepAliveMs: number
}

async function send(
  { opening, events, heartbeat, failure, first, keepAliveMs }: Sending,
  sink: Sink,
): Promise<void> {
  const beat = heartbeat ? [...joinPieces(listPieces(heartbeat))].join('') : KEEP_ALIVE
  let isWriting = false
  const write = async (sent: readonly SentEvent[]) => {
    isWriting = true
    for (const event of sent)
      for (const slice of joinPieces(listPieces(event))) await sink.write(slice)
    isWriting = false
  }
  const silence = setInterval(() => isWriting || sink.write(beat), keepAliveMs)
  let hasLeft = false
  sink.onLeave(() => {
    hasLeft = true
    clearInterval(silence)
    events.return(undefined).catch(() => {}) // nobody is left
  })
  try {
    sink.start()
    await write(opening ?? [])
    for (let next = first; ; ) {
      const { done, value } = await next
      if (done || hasLeft) break
      next = events.next()
      next.catch(() => {}) // awaited after this event
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

/** Avoids a web stream, which costs twice as much until the first byte. */
function createConnectionSink(outgoing: ServerResponse, headers: Headers): Sink {
  outgoing.writeHead(200, Object.fromEntries(headers))
  /** Other writers wait for the same room. */
  let room: Promise<void> | undefined
  let resumeWriting = () => {}
  outgoing.on('drain', () => resumeWriting()).on('close', () => resumeWriting())
  const waitForRoom = () =>
    new Promise<void>(resolve => {
      resumeWriting = () => {
        room = undefined
        resolve()
      }
    })
  const write = (text: string) => {
    if (outgoing.destroyed || outgoing.write(text)) return undefined
    room ??= waitForRoom()
    return room
  }
  const onLeave = (leave: () => void) => {
    if (outgoing.closed) leave()
    else outgoing.once('close', () => outgoing.writableFinished || leave())
  }
  return { start: () => outgoing.flushHeaders(), write, end: () => outgoing.end(), onLeave }
}

function createWebSink(): { readonly readable: ReadableStream<Uint8Array>; readonly sink: Sink } {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const write = (text: string) => writer.write(Buffer.from(text)).catch(() => {}) // `closed` reports a lost client
  const onLeave = (leave: () => void) => void writer.closed.catch(leave)
  return { readable, sink: { start: () => {}, write, end: () => void writer.close(), onLeave } }
}

function* listPieces(sent: SentEvent): Generator<string> {
  if ('comment' in sent) return yield `: ${sent.comment.replace(/\s+/g, ' ')}\n\n`
  const { event, id, data } = sent
  yield `${event === undefined ? '' : `event: ${event}\n`}data: `
  if (typeof data === 'string') yield* sliceText(data.replaceAll(/\r\n|\r|\n/g, '\ndata: '))
  else yield* encodeJson(data)
  yield `\n${id === undefined ? '' : `id: ${id}\n`}\n`
}
