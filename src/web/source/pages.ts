import type { BlocksJson, ReadPageJson } from '../../wire/document.ts'
import { json } from '../connection.ts'

/** What was read of a page, as `GET /api/documents/{id}/pages/{n}` gives it. */
export type ReadPage = ReadPageJson

export async function readPage(
  documentId: string,
  page: number,
  signal?: AbortSignal,
): Promise<ReadPage> {
  return await json(`/api/documents/${encodeURIComponent(documentId)}/pages/${page}`, { signal })
}

export async function readBlocks(
  documentId: string,
  from: number,
  limit: number,
  signal?: AbortSignal,
): Promise<BlocksJson> {
  return await json(
    `/api/documents/${encodeURIComponent(documentId)}/blocks?start=${from}&limit=${limit}`,
    { signal },
  )
}
