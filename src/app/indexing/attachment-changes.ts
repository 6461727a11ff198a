import type { Change, Changes, CompareOptions } from '../../ingest/sources/change.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Documents, RequestedDocument } from '../../ingest/store/catalog/documents.ts'
import type { Versions } from '../../ingest/store/catalog/versions.ts'

type AttachmentChangesDeps = {
  readonly documents: Documents
  readonly versions: Versions
  readonly changes: Changes
}

type Before = ReadonlyMap<
  string,
  { readonly document: RequestedDocument; readonly version: number | undefined }
>

export class AttachmentChanges {
  readonly #deps: AttachmentChangesDeps
  readonly #collection: Collection
  readonly #changes: ReadonlyMap<string, Change>
  #before: Before = new Map()

  constructor(deps: AttachmentChangesDeps, collection: Collection, changes: readonly Change[]) {
    this.#deps = deps
    this.#collection = collection
    this.#changes = new Map(
      changes.flatMap(change => (change.documentId ? [[change.documentId, change]] : [])),
    )
  }

  async compare(options: CompareOptions): Promise<void> {
    const { documents, changes } = this.#deps
    const before = new Map<string, { document: RequestedDocument; version: number | undefined }>()
    for (const document of await this.#listAll())
      before.set(document.id, { document, version: await this.#getVersion(document) })
    this.#before = before
    for (const { document } of this.#before.values()) {
      if (this.#findRootChange(document)?.kind !== 'unchanged') continue
      const { mediaType: _, ...settings } = options.settings
      if (!(await changes.compareSame(this.#collection, document, { ...options, settings })))
        await documents.requeueWith(document.id, settings)
    }
  }

  async listOutcomes(): Promise<readonly Change[]> {
    const now = await this.#listAll()
    const there = new Set(now.map(({ id }) => id))
    const removed = [...this.#before.values()].filter(({ document }) => !there.has(document.id))
    const changes: Change[] = []
    for (const document of now)
      changes.push({
        source: document.source,
        documentId: document.id,
        kind: await this.#getKind(document),
      })
    return [
      ...changes,
      ...removed.map(({ document: { source, id } }) => ({
        source,
        documentId: id,
        kind: 'removed' as const,
      })),
    ]
  }

  async #getKind(document: RequestedDocument): Promise<Change['kind']> {
    const before = this.#before.get(document.id)
    if (before?.version === undefined) return 'new'
    return before.version === (await this.#getVersion(document)) ? 'unchanged' : 'changed'
  }

  async #listAll(): Promise<readonly RequestedDocument[]> {
    const all = await this.#deps.documents.listAttachments(this.#collection.id)
    return all.filter(document => this.#findRootChange(document) !== undefined)
  }

  #findRootChange({ rootId }: RequestedDocument): Change | undefined {
    return rootId === undefined ? undefined : this.#changes.get(rootId)
  }

  async #getVersion({ id }: RequestedDocument): Promise<number | undefined> {
    return await this.#deps.versions.findPublishedNumber(id)
  }
}
