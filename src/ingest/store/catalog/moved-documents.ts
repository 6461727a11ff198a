import type { Statements } from '../catalog.ts'
import type { Attributes } from './document.ts'
import { Documents, type RequestedDocument } from './documents.ts'
import { queueDocument } from './queued-documents.ts'

export type Move = {
  readonly fromId: string
  readonly copiedAttributes: Map<string, Attributes>
}

/** Call it inside the transaction that queues the document, so that nobody reads it without. */
export async function adoptAttributes(inside: Statements, id: string, move: Move): Promise<void> {
  const documents = new Documents(inside)
  const moved = await documents.findRequested(id)
  const old = moved && (await documents.findBySource(move.fromId, moved.source))
  if (!old) return
  await copyAttributes(documents, { old, moved, move })
  for (const attachment of await documents.listAttached(old.id)) {
    const { fileId, source, name, settings } = attachment
    const { collectionId } = moved
    const other = await documents.findBySource(collectionId, source)
    if (other && other.parentId !== id) continue // a file whose name contains `#`
    const copy = { collectionId, fileId, source, name, settings, parent: moved }
    await adoptAttributes(inside, other?.id ?? (await queueDocument(inside, copy)), move)
  }
}

/** Keeps changes on either side since the last copy. */
export async function copyAttributes(
  documents: Documents,
  { old, moved, move }: Copied & { readonly move: Move },
): Promise<void> {
  const before = await readAttributes(documents, old)
  const after = await readAttributes(documents, moved, move.copiedAttributes.get(moved.id))
  const attributes = { ...before.all, ...after.all, ...before.own, ...after.own }
  move.copiedAttributes.set(moved.id, before.all)
  await documents.setAttributes(moved.id, attributes)
}

type Copied = { readonly old: RequestedDocument; readonly moved: RequestedDocument }

async function readAttributes(
  documents: Documents,
  { id, parentId }: RequestedDocument,
  copied: Attributes = {},
): Promise<{ readonly all: Attributes; readonly own: Attributes }> {
  const all = omitSame((await documents.find(id))?.attributes ?? {}, copied)
  const inherited = (parentId && (await documents.find(parentId))?.attributes) || {}
  return { all, own: omitSame(all, inherited) }
}

function omitSame(attributes: Attributes, others: Attributes): Attributes {
  const entries = Object.entries(attributes).filter(([name, value]) => others[name] !== value)
  return Object.fromEntries(entries)
}
