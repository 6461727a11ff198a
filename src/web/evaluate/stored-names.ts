import { json } from '../connection.ts'
import type { StoreDocument } from '../documents/stored-document.ts'

/** Names to choose an expected document from. */
const NAMES = 300

export async function namesIn(collection: string, signal: AbortSignal): Promise<readonly string[]> {
  const query = new URLSearchParams({ ...(collection && { collection }), limit: String(NAMES) })
  const { documents } = await json<{ documents: readonly StoreDocument[] }>(`/api/documents?${query}`, { signal })
  return [...new Set(documents.map(({ name }) => name))]
}
