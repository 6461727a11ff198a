import { cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { storeIn } from '../fakes/catalog-environment.ts'
import { runCli, startCli } from '../fakes/cli.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../fakes/embedding-server.ts'
import { Sandbox } from '../fakes/store.ts'

const FILES = 16
/** A word of letters alone, that only one document has. */
const marker = (index: number) =>
  `mark${[...String(index)].map(digit => 'qwrtzpsdfg'[Number(digit)]).join('')}k`

let sandbox: Sandbox
let servers: readonly EmbeddingServer[]
let onRequest: () => void = () => {}

beforeEach(async () => {
  sandbox = await Sandbox.make()
  const asked = async () => {
    onRequest()
    await sleep(5)
  }
  servers = [await startEmbeddingServer(96, asked), await startEmbeddingServer(48, asked)]
  await mkdir(sandbox.home)
  const [first, second] = servers.map(({ url }) => url)
  const embedders = {
    first: { url: first, name: 'first' },
    second: { url: second, name: 'second' },
  }
  await writeFile(path.join(sandbox.home, 'config.yaml'), JSON.stringify({ embedders }))
  const passim = await sandbox.open({ embedder: undefined })
  await passim.collections.create({ name: 'default', embedder: 'first' })
  const files = Array.from({ length: FILES }, (_, at) => [
    `${at}.txt`,
    `${marker(at)} ${'word '.repeat(600)}`,
  ])
  await passim.index([await sandbox.write(Object.fromEntries(files))])
  await sandbox.close()
})
afterEach(async () => {
  await sandbox.remove()
  for (const server of servers) await server.close()
})

/** Kill a run at its `count`th request, and so long after it. */
async function kill(
  embedder: string,
  { count, afterMs }: { count: number; afterMs: number },
): Promise<void> {
  const { child, ended } = startCli(sandbox.home, [
    'collections',
    're-embed',
    'default',
    '--embedder',
    embedder,
    '--quiet',
  ])
  let seen = 0
  onRequest = () => {
    if (++seen === count) setTimeout(() => child.kill('SIGKILL'), afterMs)
  }
  await ended
  onRequest = () => {}
}

/** Each document is found once by its own word and by its vector, whatever was killed. */
async function expectEachOnce(embedderId: string): Promise<void> {
  const passim = await sandbox.open({ embedder: undefined })
  const [collection] = await passim.scope.findCollections()
  expect(collection).toMatchObject({ embedderId })
  for (const mode of ['keyword', 'vector'] as const) {
    for (const at of [0, 7, FILES - 1]) {
      const hits = await passim.search({ query: marker(at), mode, limit: 200 }, 'every')
      const own = hits.filter(hit => hit.name === `${at}.txt`)
      expect(own.length).toBeGreaterThan(0)
      expect(new Set(hits.map(hit => `${hit.documentId} ${hit.charStart}`)).size).toBe(hits.length)
    }
  }
  expect(await passim.verify.run()).toMatchObject({ ok: true, problems: [] })
  await sandbox.close()
}

const vectorFiles = async () =>
  (await readdir(path.join(sandbox.home, 'content'), { recursive: true })).filter(name =>
    name.includes('vectors-'),
  )
const tables = async () =>
  (await readdir(path.join(sandbox.home, 'index'))).filter(name => name.endsWith('.lance'))

test('a change of models that is killed at any time leaves the old vectors or the new, and goes on with the next run', async () => {
  await kill('second', { count: 2, afterMs: 0 }) // the first asks for the length
  await expectEachOnce('first@1:96')
  const before = servers[1]!.requests.length
  await kill('second', { count: 6, afterMs: 0 })
  await kill('second', { count: FILES, afterMs: 150 })
  const index = await runCli(sandbox.home, ['index', sandbox.path(''), '--json'])
  expect(JSON.parse(index.stdout)).toMatchObject({ totals: { unchanged: FILES } })
  await expectEachOnce('second@1:48')
  expect(servers[1]!.requests.length - before).toBeLessThan(2 * FILES) // what was embedded is not embedded again
  expect([(await vectorFiles()).length, (await tables()).length]).toEqual([FILES, 1])
})

test('a kill while the new vectors are written and published', async () => {
  await kill('second', { count: FILES + 1, afterMs: 250 })
  const run = await runCli(sandbox.home, [
    'collections',
    're-embed',
    'default',
    '--embedder',
    'second',
  ])
  expect(run, run.stderr).toMatchObject({ code: 0 })
  await expectEachOnce('second@1:48')
  expect([(await vectorFiles()).length, (await tables()).length]).toEqual([FILES, 1])
})

test('a kill after they are published leaves the old vectors to the next run, though that has nothing to embed', async () => {
  const [content, before] = [path.join(sandbox.home, 'content'), sandbox.path('content-before')]
  await cp(content, before, { recursive: true })
  const again = () =>
    runCli(sandbox.home, ['collections', 're-embed', 'default', '--embedder', 'second'])
  expect(await again()).toMatchObject({ code: 0 })
  await cp(before, content, { recursive: true }) // what a kill before the sweep leaves
  const { catalog } = await storeIn(sandbox.home)
  await catalog.run('UPDATE re_embeddings SET is_swept = 0')
  await catalog.close()
  expect((await vectorFiles()).length).toBe(2 * FILES)
  expect(await again()).toMatchObject({ code: 0 })
  expect((await vectorFiles()).length).toBe(FILES)
})
