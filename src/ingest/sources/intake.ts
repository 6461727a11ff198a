import type { Readable } from 'node:stream'
import type { NewDocument } from '../store/catalog/queued-documents.ts'
import type { ContentStore } from '../store/contents/content.ts'
import type { StagedBytes, Staging } from '../store/contents/staging.ts'
import type { Queue, Queued, QueueEntry } from '../work/queue.ts'

/** Short transactions, so that others can write; few syncs of the disk. */
const MAX_DOCUMENTS = 64
const MAX_BYTES = 16 * 1024 * 1024

/** Short, so that documents of a slow server are recorded before the run ends. */
const MAX_WAIT_MS = 1_000

export class Intake {
  readonly #content: ContentStore
  readonly #queue: Queue
  #staging: Staging | undefined
  #entries: QueueEntry[] = []
  #bytes = 0
  #openedAt = 0

  constructor(content: ContentStore, queue: Queue) {
    this.#content = content
    this.#queue = queue
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  get isDue(): boolean {
    const { length } = this.#entries
    if (length >= MAX_DOCUMENTS || this.#bytes >= MAX_BYTES) return true
    return length > 0 && Date.now() - this.#openedAt >= MAX_WAIT_MS
  }

  async receive(bytes: Readable, signal?: AbortSignal): Promise<StagedBytes> {
    const staged = await (await this.#open()).receive(bytes, signal)
    this.#bytes += staged.bytes
    return staged
  }

  /** `from`: bytes, the path of a file, or what was received. */
  async add(
    document: Omit<NewDocument, 'fileId'>,
    from: Buffer | string | StagedBytes,
    {
      signal,
      ...options
    }: Pick<QueueEntry, 'seen' | 'move'> & { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    const staging = await this.#open()
    const staged = await copyOrWrite(staging, from, signal)
    this.#entries.push({ document, staged, ...options })
    if (typeof from === 'string' || Buffer.isBuffer(from)) this.#bytes += staged.bytes
  }

  async commit(): Promise<ReadonlyMap<string, Queued>> {
    if (this.isEmpty) {
      await this.close()
      return new Map()
    }
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

  async #open(): Promise<Staging> {
    if (!this.#staging) this.#openedAt = Date.now()
    this.#staging ??= await this.#content.openStaging()
    return this.#staging
  }
}

async function copyOrWrite(
  staging: Staging,
  from: Buffer | string | StagedBytes,
  signal: AbortSignal | undefined,
): Promise<StagedBytes> {
  if (typeof from === 'string') return await staging.copy(from, signal)
  return Buffer.isBuffer(from) ? staging.write(from) : from
}
