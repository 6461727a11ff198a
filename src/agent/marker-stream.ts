import { rewriteMarkers } from './markers.ts'

/** What may be the beginning of a marker at the end of a text; markers are short. */
const OPEN = /[ \t]*[[［【][\s\d^,，、;]{0,24}$/

/** Text that comes in pieces, with markers of no source taken out before anybody sees them. */
class MarkerStream {
  readonly #keep: (id: number) => boolean
  #held = ''
  #isCode = false

  constructor(keep: (id: number) => boolean) {
    this.#keep = keep
  }

  /** What can be shown now; what may still become a marker is held back. */
  push(delta: string): string {
    const text = this.#held + delta
    const open = text.match(OPEN) ?? text.match(/[ \t]+$/)
    const ready = open ? text.slice(0, open.index) : text
    this.#held = text.slice(ready.length)
    return this.#show(ready)
  }

  /** What was held back, when nothing more comes. */
  end(): string {
    const rest = this.#held
    this.#held = ''
    return this.#show(rest)
  }

  /** In a code block, brackets are brackets. */
  #show(text: string): string {
    return text
      .split(/(```)/)
      .map(part => {
        if (part === '```') this.#isCode = !this.#isCode
        return part === '```' || this.#isCode ? part : rewriteMarkers(part, this.#keep)
      })
      .join('')
  }
}

/** The events with their text filtered; what is held back comes before any other kind of event. */
export async function* withoutStrayMarkers<Event extends { readonly type: string }>(
  events: AsyncIterable<Event | { readonly type: 'text-delta'; readonly text: string }>,
  keep: (id: number) => boolean,
): AsyncGenerator<Event | { readonly type: 'text-delta'; readonly text: string }> {
  const stream = new MarkerStream(keep)
  for await (const event of events) {
    const text = isText(event) ? stream.push(event.text) : stream.end()
    if (text !== '') yield { type: 'text-delta', text }
    if (!isText(event)) yield event
  }
}

function isText(event: { readonly type: string }): event is { readonly type: 'text-delta'; readonly text: string } {
  return event.type === 'text-delta'
}
