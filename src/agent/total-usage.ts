import type { AgentEvent } from './event.ts'
import { addUsage, type Usage } from './usage.ts'

/** The steps, with what all of them cost together in the result. */
export async function* withTotalUsage(
  events: AsyncIterable<AgentEvent>,
): AsyncGenerator<AgentEvent> {
  let usage: Usage | undefined
  for await (const event of events) {
    const spent = usageIn(event)
    if (spent) usage = addUsage(usage, spent)
    yield event.type === 'finish' && usage
      ? { type: 'finish', result: { ...event.result, usage } }
      : event
  }
}

/** What a step cost, wherever in it: a step of an inner agent has its own within. */
function usageIn(event: AgentEvent): Usage | undefined {
  if (event.type === 'agent') return usageIn(event.event)
  return event.type === 'usage' ? event.usage : undefined
}
