/**
 * What a store over PostgreSQL and S3 costs and how quickly its nodes follow each other, with real processes: CPU of a warm search
 * and of a write beside the same service over a local store, and round trips to the database; documents a second with 1, 2 and 4
 * workers; how long a deleted document is found by others; how long a service with an empty home takes to answer. All on one
 * machine, each node with a home of its own. Needs PASSIM_TEST_POSTGRES and PASSIM_TEST_S3, and the built program; Linux only.
 * usage: npx tsx bench/cluster-figures.ts [costs] [workers] [collection] [deletes] [starts]     (without any, all of them)
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { percentile } from '../src/search/evaluation/metrics.ts'
import { runCli } from '../test/fakes/cli.ts'
import { startEmbeddingServer } from '../test/fakes/embedding-server.ts'
import { s3Place, TestBucket } from '../test/fakes/s3.ts'
import { ClusterNode } from './cluster-node.ts'
import { cpuMsOfTree } from './process-tree.ts'
import { startProxy } from './proxy.ts'
import { zipfQuery, zipfText } from './zipf-text.ts'

const database = process.env.PASSIM_TEST_POSTGRES
if (!database || !s3Place) throw new Error('Set PASSIM_TEST_POSTGRES and PASSIM_TEST_S3.')
const DOCUMENTS = 120
const SENTENCES = 40
const QUERIES = 60
const ROUNDS = 10
const WRITES = 100
const DELETES = 100
const STARTS = 5
const COLLECTIONS = 4
const OF_EACH = 12
const SERVE = ['serve', '--port', '0', '--no-ingest']
const median = (values: readonly number[]) => percentile(values, 0.5)
/** The message by which PostgreSQL says that an answer is whole. */
const READY = Buffer.from('Z\0\0\0\u0005')

const folder = await mkdtemp(path.join(tmpdir(), 'passim-figures-'))
const bucket = new TestBucket(s3Place)
await bucket.make()
const server = await startEmbeddingServer(384)
const schemas: string[] = []
let nodes: ClusterNode[] = []
let homes = 0

const parts = {
  ...{ costs, deletes, starts },
  workers: async () => await workers(COLLECTIONS),
  collection: async () => await workers(1),
}
const wanted = process.argv.slice(2)
console.log(`${cpus()[0]?.model}, ${availableParallelism()} cores, Node ${process.version}`)
try {
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    await part()
    await stopAll()
  }
} finally {
  await stopAll()
  await server.close()
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  for (const schema of schemas)
    for (const one of [schema, `${schema}_keys`]) await client.query(`DROP SCHEMA IF EXISTS ${one} CASCADE`)
  await client.end()
  await bucket.remove()
  await rm(folder, { recursive: true, force: true })
}

type Settings = Readonly<Record<string, unknown>>

/** With vectors in no time, by a server of this process, whose CPU is not counted. */
function quickModel(): Settings {
  return { embedder: { url: server.url, name: 'hashing', dimensions: 384 } }
}

/** Settings of a store of its own in the database and the bucket. */
function clusterStore(
  settings: Settings,
): Settings & { readonly catalog: { readonly url: string; readonly schema: string } } {
  const schema = `f${process.pid}_${schemas.length}`
  schemas.push(schema)
  const places = { s3: bucket.settings, content: { place: 's3' }, index: { place: 's3' } }
  return { ...settings, ...places, catalog: { url: database!, schema } } // looked for above
}

async function newNode(settings: Settings, args: readonly string[], home = path.join(folder, `home-${homes++}`)) {
  const config = `${home}.yaml`
  await writeFile(config, JSON.stringify(settings)) // JSON is YAML
  const node = new ClusterNode({ home, args: ['--config', config, ...args] })
  nodes.push(node)
  return node
}

async function start(...given: Parameters<typeof newNode>): Promise<ClusterNode> {
  const node = await newNode(...given)
  await node.start()
  return node
}

async function stopAll(): Promise<void> {
  await Promise.all(nodes.map(node => node.stop('SIGTERM')))
  nodes = []
}

