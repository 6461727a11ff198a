/**
 * Kills the indexing process at random moments, some of the time with a second writer at work, and counts what is lost,
 * doubled, orphaned or stale afterwards. With UPKEEP_ROWS 0 every table is brought in order by a process of its own, as
 * large ones are; some of the time that process is killed alone. With VECTORS 1 documents are embedded, by a server that takes its
 * time, so that many kills come between a document's publication by its words and that with its vectors. With S3 1 index and contents
 * lie in the S3 store of PASSIM_TEST_S3, where what no row of the catalog names counts as orphaned.
 * usage: npx tsx test/soak/kills.ts [KILLS 200] [FILES 30] [SEED 1] [UPKEEP_ROWS 20000] [VECTORS 0] [S3 0]
 */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { childrenOf, commandOf } from '../../bench/process-tree.ts'
import { openCatalog } from '../../src/app/stores/store.ts'
import { open } from '../../src/app.ts'
import { createPseudoRandom } from '../../src/search/evaluation/metrics.ts'
import { startEmbeddingServer } from '../fakes/embedding-server.ts'
import { s3Place, TestBucket } from '../fakes/s3.ts'
import { countDefects, type Expected, wordOf } from './kill-check.ts'

const [kills = 200, files = 30, seed = 1, processRows = 20_000, vectors = 0, s3 = 0] = process.argv
  .slice(2)
  .map(Number)
const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const random = createPseudoRandom(seed)
const folder = await mkdtemp(path.join(tmpdir(), 'passim-kills-'))
const home = path.join(folder, 'home')
const docs = path.join(folder, 'docs')
await mkdir(docs)
const config = path.join(folder, 'config.yaml')
const server =
  vectors > 0 ? await startEmbeddingServer(64, () => sleep(10 + random() * 60)) : undefined
const embedder = server && { url: server.url, name: 'hasher' }
const bucket = s3 > 0 && s3Place ? new TestBucket(s3Place) : undefined
await bucket?.make()
const place = { place: 's3' }
const shared = bucket && { s3: bucket.settings, index: place, content: place }
await writeFile(
  config,
  JSON.stringify({ upkeep: { processRows }, ...(embedder && { embedder }), ...shared }),
)

const expected: Expected = new Map()
let generation = 0
for (let file = 0; file < files; file++) await write(file)
const defects = { lost: 0, doubled: 0, orphaned: 0, stale: 0 }

for (let kill = 1; kill <= kills; kill++) {
  await change()
  const runs = [start(), ...(random() < 0.3 ? [start()] : [])]
  if (processRows === 0 && random() < 0.3)
    await killUpkeep(runs[0]!) // there is one or two
  else await sleep(100 + random() * 1_400)
  for (const run of runs) if (random() < 0.8) run.child.kill('SIGKILL')
  await Promise.all(runs.map(run => run.ended))
  if (kill % 10 === 0 || kill === kills) await check(kill)
}
await server?.close()
await bucket?.remove()
await rm(folder, { recursive: true })
process.exitCode = Object.values(defects).some(count => count > 0) ? 1 : 0

/** The next run ends with every document once; then everything is counted. */
async function check(kill: number): Promise<void> {
  const code = await start().ended
  if (code !== 0) throw new Error(`The run after ${kill} kills ended with exit code ${code}.`)
  const passim = await open({ home, configFile: config, environment: {} })
  const found = await countDefects(passim, docs, { expected, searchable: server ? 'all' : 'words' })
  await passim.close()
  if (bucket) defects.orphaned += await countOrphans(bucket)
  for (const name of Object.keys(defects) as (keyof typeof defects)[]) defects[name] += found[name]
  console.log(
    `${kill} kills: ${Object.entries(defects)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}`,
  )
}

/** Some files get new words, one goes, one comes back. */
async function change(): Promise<void> {
  for (let count = 0; count < 5; count++) await write(Math.floor(random() * files))
  const gone = Math.floor(random() * files)
  expected.delete(`${gone}.txt`)
  await rm(path.join(docs, `${gone}.txt`), { force: true })
}

async function write(file: number): Promise<void> {
  const word = wordOf(generation++)
  expected.set(`${file}.txt`, word)
  await writeFile(
    path.join(docs, `${file}.txt`),
    `${word} ${'filler words of a text '.repeat(100)}`,
  )
}

/** Wait for the process that brings the table in order, and kill it alone (Linux only). */
async function killUpkeep({ child, ended }: ReturnType<typeof start>): Promise<void> {
  let isOver = false
  void ended.then(() => (isOver = true))
  while (!isOver) {
    const upkeep = childrenOf(child.pid ?? 0).find(pid => commandOf(pid).includes('upkeep-process'))
    if (upkeep !== undefined) return void process.kill(upkeep, 'SIGKILL')
    await sleep(5)
  }
}

function start() {
  const child = spawn(
    process.execPath,
    [
      CLI,
      ...['--home', home, '--config', config, '--quiet'],
      ...['index', docs],
      ...(server ? [] : ['--no-vectors']),
    ],
    {
      stdio: 'ignore',
    },
  )
  return { child, ended: new Promise<number | null>(resolve => child.once('close', resolve)) }
}

/** Places in the bucket that the catalog does not know: those of killed processes it does, for an hour. */
async function countOrphans({ blobs }: TestBucket): Promise<number> {
  const catalog = await openCatalog(path.join(home, 'catalog.db'))
  const known = new Set(
    (await catalog.all<{ place: string }>('SELECT place FROM shared_contents')).map(
      row => row.place,
    ),
  )
  await catalog.close()
  const there = new Set<string>()
  for await (const { key } of blobs.list('')) {
    const [, placed] = /\/content\/(\w+\/\w+)\//.exec(key) ?? []
    if (placed !== undefined) there.add(placed)
  }
  return [...there].filter(one => !known.has(one)).length
}
