import type { AgentEvent } from '../agent/event.ts'
import { replyLanguage } from '../agent/language.ts'
import { stillIndexed } from '../agent/phrases.ts'
import type { UnfinishedCount } from '../ingest/catalog/document-counts.ts'
import { pendingWarnings } from './pending.ts'

/**
 * The answer with a warning of the documents that it could not come from. Where it says that the documents do not say, its
 * text tells so, too: whoever asks right after an upload is not told a thing that is untrue a moment later.
 */
export async function* withPending(
  events: AsyncIterable<AgentEvent>,
  { pending, isText }: { readonly pending: UnfinishedCount; readonly isText: boolean },
): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    if (event.type !== 'finish') {
      yield event
      continue
    }
    const { question, text, abstained } = event.result
    const count = pending.unfound + pending.byWords // what is found by words alone may be missed by a question in others
    const note = abstained && isText ? `\n${stillIndexed(replyLanguage(question), count)}` : ''
    if (note) yield { type: 'text-delta', text: note }
    const warnings = [...(event.result.warnings ?? []), ...pendingWarnings(pending)]
    yield { type: 'finish', result: { ...event.result, text: text + note, warnings } }
  }
}