async function call<Answer = { readonly id: string }>(
  { url }: ClusterNode,
  method: string,
  where: string,
  body?: object,
): Promise<Answer> {
  const isForm = body instanceof FormData
  const response = await fetch(`${url}${where}`, {
    method,
    ...(body && !isForm && { headers: { 'content-type': 'application/json' } }),
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Answer // what the route gives
}

async function search(node: ClusterNode, query: string): Promise<{ readonly hits: readonly object[] }> {
  return await call(node, 'POST', '/api/search', { query, limit: 10 })
}

async function indexDocuments(settings: Settings, home: string, documents: number, sentences: number): Promise<void> {
  const docs = path.join(folder, `docs-${documents}-${sentences}`)
  await mkdir(docs, { recursive: true })
  for (let at = 0; at < documents; at++)
    await writeFile(path.join(docs, `${at}.txt`), zipfText(at, sentences).sentences.join(' '))
  await writeFile(`${home}.yaml`, JSON.stringify(settings))
  const { code, stderr } = await runCli(home, ['--config', `${home}.yaml`, '--quiet', 'index', docs])
  if (code !== 0) throw new Error(`The documents were not indexed: ${stderr}`)
}

/** Answers of PostgreSQL that were whole since it was last asked, and a URL that counts them. */
async function countedDatabase(): Promise<{ readonly url: string; readonly take: () => number }> {
  let count = 0
  let rest = Buffer.alloc(0)
  const onAnswered = (data: Buffer) => {
    const bytes = Buffer.concat([rest, data])
    let at = bytes.indexOf(READY)
    for (; at >= 0; at = bytes.indexOf(READY, at + READY.length)) count++
    rest = bytes.subarray(Math.max(0, bytes.length - READY.length + 1)) // one may lie in two pieces
  }
  const url = new URL(database!) // looked for above
  url.port = String(await startProxy(url, { onAnswered }))
  const take = () => {
    const taken = count
    count = 0
    return taken
  }
  return { url: url.href, take }
}

/** CPU of each of some services for the same work, in rounds by turns: the ratio to the first, median of the rounds. */
async function compare(
  name: string,
  services: readonly ClusterNode[],
  times: number,
  work: (node: ClusterNode, at: number) => Promise<unknown>,
) {
  const spent: number[][] = services.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, node] of services.entries()) {
      const before = cpuMsOfTree(node.pid!) // it runs
      for (let number = 0; number < times; number++) await work(node, round * times + number)
      spent[at]!.push((cpuMsOfTree(node.pid!) - before) / times) // as above
    }
  }
  const [own = [], shared = []] = spent
  const ratios = shared.map((ms, round) => ms / own[round]!) // as many
  console.log(
    `${name}: ${median(own).toFixed(2)} ms of CPU local, ${median(shared).toFixed(2)} in the cluster, ` +
      `${median(ratios).toFixed(2)} times (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
  )
}

/** Searches and writes of the same store on the disk, in the cluster, and in the cluster with statements counted. */
async function costs(): Promise<void> {
  const [own, shared] = [quickModel(), clusterStore(quickModel())]
  const ownHome = path.join(folder, `home-${homes++}`)
  await indexDocuments(own, ownHome, DOCUMENTS, SENTENCES)
  await indexDocuments(shared, path.join(folder, `home-${homes++}`), DOCUMENTS, SENTENCES)
  const local = await start(own, SERVE, ownHome)
  const node = await start(shared, SERVE)
  const counted = await countedDatabase()
  const watched = await start({ ...shared, catalog: { ...shared.catalog, url: counted.url } }, SERVE)
  const ask = async (to: ClusterNode, at: number) => await search(to, zipfQuery(at % QUERIES, 4))
  for (const service of [local, node, watched]) for (let at = 0; at < 2 * QUERIES; at++) await ask(service, at)
  await compare('a warm search', [local, node], QUERIES, ask)
  await countTrips('a search', counted, QUERIES, async at => await ask(watched, at))
  const stores = new Map<ClusterNode, string>()
  for (const service of [local, watched]) {
    const { data } = await call<{ readonly data: readonly { readonly id: string }[] }>(
      service,
      'GET',
      '/v1/vector_stores',
    )
    stores.set(service, data[0]!.id) // the one that was indexed
  }
  stores.set(node, stores.get(watched)!) // of the same store
  const askStore = async (to: ClusterNode, at: number) =>
    await call(to, 'POST', `/v1/vector_stores/${stores.get(to)}/search`, { query: zipfQuery(at % QUERIES, 4) })
  await compare('a warm search of a vector store', [local, node], QUERIES, askStore)
  await countTrips('a search of a vector store', counted, QUERIES, async at => await askStore(watched, at))
  await compareWrites([local, node, watched], counted)
}

async function compareWrites([local, node, watched]: readonly ClusterNode[], counted: { readonly take: () => number }) {
  const chats = new Map<ClusterNode, string>()
  for (const service of [local!, node!, watched!])
    chats.set(service, (await call(service, 'POST', '/v1/conversations', {})).id)
  const items = [{ type: 'message', role: 'user', content: 'What do hotels cost at most?' }]
  const say = async (to: ClusterNode) => await call(to, 'POST', `/v1/conversations/${chats.get(to)}/items`, { items })
  const put = async (to: ClusterNode, at: number) => {
    const form = new FormData()
    form.append('purpose', 'assistants')
    form.append('file', new File([`Hotel number ${at} of ${to.home}.`], `${at}.txt`))
    await call(to, 'POST', '/v1/files', form)
  }
  for (const [name, write] of [
    ['an item of a conversation', say],
    ['a small file uploaded', put],
  ] as const) {
    for (const service of [local!, node!, watched!]) for (let at = -WRITES; at < 0; at++) await write(service, at)
    await compare(name, [local!, node!], WRITES, write)
    await countTrips(name, counted, WRITES, async at => await write(watched!, 1_000_000 + at))
  }
}

async function countTrips(
  name: string,
  { take }: { readonly take: () => number },
  times: number,
  work: (at: number) => Promise<unknown>,
) {
  const counts: number[] = []
  take()
  for (let at = 0; at < times; at++) {
    await work(at)
    counts.push(take())
  }
  const mean = counts.reduce((sum, count) => sum + count, 0) / times
  console.log(
    `${name}: round trips to PostgreSQL ${mean.toFixed(2)} on average, ${median(counts)} as a rule, ${Math.max(...counts)} at most`,
  )
}

async function upload(node: ClusterNode, store: string, name: string, text: string): Promise<string> {
  const form = new FormData()
  form.append('purpose', 'assistants')
  form.append('file', new File([text], `${name}.txt`))
  const { id } = await call(node, 'POST', '/v1/files', form)
  await call(node, 'POST', `/v1/vector_stores/${store}/files`, { file_id: id })
  return id
}

/** Until nothing of these collections waits. */
async function finished(node: ClusterNode, stores: readonly string[]): Promise<void> {
  for (const store of stores) {
    for (;;) {
      const where = `/v1/vector_stores/${store}`
      const { file_counts } = await call<{
        readonly file_counts: { readonly in_progress: number; readonly failed: number }
      }>(node, 'GET', where)
      if (file_counts.failed > 0) throw new Error(`${file_counts.failed} documents failed.`)
      if (file_counts.in_progress === 0) break
      await sleep(100)
    }
  }
}

/** The same number of documents in so many collections, by 1, 2 and 4 workers with one thread for the shipped model each. */
async function workers(collections: number): Promise<void> {
  const settings = clusterStore({ embedding: { workers: 1 } })
  const node = await start(settings, SERVE)
  let made = 0
  for (const count of [1, 2, 4]) {
    const stores: string[] = []
    for (let at = 0; at < collections; at++) stores.push((await call(node, 'POST', '/v1/vector_stores', {})).id)
    const documents = COLLECTIONS * OF_EACH
    for (let at = 0; at < documents; at++)
      await upload(node, stores[at % collections]!, `${made}`, zipfText(made++, 20).sentences.join(' ')) // one of them
    await work(node, { settings, count, stores, documents })
  }
}

type Queue = {
  readonly settings: Settings
  readonly count: number
  readonly stores: readonly string[]
  readonly documents: number
}

async function work(node: ClusterNode, { settings, count, stores, documents }: Queue): Promise<void> {
  const working = await Promise.all(Array.from({ length: count }, () => newNode(settings, ['work'])))
  const startedAt = performance.now()
  await Promise.all(working.map(worker => worker.start()))
  const before = working.map(worker => cpuMsOfTree(worker.pid!)) // it runs
  await finished(node, stores)
  const seconds = (performance.now() - startedAt) / 1_000
  const spent = working.map((worker, at) => (cpuMsOfTree(worker.pid!) - before[at]!) / 1_000) // as above
  const total = spent.reduce((sum, one) => sum + one, 0)
  console.log(
    `${stores.length} collections, ${count} workers: ${(documents / seconds).toFixed(2)} documents a second, ` +
      `${((1_000 * total) / documents).toFixed(0)} ms of CPU each; CPU of the workers ${spent.map(one => one.toFixed(1)).join(', ')} s`,
  )
  for (const worker of working) await worker.stop('SIGTERM')
}

/** From the acknowledgement at one service until two others find the document no more. */
async function deletes(): Promise<void> {
  const settings = clusterStore(quickModel())
  const [node, ...others] = [await start(settings, SERVE), await start(settings, SERVE), await start(settings, SERVE)]
  await start(settings, ['work'])
  const { id: store } = await call(node!, 'POST', '/v1/vector_stores', {})
  const words = Array.from({ length: DELETES }, (_, at) => `lighthouse${String(at).padStart(5, '0')}`)
  const files: string[] = []
  for (const word of words)
    files.push(await upload(node!, store, word, `The ${word} was painted. It stands by the sea.`))
  await finished(node!, [store])
  const isFound = async (other: ClusterNode, word: string) =>
    JSON.stringify((await search(other, word)).hits).includes(`The ${word} was`)
  const times: number[] = []
  for (const [at, word] of words.entries()) {
    for (const other of others) if (!(await isFound(other, word))) throw new Error(`${word} is not found.`)
    await sleep(7 * (at % 70)) // at any moment between two looks at the database
    await call(node!, 'DELETE', `/v1/files/${files[at]}`)
    const deletedAt = performance.now()
    for (const other of others) while (await isFound(other, word)) await sleep(5)
    times.push(performance.now() - deletedAt)
  }
  console.log(
    `a deleted document is found by no node after ${median(times).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)}, at most ${Math.max(...times).toFixed(0)} (${DELETES} deleted)`,
  )
}

/** A service from its start to the first answers, over a store with the shipped model, in a home that is empty and in one that was used. */
async function starts(): Promise<void> {
  const stores: readonly (readonly [string, Settings, number])[] = [
    ['the shipped model, 40 documents', {}, 40],
    [`a server's vectors, ${DOCUMENTS} documents`, quickModel(), DOCUMENTS],
  ]
  for (const [name, model, documents] of stores) {
    const shared = clusterStore(model)
    const [own, used] = [path.join(folder, `home-${homes++}`), path.join(folder, `home-${homes++}`)]
    await indexDocuments(model, own, documents, SENTENCES)
    await indexDocuments(shared, used, documents, SENTENCES)
    const kinds = {
      local: [model, own],
      'cluster, home used before': [shared, used],
      'cluster, home empty': [shared, undefined],
    } as const
    const found = new Map<string, Started[]>(Object.keys(kinds).map(kind => [kind, []]))
    for (let round = 0; round < STARTS; round++)
      for (const [kind, [settings, home]] of Object.entries(kinds))
        found.get(kind)!.push(await startOnce(settings, home)) // set above
    for (const [kind, all] of found) {
      const each = (['healthyMs', 'answeredMs', 'cpuMs'] as const).map(key => all.map(one => one[key]))
      const [healthy, answered, cpu] = each.map(
        ms => `${median(ms).toFixed(0)} (at most ${Math.max(...ms).toFixed(0)})`,
      )
      console.log(
        `${name}, ${kind}: /readyz after ${healthy} ms, a search answered after ${answered} ms, CPU to then ${cpu} ms`,
      )
    }
  }
}

type Started = { readonly healthyMs: number; readonly answeredMs: number; readonly cpuMs: number }

async function startOnce(settings: Settings, home: string | undefined): Promise<Started> {
  const node = await newNode(settings, SERVE, home)
  const startedAt = performance.now()
  await node.start()
  await call(node, 'GET', '/readyz')
  const healthyMs = performance.now() - startedAt
  await search(node, zipfQuery(1, 4))
  const answeredMs = performance.now() - startedAt
  const cpuMs = cpuMsOfTree(node.pid!) // it runs
  await node.stop('SIGTERM')
  return { healthyMs, answeredMs, cpuMs }
}
