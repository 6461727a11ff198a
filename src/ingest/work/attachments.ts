import {
  attachedTo,
  type DocumentSettings,
  documentBySource,
  findDocument,
  type WantedDocument,
  wantDocument,
} from '../store/catalog/documents.ts'
import { removeDocuments } from '../store/catalog/removed-rows.ts'
import { publishedVersion, type Stages } from '../store/catalog/versions.ts'
import type { Statements } from '../store/catalog.ts'
import type { ContentStore } from '../store/contents/content.ts'
import { addFile } from '../store/contents/files.ts'
import type { PreparedAttachment } from './prepared.ts'

type AttachmentsParts = {
  readonly content: ContentStore
}

type Comparison = {
  readonly attachment: PreparedAttachment
  readonly parent: WantedDocument
  readonly stages: Stages
}

/**
 * What is attached to a document is indexed as documents of their own, which come, change and go with it. To be called
 * inside the transaction that publishes the document, or finds that it cannot be read.
 */
export class Attachments {
  readonly #parts: AttachmentsParts

  constructor(parts: AttachmentsParts) {
    this.#parts = parts
  }

  /**
   * Queue what is attached to the document now and differs from what was, and remove what is not attached any more. `stages`
   * are those of the document once all of it is done.
   */
  async replace(
    inside: Statements,
    parent: WantedDocument,
    stages: Stages,
    attachments: readonly PreparedAttachment[],
  ): Promise<void> {
    const before = new Map(
      (await attachedTo(inside, parent.id)).map(document => [document.source, document]),
    )
    for (const attachment of attachments) {
      const source = `${parent.source}#${attachment.name}`
      const known = before.get(source)
      before.delete(source)
      if (!known || !(await this.#isAsWanted(inside, known, { attachment, parent, stages })))
        await this.#want(inside, parent, { source, attachment })
    }
    await removeDocuments(inside, idsOf([...before.values()]))
  }

  /** Everything attached to a document that cannot be read any more. */
  async removeFrom(inside: Statements, parentId: string): Promise<void> {
    await removeDocuments(inside, idsOf(await attachedTo(inside, parentId)))
  }

  /** Settings that changed change both; whether its own parser is a newer one is seen when sources are compared. */
  async #isAsWanted(
    inside: Statements,
    { id, status, sha256: queued, settings }: WantedDocument,
    { attachment, parent, stages }: Comparison,
  ): Promise<boolean> {
    const { sha256 } = attachment
    if (status === 'in_progress')
      return queued === sha256 && JSON.stringify(settings) === JSON.stringify(settingsOf(parent))
    const published = await publishedVersion(inside, id)
    if (status !== 'completed' || published?.sha256 !== sha256) return false
    return published.chunkerId === stages.chunkerId && published.embedderId === stages.embedderId
  }

  async #want(
    inside: Statements,
    parent: WantedDocument,
    { source, attachment }: { readonly source: string; readonly attachment: PreparedAttachment },
  ): Promise<void> {
    const { content } = this.#parts
    const settings = settingsOf(parent)
    const { name, path, sha256, bytes } = attachment
    const other = await documentBySource(inside, parent.collectionId, source)
    if (other && other.parentId !== parent.id) return // a file that is really called so
    await content.adoptLink(inside, path, sha256)
    const file = await addFile(
      { catalog: inside, content },
      { path, sha256, bytes },
      { name, purpose: 'assistants', uploaded: false },
    )
    const attributes = (await findDocument(inside, parent.id))?.attributes ?? {}
    const { collectionId } = parent
    await wantDocument(inside, {
      collectionId,
      fileId: file.id,
      source,
      name,
      settings,
      attributes,
      parent,
    })
  }
}

function idsOf(documents: readonly WantedDocument[]): readonly string[] {
  return documents.map(({ id }) => id)
}

/** What was wanted of the document is wanted of what is attached to it. */
function settingsOf({ settings: { mediaType: _, ...settings } }: WantedDocument): DocumentSettings {
  return settings
}
