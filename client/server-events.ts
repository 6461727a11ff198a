/** An event of a `text/event-stream`. */
export type ServerEvent = {
  readonly event: string
  readonly data: string
  readonly id?: string
}

/** Characters of one event; protects memory from a server that never ends one. */
const MAX_EVENT_CHARS = 16 * 2 ** 20

/** Parses the stream as HTML's standard says. Closes it when the loop ends. */
export async function* readServerEvents(
  stream: ReadableStream<Uint8Array> | undefined,
): AsyncGenerator<ServerEvent> {
  if (!stream) return
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const parser = new EventParser()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield* parser.push(decoder.decode(value, { stream: true }))
    }
  } finally {
    await reader.cancel().catch(() => {}) // a stream that failed cannot be closed
  }
}

class EventParser {
  #text = ''
  #event = 'message'
  #data: string[] = []
  #id: string | undefined;

  *push(text: string): Generator<ServerEvent> {
    this.#text += text
    if (this.#text.length > MAX_EVENT_CHARS) throw new Error('An event of the stream is too long.')
    const lines = this.#text.split(/\r\n|\n|\r(?!$)/)
    this.#text = lines.pop() ?? ''
    for (const line of lines) {
      if (line !== '') this.#readField(line)
      else if (this.#data.length > 0) yield this.#take()
    }
  }

  #readField(line: string): void {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (name === 'event') this.#event = value
    else if (name === 'data') this.#data.push(value)
    else if (name === 'id') this.#id = value
  }

  #take(): ServerEvent {
    const data = this.#data.join('\n')
    const event = { event: this.#event, data, ...(this.#id !== undefined && { id: this.#id }) }
    this.#event = 'message'
    this.#data = []
    return event
  }
}
