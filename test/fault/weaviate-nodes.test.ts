import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { WeaviateClient } from '../../src/search/weaviate/weaviate-client.ts'
import { WeaviateIndex } from '../../src/search/weaviate/weaviate-index.ts'
import { WeaviateIndexes } from '../../src/search/weaviate/weaviate-indexes.ts'
import { WeaviateTables } from '../../src/search/weaviate/weaviate-tables.ts'
import { createId } from '../../src/system/digest.ts'
import { Analyzer } from '../../src/text/analyzer.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const NODES = fileURLToPath(new URL('../fakes/weaviate-nodes.sh', import.meta.url))
const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache')
const program = path.join(cache, 'passim/engines/weaviate-server')
const isThere = existsSync(program) && spawnSync('unshare', ['-n', 'true']).status === 0

const table = { id: 'vs_1', dimensions: 0 }
const WRITES = 60

let ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.toReversed()) await end()
  ends = []
})

/** Three nodes, their addresses, and how one is killed. */
async function startNodes() {
  const folder = await mkdtemp(path.join(tmpdir(), 'passim-nodes-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const nodes: ChildProcess = spawn('unshare', ['-n', 'bash', NODES, program, folder], {
    cwd: ROOT,
    stdio: 'ignore',
  })
  ends.push(async () => {
    const ended = once(nodes, 'exit')
    nodes.kill('SIGTERM')
    await ended
  })
  const urls = await Promise.all([0, 1, 2].map(node => addressOf(path.join(folder, String(node)))))
  const kill = async (node: number) => {
    const pid = Number(await readFile(path.join(folder, `${node}.pid`), 'utf8'))
    process.kill(pid, 'SIGKILL')
  }
  return { urls, kill }
}

/** Where a socket in the file system is reached from here. */
async function addressOf(socket: string): Promise<string> {
  const server: Server = createServer(near => {
    const far = connect(socket)
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
  }).listen(0, '127.0.0.1')
  ends.push(() => server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
}

test.skipIf(!isThere)(
  'a node of three that is killed under load loses no row that was written, and every question is answered (needs weaviate-server and unshare -n)',
  { timeout: 300_000 },
  async () => {
    const { urls, kill } = await startNodes()
    const client = new WeaviateClient({ urls })
    const version = async () => await client.readVersion(AbortSignal.timeout(5_000)).catch(() => '')
    await expect.poll(version, { timeout: 150_000, interval: 1_000 }).toMatch(/^1\./)
    const tables = new WeaviateTables(client, {
      storeId: createId('test_'),
      analyzerId: 'plain@1',
      replicas: 3,
    })
    const index = new WeaviateIndex(tables, {
      analyzer: new Analyzer(),
      statistics: [],
      countedChunks: async () => 0,
    })
    let asked = 0
    const indexes = new WeaviateIndexes(tables, async () => String(asked++))
    const ask = async () =>
      (await (await indexes.open(table.id))?.findByKeyword(['fox'], 9, {}))?.length
    await index.add(table, [rowOf(1)])
    const answers: (number | undefined)[] = []
    for (let at = 2; at <= WRITES; at++) {
      if (at === WRITES / 2) await kill(0) // which was asked first
      await index.add(table, [rowOf(at)])
      answers.push(await ask())
    }
    expect(answers.every(found => found !== undefined && found > 0)).toBe(true)
    expect([...(await index.countVersions(table)).keys()].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: WRITES }, (_, at) => at + 1),
    )
  },
)

function rowOf(version: number) {
  const text = `fox ${version}`
  const place = { charStart: 0, charEnd: text.length, headings: [], context: '', tokens: 1 }
  return { version, ordinal: 0, chunkId: `chunk_${version}`, text, name: '', ...place }
}
