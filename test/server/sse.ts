import { createParser } from 'eventsource-parser'

export type SentEvent = { readonly event: string; readonly data: Record<string, unknown> }

/** The events of a stream that has ended; `[DONE]` is left out. */
export function eventsIn(text: string): readonly SentEvent[] {
  const events: SentEvent[] = []
  const parser = createParser({
    onEvent: ({ event = '', data }) => {
      if (data !== '[DONE]') events.push({ event, data: JSON.parse(data) as SentEvent['data'] }) // sent as JSON
    },
  })
  parser.feed(text)
  return events
}
