import type { DocumentSettings } from '../store/catalog/document.ts'
import {
  findDocument,
  findDocumentBySource,
  listAttached,
  type RequestedDocument,
} from '../store/catalog/documents.ts'
import { queueDocument } from '../store/catalog/queued-documents.ts'
import { removeDocuments } from '../store/catalog/removed-rows.ts'
import { findPublishedVersion, type Stages } from '../store/catalog/versions.ts'
import type { Statements } from '../store/catalog.ts'
import type { ContentStore } from '../store/contents/content.ts'
import { addFile } from '../store/contents/files.ts'
import type { PreparedAttachment } from './prepared.ts'

/** `stages` are those of complete indexing. */
type AttachmentOwner = {
  readonly parent: RequestedDocument
  readonly stages: Stages
  readonly attachments: readonly PreparedAttachment[]
}

/** Queues new or changed attachments, and removes others, in the publishing transaction. */
export async function replaceAttachments(
  inside: Statements,
  content: ContentStore,
  { parent, stages, attachments }: AttachmentOwner,
): Promise<void> {
  const remaining = new Map(
    (await listAttached(inside, parent.id)).map(document => [document.source, document]),
  )
  for (const attachment of attachments) {
    const source = `${parent.source}#${attachment.name}`
    const existing = remaining.get(source)
    remaining.delete(source)
    if (existing && (await isUpToDate(inside, existing, { attachment, parent, stages }))) continue
    await queueAttachment(inside, content, { attachment, parent, source })
  }
  await removeDocuments(inside, listIds([...remaining.values()]))
}

/** Call it inside the transaction that records that the document cannot be read. */
export async function removeAttachments(inside: Statements, parentId: string): Promise<void> {
  await removeDocuments(inside, listIds(await listAttached(inside, parentId)))
}

type Comparison = {
  readonly attachment: PreparedAttachment
  readonly parent: RequestedDocument
  readonly stages: Stages
}

/** Ignores the parser's version, which the comparison of sources checks. */
async function isUpToDate(
  inside: Statements,
  { id, status, sha256: queuedSha256, settings }: RequestedDocument,
  { attachment: { sha256 }, parent, stages }: Comparison,
): Promise<boolean> {
  if (status === 'in_progress') {
    const hasSameSettings = JSON.stringify(settings) === JSON.stringify(inheritSettings(parent))
    return queuedSha256 === sha256 && hasSameSettings
  }
  const published = await findPublishedVersion(inside, id)
  if (status !== 'completed' || published?.sha256 !== sha256) return false
  return published.chunkerId === stages.chunkerId && published.embedderId === stages.embedderId
}

type NewAttachment = {
  readonly attachment: PreparedAttachment
  readonly parent: RequestedDocument
  readonly source: string
}

async function queueAttachment(
  inside: Statements,
  content: ContentStore,
  { attachment, parent, source }: NewAttachment,
): Promise<void> {
  const { name, path, sha256, bytes } = attachment
  const other = await findDocumentBySource(inside, parent.collectionId, source)
  if (other && other.parentId !== parent.id) return // a file whose name contains `#`
  const file = await addFile(
    { catalog: inside, content },
    { path: content.stageLink(path, sha256), sha256, bytes },
    { name, purpose: 'assistants', uploaded: false },
  )
  await queueDocument(inside, {
    collectionId: parent.collectionId,
    fileId: file.id,
    source,
    name,
    settings: inheritSettings(parent),
    ...(!other && { attributes: (await findDocument(inside, parent.id))?.attributes ?? {} }),
    parent,
  })
}

function listIds(documents: readonly RequestedDocument[]): readonly string[] {
  return documents.map(({ id }) => id)
}

/** Omits the media type: an attachment has its own. */
function inheritSettings({
  settings: { mediaType: _, ...settings },
}: RequestedDocument): DocumentSettings {
  return settings
}
