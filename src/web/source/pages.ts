import type { BlocksJson, ReadPageJson } from '../../wire/document.ts'
import { fetchJson } from '../connection.ts'

export async function readPage(
  documentId: string,
  page: number,
  signal?: AbortSignal,
): Promise<ReadPageJson> {
  return await fetchJson(`/api/documents/${encodeURIComponent(documentId)}/pages/${page}`, {
    signal,
  })
}

export async function readBlocks(
  documentId: string,
  from: number,
  limit: number,
  signal?: AbortSignal,
): Promise<BlocksJson> {
  return await fetchJson(
    `/api/documents/${encodeURIComponent(documentId)}/blocks?after=${from}&limit=${limit}`,
    { signal },
  )
}
