/**
 * Switch off the chunks of a document that have a text, such as a disclaimer, or add a note by which a chunk is found. Run
 * `passim serve`, then, for a document by your own id:
 *
 *   npx tsx examples/edit-chunks.ts http://127.0.0.1:7700 notes handbook "No liability is accepted"
 *   npx tsx examples/edit-chunks.ts http://127.0.0.1:7700 notes handbook "Hotels cost" "Also holds for hostels."
 *
 * In a program that has Passim installed, import from 'passim/client'.
 */
import { createClient, type PassimClient } from '../client/index.ts'

type Choice = { readonly collection: string; readonly id: string; readonly text: string }

/** Returns how many chunks have the text. Without a note they are in no search and no answer any more. */
export async function editChunks(
  passim: PassimClient,
  { collection, id, text }: Choice,
  note?: string,
): Promise<number> {
  const path = { id: collection, externalId: id }
  let edited = 0
  for (let after: number | undefined; ; ) {
    const query = after === undefined ? {} : { after }
    const page = await passim.request(
      'get',
      '/api/collections/{id}/documents/{externalId}/chunks',
      { path, query },
    )
    for (const chunk of page.chunks.filter(chunk => chunk.text.includes(text))) {
      await passim.request(
        'patch',
        '/api/collections/{id}/documents/{externalId}/chunks/{chunkId}',
        {
          path: { ...path, chunkId: chunk.id },
          body: note === undefined ? { isExcluded: true } : { note },
        },
      )
      edited++
    }
    if (!page.hasMore) return edited
    after = page.last
  }
}

if (process.argv[1] === import.meta.filename) {
  const [, , url, collection, id, text, note] = process.argv
  if (!url || !collection || !id || !text)
    throw new Error('Name the service, the collection, the document and the text.')
  console.log(`${await editChunks(createClient({ url }), { collection, id, text }, note)} edited`)
}
