/**
 * Keep a collection in step with texts of yours, each under your own id. Run `passim serve`, then:
 *
 *   npx tsx examples/keep-in-step.ts http://127.0.0.1:7700 notes/*.txt
 *
 * In a program that has Passim installed, import from 'passim/client'.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createClient, type PassimClient } from '../client/index.ts'

type Report = { readonly put: readonly string[]; readonly deleted: readonly string[] }

/** Puts the texts that differ, and deletes the documents of ids that are gone. */
export async function keepInStep(
  passim: PassimClient,
  collection: string,
  texts: ReadonlyMap<string, string>,
): Promise<Report> {
  const hashes = await listHashes(passim, collection)
  const put: string[] = []
  for (const [id, text] of texts) {
    if (hashes.get(id) === createHash('sha256').update(text).digest('hex')) continue
    const path = { id: collection, externalId: id }
    await passim.request('put', '/api/collections/{id}/documents/{externalId}', {
      path,
      body: { text },
    })
    put.push(id)
  }
  const gone = [...hashes.keys()].filter(id => !texts.has(id))
  for (let first = 0; first < gone.length; first += 1_000)
    await passim.request('post', '/api/collections/{id}/documents/delete', {
      path: { id: collection },
      body: { ids: gone.slice(first, first + 1_000) },
    })
  return { put, deleted: gone }
}

async function listHashes(passim: PassimClient, collection: string): Promise<Map<string, string>> {
  const hashes = new Map<string, string>()
  const { collections } = await passim.request('get', '/api/collections', {})
  if (!collections.some(({ name }) => name === collection)) return hashes
  for (let after: string | undefined; ; ) {
    const query = after === undefined ? {} : { after }
    const page = await passim.request('get', '/api/collections/{id}/documents', {
      path: { id: collection },
      query,
    })
    for (const { id, hash } of page.documents) hashes.set(id, hash)
    if (!page.hasMore) return hashes
    after = page.last
  }
}

if (process.argv[1] === import.meta.filename) {
  const [, , url = 'http://127.0.0.1:7700', ...files] = process.argv
  const texts = new Map<string, string>()
  for (const file of files) texts.set(file, await readFile(file, 'utf8'))
  console.log(await keepInStep(createClient({ url }), 'notes', texts))
}
