import type { AgentEvent } from '../agent/event.ts'
import { type FileUse, FileUses, isLeft } from '../conversations/file-uses.ts'
import type { FileAdmin } from './documents/file-admin.ts'
import type { Store } from './stores/store.ts'

/** Uses that are looked at in one go. */
const AT_ONCE = 100

/** OpenAI's word for files that are brought to be asked about; others were not put up for one conversation. */
const ATTACHED = 'user_data'

type LeftFilesParts = {
  readonly store: Pick<Store, 'catalog' | 'files'>
  readonly files: Pick<FileAdmin, 'deleteIf'>
}

/** Files that came with a question go for good with the last conversation that has them, unless something else uses them. */
export class LeftFiles {
  readonly #parts: LeftFilesParts
  readonly #uses: FileUses

  constructor(parts: LeftFilesParts) {
    this.#parts = parts
    this.#uses = new FileUses(parts.store.catalog)
  }

  /** Those of a conversation that was deleted. */
  async removeOf(conversationId: string): Promise<void> {
    for (const use of await this.#uses.of(conversationId)) await this.#release(use)
  }

  /** Those of conversations that a process deleted which was killed then. */
  async sweep(): Promise<void> {
    for (
      let left = await this.#uses.left(AT_ONCE);
      left.length > 0;
      left = await this.#uses.left(AT_ONCE)
    ) {
      for (const use of left) await this.#release(use)
    }
  }

  async #release(use: FileUse): Promise<void> {
    const { store, files } = this.#parts
    const file = await store.files.find(use.fileId)
    if (file?.purpose === ATTACHED)
      await files.deleteIf(file, async catalog => await isLeft(catalog, use.fileId))
    await this.#uses.forget(use)
  }
}

type KeptFiles = { readonly there: readonly string[]; readonly gone: readonly string[] }

/** Files that a conversation brought: those that are still there, and those that were deleted, or expired, since. */
export async function keptFiles(
  { files }: Pick<Store, 'files'>,
  ids: readonly string[],
): Promise<KeptFiles> {
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
