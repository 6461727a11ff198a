import type { DocumentJson } from '../../wire/document.ts'
import { call, fetchJson } from '../connection.ts'

export async function deleteDocument({ collectionId, fileId }: DocumentJson): Promise<void> {
  await fetchJson(getFilePath(collectionId, fileId), { method: 'DELETE' })
}

export async function indexAgain({ id }: DocumentJson): Promise<void> {
  await fetchJson(`/api/documents/${encodeURIComponent(id)}/index`, { method: 'POST', body: {} })
}

/** Sends the API key, unlike a plain link. */
export async function download({ id, name }: Pick<DocumentJson, 'id' | 'name'>): Promise<void> {
  const answer = await call(`/api/documents/${encodeURIComponent(id)}/file`)
  saveAs(await answer.blob(), name)
}

export async function downloadFile(id: string): Promise<void> {
  const answer = await call(`/v1/files/${encodeURIComponent(id)}/content`)
  saveAs(await answer.blob(), `${id}.jsonl`)
}

export async function downloadReceipt(id: string): Promise<void> {
  const answer = await call(`/api/answers/${encodeURIComponent(id)}/receipt`)
  saveAs(await answer.blob(), `receipt-${id}.json`)
}

export async function downloadJudgedAnswers(): Promise<void> {
  const answer = await call('/api/judgements')
  saveAs(await answer.blob(), 'judged.jsonl')
}

export function saveAs(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  Object.assign(link, { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

export async function setAttributes(
  { collectionId, fileId }: DocumentJson,
  attributes: DocumentJson['attributes'],
): Promise<void> {
  await fetchJson(getFilePath(collectionId, fileId), { method: 'POST', body: { attributes } })
}

function getFilePath(collectionId: string, fileId: string): string {
  return `/v1/vector_stores/${encodeURIComponent(collectionId)}/files/${encodeURIComponent(fileId)}`
}
