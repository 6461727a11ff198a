import { expect } from 'vitest'
import type { Sandbox } from '../fakes/store.ts'

/** Number of documents that a process is killed on. */
export const FILES = 40

/** Returns a word of letters alone that only one document has. */
export function marker(index: number): string {
  return `mark${[...String(index)].map(digit => 'qwrtzpsdfg'[Number(digit)]).join('')}k`
}

/** Writes the documents, each with its word, and returns their folder. */
export async function writeMarked(sandbox: Sandbox, word = marker): Promise<string> {
  const files = Array.from({ length: FILES }, (_, index) => [
    `${index}.txt`,
    `${word(index)} ${'word '.repeat(400)}`,
  ])
  return await sandbox.write(Object.fromEntries(files))
}

/** Returns the arguments of the command that indexes the folder. */
export function listIndexArguments(docs: string): readonly string[] {
  return ['index', docs, '--no-vectors', '--quiet']
}

/** Expects every document once, completed, found by its own word once, and a sound store. */
export async function expectEachOnce(sandbox: Sandbox, word = marker): Promise<void> {
  const passim = await sandbox.open()
  const [collection] = await passim.scope.findCollections()
  expect((await passim.list(collection!)).map(document => document.status)).toEqual(
    new Array(FILES).fill('completed'),
  )
  for (let index = 0; index < FILES; index++) {
    const hits = await passim.search({ query: word(index), mode: 'keyword', limit: 5 })
    expect(hits.map(hit => [hit.name, hit.charStart === 0])).toContainEqual([`${index}.txt`, true])
    expect(new Set(hits.map(hit => `${hit.documentId} ${hit.charStart}`)).size).toBe(hits.length)
  }
  expect(await passim.verify.run()).toMatchObject({ ok: true, problems: [] })
}
