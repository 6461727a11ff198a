import type { AgentEvent } from '../agent/event.ts'
import type { Store } from './store.ts'

type KeptFiles = { readonly there: readonly string[]; readonly gone: readonly string[] }

/** Files that a conversation brought: those that are still there, and those that were deleted, or expired, since. */
export async function keptFiles({ files }: Pick<Store, 'files'>, ids: readonly string[]): Promise<KeptFiles> {
  if (ids.length === 0) return { there: [], gone: [] }
  const found = new Set((await files.findAll(ids)).map(({ id }) => id))
  return { there: ids.filter(id => found.has(id)), gone: ids.filter(id => !found.has(id)) }
}

/** The answer with a warning of the files that it could not come from any more. */
export async function* withGone(
  gone: readonly string[],
  events: AsyncIterable<AgentEvent>,
): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    if (event.type !== 'finish' || gone.length === 0) yield event
    else
      yield {
        type: 'finish',
        result: { ...event.result, warnings: [...(event.result.warnings ?? []), warningOf(gone)] },
      }
  }
}

function warningOf(gone: readonly string[]) {
  const message = `Files that came with this conversation are there no longer, and the answer is made without them: ${gone.join(', ')}.`
  return { code: 'missing', message }
}
