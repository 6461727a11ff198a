import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { openToSearch, type SearchOnly } from '../../src/app/search-only.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { Sandbox } from '../fakes/store.ts'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))

let sandbox: Sandbox
let passim: Passim
let store: SearchOnly
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await passim.index([
    await sandbox.write({ 'fee.txt': 'The harbour fee is due.', 'tax.txt': 'A tax on ships.' }),
  ])
  store = await openToSearch({
    home: sandbox.home,
    environment: {},
    embedder: new HashingEmbedder(),
  })
})
afterAll(async () => {
  await store.close()
  await sandbox.remove()
})

test.each(['keyword', 'hybrid'] as const)(
  'a store opened to be searched finds what the whole finds, %s',
  async mode => {
    const asked = { query: 'harbour fee', mode, explain: true }
    expect(await store.search(asked)).toEqual(await passim.search(asked))
    expect(await store.explainDocument('tax.txt', asked)).toEqual(
      await passim.why('tax.txt', asked),
    )
  },
)
test('it sees what is indexed meanwhile', async () => {
  expect(await store.listWarnings({})).toEqual([])
  await passim.index([await sandbox.write({ 'pier.txt': 'The pier is closed.' })])
  expect((await store.search({ query: 'pier', mode: 'keyword' })).map(hit => hit.name)).toEqual([
    'pier.txt',
  ])
})
test('hits are packed for a model within its budget, and what does not fit is told', async () => {
  const hits = await store.search({ query: 'harbour fee tax ships', mode: 'keyword' })
  const all = await store.packContext(hits, 1_000)
  expect(all).toEqual(await passim.texts.context(hits, 1_000))
  expect(all).toMatchObject({ passages: [{ id: 1 }, { id: 2 }], omitted: [] })
  for (const { text } of hits) expect(all.text).toContain(text)
  const less = await store.packContext(hits, all.tokens - 1)
  expect(less.tokens).toBeLessThan(all.tokens)
  expect(less).toMatchObject({
    passages: [{ id: 1 }],
    omitted: [{ reason: 'budget', documentId: hits[1]!.documentId }],
  })
})
test('no parser, no agent and no queue is loaded for it', () => {
  const loaded = [...loadedWith('app/search-only.ts')]
  expect(loaded).toContain('search/rank/keyword.ts')
  expect(
    loaded.filter(file =>
      /^ingest\/(parsers|sync|web\/fetcher|work\/queue)|^agent\/function-calling/.test(file),
    ),
  ).toEqual([])
})

/** A module and all that it imports as it is loaded, by their paths in src. */
function loadedWith(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found
  found.add(file)
  const text = readFileSync(path.join(SRC, file), 'utf8')
  for (const [, what = '', name = ''] of text.matchAll(
    /^(?:import|export) ([^'"]*?) ?from '(\.[^']+)'/gms,
  )) {
    if (!what.startsWith('type '))
      loadedWith(path.posix.join(path.posix.dirname(file), name), found)
  }
  return found
}
