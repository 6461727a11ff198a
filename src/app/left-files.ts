import { type FileUse, FileUses, isLeft } from '../agent/conversations/file-uses.ts'
import type { FileAdmin } from './file-admin.ts'
import type { Store } from './store.ts'

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
    for (let left = await this.#uses.left(AT_ONCE); left.length > 0; left = await this.#uses.left(AT_ONCE)) {
      for (const use of left) await this.#release(use)
    }
  }

  async #release(use: FileUse): Promise<void> {
    const { store, files } = this.#parts
    const file = await store.files.find(use.fileId)
    if (file?.purpose === ATTACHED) await files.deleteIf(file, async catalog => await isLeft(catalog, use.fileId))
    await this.#uses.forget(use)
  }
}
