import type { Passim } from '../app/passim.ts'
import { AppError } from '../errors.ts'
import type { Document } from '../ingest/store/catalog/document.ts'
import type { McpOptions } from './offer.ts'

/** Documents per read; protects memory. */
const AT_ONCE = 200

/** Yields none without a collection. Throws like `readDocumentsAfter`. */
export async function* readReadableAfter(
  passim: Passim,
  scope: McpOptions,
  id?: string,
): AsyncGenerator<Document> {
  try {
    for await (const document of readDocumentsAfter(passim, scope, id))
      if (document.searchable) yield document
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
  }
}

/** Throws `not_found`, or `invalid_input` if the document to start after is gone. */
export async function* readDocumentsAfter(
  passim: Passim,
  { collections }: McpOptions,
  id?: string,
): AsyncGenerator<Document> {
  const listed = await passim.scope.findCollections(collections)
  const last = id === undefined ? undefined : await findLast(passim, id)
  const first = last ? listed.findIndex(collection => collection.id === last.collectionId) : 0
  if (first < 0) throw createNotListed(id)
  let after = last?.source ?? ''
  for (const { id: collection } of listed.slice(first)) {
    for (
      let page: readonly Document[] | undefined;
      page === undefined || page.length === AT_ONCE;
    ) {
      page = await passim.listPage(collection, after, AT_ONCE)
      yield* page
      after = page.at(-1)?.source ?? ''
    }
    after = ''
  }
}

async function findLast(passim: Passim, id: string): Promise<Document> {
  try {
    return await passim.scope.findDocumentById(id)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') throw createNotListed(id)
    throw error
  }
}

function createNotListed(id: string | undefined): AppError {
  return new AppError(
    'invalid_input',
    `The document ${id} is no longer listed. List again from the beginning.`,
  )
}

export async function take<One>(
  all: AsyncIterable<One>,
  limit: number,
): Promise<{ readonly page: readonly One[]; readonly hasMore: boolean }> {
  const page: One[] = []
  for await (const item of all) {
    if (page.length === limit) return { page, hasMore: true }
    page.push(item)
  }
  return { page, hasMore: false }
}
