import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Passim } from '../../src/app/passim.ts'
import type { Searchable } from '../../src/ingest/store/catalog/document.ts'

/** The word that each file holds and no other. */
export type Expected = Map<string, string>

/** What is in the folder, and how every document is found in the end. */
export type Wanted = { readonly expected: Expected; readonly searchable: Searchable }

export type Defects = { lost: number; doubled: number; orphaned: number; stale: number }

/** A word of letters alone, another one for every number. */
export function wordOf(number: number): string {
  return `mark${[...String(number)].map(digit => 'qwrtzpsdfg'[Number(digit)]).join('')}k`
}

/** Compare a store, after a run that ended, with what its folder holds. */
export async function countDefects(passim: Passim, docs: string, wanted: Wanted): Promise<Defects> {
  const [collection] = await passim.scope.findCollections()
  const listed = await passim.list(collection!)
  const names = new Set(listed.map(document => document.name))
  const defects: Defects = { lost: 0, doubled: listed.length - names.size, orphaned: 0, stale: 0 }
  for (const [name, word] of wanted.expected) {
    const hits = await passim.search({ query: word, mode: 'keyword', limit: 50 })
    const own = hits.filter(hit => hit.name === name)
    if (own.length === 0) defects.lost++
    if (new Set(own.map(hit => hit.charStart)).size < own.length) defects.doubled++
    defects.stale += hits.length - own.length
  }
  defects.lost += listed.filter(
    ({ status, searchable }) => status !== 'completed' || searchable !== wanted.searchable,
  ).length
  const present = new Set(await readdir(docs))
  const orphans = [
    ...[...names].filter(name => !present.has(name)),
    ...(await passim.verify.run()).problems.map(problem => problem.message),
    ...(await strayContents(passim.settings.home, listed.length)),
  ]
  for (const orphan of orphans) console.error(`orphan: ${orphan}`)
  defects.orphaned += orphans.length
  return defects
}

/** Folders of content beyond those of the listed documents, each of which has bytes of its own. */
async function strayContents(home: string, documents: number): Promise<readonly string[]> {
  const prefixes = await readdir(path.join(home, 'content'))
  const folders = (
    await Promise.all(prefixes.map(prefix => readdir(path.join(home, 'content', prefix))))
  ).flat()
  return folders.slice(documents).map(() => `${folders.length} contents of ${documents} documents`)
}
