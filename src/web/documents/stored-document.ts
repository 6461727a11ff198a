import type { DocumentJson } from '../../wire/document.ts'
import { call, json } from '../connection.ts'

/** A document as `/api/documents` lists it. */
export type StoreDocument = DocumentJson

/** It can be brought back for a week, as the service is set. */
export async function deleteDocument({ collectionId, fileId }: StoreDocument): Promise<void> {
  await json(fileOf(collectionId, fileId), { method: 'DELETE' })
}

/** Whatever became of it before; a page of the web is fetched anew. */
export async function indexAgain({ id }: StoreDocument): Promise<void> {
  await json(`/api/documents/${encodeURIComponent(id)}/index`, { method: 'POST', body: {} })
}

/** With the key, which a link would not carry. */
export async function download({ id, name }: Pick<StoreDocument, 'id' | 'name'>): Promise<void> {
  const answer = await call(`/api/documents/${encodeURIComponent(id)}/file`)
  saveAs(await answer.blob(), name)
}

/** As a file of this name, in the folder for downloads. */
function saveAs(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  Object.assign(link, { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

export async function setAttributes(
  { collectionId, fileId }: StoreDocument,
  attributes: StoreDocument['attributes'],
): Promise<void> {
  await json(fileOf(collectionId, fileId), { method: 'POST', body: { attributes } })
}

function fileOf(collectionId: string, fileId: string): string {
  return `/v1/vector_stores/${encodeURIComponent(collectionId)}/files/${encodeURIComponent(fileId)}`
}
