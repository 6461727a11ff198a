import type { DocumentJson, DocumentPageJson } from '../../wire/document.ts'
import { fetchJson } from '../connection.ts'

export type SortKey = 'name' | 'status' | 'pages' | 'bytes' | 'added'
export type Order = { readonly by: SortKey; readonly isDown: boolean }
export type Status = DocumentJson['status'] | 'all'

/** Documents per request, so that one response stays near 300 KB. */
const PAGE_SIZE = 1_000

export async function readDocuments(
  collection: string,
  show: (documents: readonly DocumentJson[]) => void,
  signal: AbortSignal,
): Promise<readonly DocumentJson[]> {
  const all: DocumentJson[] = []
  let after: string | undefined = ''
  do {
    const query: string = new URLSearchParams({
      collection,
      limit: String(PAGE_SIZE),
      after,
    }).toString()
    const page: DocumentPageJson = await fetchJson(`/api/documents?${query}`, { signal })
    all.push(...page.documents)
    show([...all])
    after = page.hasMore ? page.last : undefined
  } while (after !== undefined)
  return all
}

export function arrangeDocuments(
  documents: readonly DocumentJson[],
  {
    words,
    status,
    order,
  }: { readonly words: string; readonly status: Status; readonly order: Order },
): readonly DocumentJson[] {
  const searchedWords = words.trim().toLowerCase()
  const matching = documents.filter(
    document =>
      (status === 'all' || document.status === status) &&
      (searchedWords === '' ||
        document.name.toLowerCase().includes(searchedWords) ||
        document.title.toLowerCase().includes(searchedWords)),
  )
  const direction = order.isDown ? -1 : 1
  return matching.toSorted((a, b) => direction * compare(a, b, order.by))
}

const NAMES = new Intl.Collator(undefined, { numeric: true })

function compare(a: DocumentJson, b: DocumentJson, by: SortKey): number {
  if (by === 'name') return NAMES.compare(a.name, b.name)
  if (by === 'status') return a.status.localeCompare(b.status) || NAMES.compare(a.name, b.name)
  if (by === 'pages') return (a.pages ?? 0) - (b.pages ?? 0)
  return by === 'bytes' ? a.bytes - b.bytes : a.createdAt.localeCompare(b.createdAt)
}
