import type { NewDocument } from '../../store/catalog/queued-documents.ts'
import type { ContentStore } from '../../store/contents/content.ts'
import type { Staging } from '../../store/contents/staging.ts'
import type { Queue, Queued, QueueEntry } from '../../work/queue.ts'

/** Short transactions, so that others can write; few syncs of the disk. */
const MAX_DOCUMENTS = 64
const MAX_BYTES = 16 * 1024 * 1024

export class Intake {
  readonly #content: ContentStore
  readonly #queue: Queue
  #staging: Staging | undefined
  #entries: QueueEntry[] = []
  #bytes = 0

  constructor(content: ContentStore, queue: Queue) {
    this.#content = content
    this.#queue = queue
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  get isDue(): boolean {
    return this.#entries.length >= MAX_DOCUMENTS || this.#bytes >= MAX_BYTES
  }

  /** `from`: bytes, or the path of a file. */
  async add(
    document: Omit<NewDocument, 'fileId'>,
    from: Buffer | string,
    {
      signal,
      seen,
    }: { readonly signal?: AbortSignal | undefined; readonly seen?: QueueEntry['seen'] } = {},
  ): Promise<void> {
    this.#staging ??= await this.#content.openStaging()
    const staged =
      typeof from === 'string' ? await this.#staging.copy(from, signal) : this.#staging.write(from)
    this.#entries.push({ document, staged, seen })
    this.#bytes += staged.bytes
  }

  async commit(): Promise<ReadonlyMap<string, Queued>> {
    if (this.isEmpty) return new Map()
    await this.#staging?.sync()
    const queued = await this.#queue.addAll(this.#entries)
    await this.close()
    return queued
  }

  async close(): Promise<void> {
    const staging = this.#staging
    this.#staging = undefined
    this.#entries = []
    this.#bytes = 0
    await staging?.close()
  }
}
