import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { runCli, startCli } from '../fakes/cli.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../fakes/embedding-server.ts'
import { Sandbox } from '../fakes/store.ts'

const FILES = 24
/** A word of letters alone, that only one document has. */
const marker = (index: number) =>
  `mark${[...String(index)].map(digit => 'qwrtzpsdfg'[Number(digit)]).join('')}k`
const changed = (index: number) => `changed${marker(index)}`

let sandbox: Sandbox
let server: EmbeddingServer
let docs: string
let onRequest: () => Promise<void> | void

beforeEach(async () => {
  sandbox = await Sandbox.make()
  onRequest = () => {}
  server = await startEmbeddingServer(64, async texts => {
    if (texts.some(text => text.includes('word'))) await onRequest() // passages
  })
  docs = await write(marker)
})
afterEach(async () => {
  await sandbox.remove()
  await server.close()
})

const write = (text: (index: number) => string) =>
  sandbox.write(
    Object.fromEntries(
      Array.from({ length: FILES }, (_, at) => [`${at}.txt`, `${text(at)} ${'word '.repeat(400)}`]),
    ),
  )
const environment = () => ({ PASSIM_EMBEDDER_URL: server.url, PASSIM_EMBEDDER: 'hasher' })
const open = () => sandbox.open({ embedder: undefined, environment: environment() })
const index = () => [...['index', docs], '--quiet']

/** The names of documents that hold the word; each passage of one once. */
async function named(
  passim: Passim,
  query: string,
  mode: 'keyword' | 'vector' = 'keyword',
): Promise<readonly string[]> {
  const hits = await passim.search({ query, mode, limit: 200 }, 'every')
  expect(new Set(hits.map(hit => `${hit.documentId} ${hit.charStart}`)).size).toBe(hits.length)
  return [...new Set(hits.map(({ name }) => name))]
}

/** Every document is there once, whole, by words and by vectors, and the store is sound. */
async function expectAll(text = marker): Promise<void> {
  const passim = await open()
  const listed = (await passim.list('default')).map(
    ({ status, searchable }) => `${status} ${searchable}`,
  )
  expect(listed).toEqual(new Array(FILES).fill('completed all'))
  for (let at = 0; at < FILES; at++) expect(await named(passim, text(at))).toEqual([`${at}.txt`])
  expect((await named(passim, 'word', 'vector')).toSorted()).toEqual(
    (await passim.list('default')).map(({ name }) => name).toSorted(),
  )
  expect(await passim.verify.run()).toMatchObject({ ok: true, problems: [] })
  await sandbox.close()
}

/** Runs the command, and kills it so long after its `count`th request for vectors; that never gets an answer where it is 1. */
async function kill(count: number, afterMs: number): Promise<void> {
  const { child, ended } = startCli(sandbox.home, index(), environment())
  let seen = 0
  onRequest = async () => {
    if (++seen >= count) await sleep(afterMs).then(() => child.kill('SIGKILL'))
  }
  await ended
  onRequest = () => {}
}

test('documents whose run is killed before it has any vectors are found by their words', async () => {
  const { child, ended } = startCli(sandbox.home, index(), environment())
  onRequest = async () => void (await ended)
  const passim = await open()
  const listed = async () =>
    (await passim.scope.findCollections()).length > 0 ? await passim.list('default') : []
  const words = async () =>
    (await listed()).filter(({ searchable }) => searchable === 'words').length
  await expect
    .poll(async () => ((await passim.collections.list()).length > 0 ? await words() : 0), {
      timeout: 60_000,
    })
    .toBe(FILES)
  child.kill('SIGKILL')
  await ended
  onRequest = () => {}
  for (let at = 0; at < FILES; at++) expect(await named(passim, marker(at))).toEqual([`${at}.txt`])
  expect(await named(passim, 'word', 'vector')).toEqual([])
  expect(await passim.verify.run()).toMatchObject({ ok: true })
  await sandbox.close()
  expect(await runCli(sandbox.home, index(), environment())).toMatchObject({ code: 0 })
  await expectAll()
})

test('kills while vectors come in leave each document found once, whole', async () => {
  for (const [count, afterMs] of [
    [2, 0],
    [8, 0],
    [12, 300],
    [FILES, 700],
  ] as const) {
    await kill(count, afterMs)
    const passim = await open()
    for (const { name, searchable } of await passim.list('default')) {
      const own = marker(Number.parseInt(name, 10))
      expect(await named(passim, own)).toEqual(searchable ? [name] : [])
    }
    await sandbox.close()
  }
  expect(await runCli(sandbox.home, index(), environment())).toMatchObject({ code: 0 })
  await expectAll()
})

test('kills while documents are replaced leave each old, new by its words, or new, never two of them', async () => {
  await runCli(sandbox.home, index(), environment())
  await write(changed)
  for (const [count, afterMs] of [
    [1, 0],
    [6, 200],
    [12, 0],
  ] as const) {
    await kill(count, afterMs)
    const passim = await open()
    for (let at = 0; at < FILES; at++) {
      const found = [...(await named(passim, marker(at))), ...(await named(passim, changed(at)))]
      expect(found, `versions of ${at}.txt`).toEqual([`${at}.txt`])
    }
    await sandbox.close()
  }
  expect(await runCli(sandbox.home, index(), environment())).toMatchObject({ code: 0 })
  await expectAll(changed)
})
