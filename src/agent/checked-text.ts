import type { AgentEvent } from './event.ts'

const REASONING: ReadonlySet<AgentEvent['type']> = new Set([
  'reasoning-delta',
  'reasoning-end',
  'text-as-reasoning',
])

/**
 * The events with the text of the answer as it was checked, whole, in place of what the model says on the way, and thinks
 * unless its thoughts are to be shown. Calls come after the text that they were made with, as in every conversation.
 */
export async function* withCheckedText<Event extends AgentEvent>(
  events: AsyncIterable<Event>,
  { thoughts = 'hidden' }: { readonly thoughts?: 'hidden' | 'shown' } = {},
): AsyncGenerator<Event | Extract<AgentEvent, { type: 'text-delta' | 'reasoning-delta' }>> {
  const held: Event[] = []
  for await (const event of events) {
    if (event.type === 'text-delta' || event.type === 'tool-call-delta') continue
    if (REASONING.has(event.type) && thoughts === 'hidden') continue
    if (event.type === 'text-as-reasoning') {
      yield { type: 'reasoning-delta', text: event.text } // its text was withheld above
      continue
    }
    if (event.type === 'tool-call' || event.type === 'citation') {
      held.push(event)
      continue
    }
    if (event.type === 'finish' && event.result.text !== '')
      yield { type: 'text-delta', text: event.result.text }
    yield* held.splice(0)
    yield event
  }
}
