/**
 * Three services and three workers of one store over PostgreSQL and S3, each with a home of its own, killed at random under load:
 * uploads, deletions, searches, conversations. At the end nothing that was acknowledged may be missing, twice, or back again, and
 * after a deletion no search may find the text anywhere for longer than 1.5 s. Counts the faults; needs
 * PASSIM_TEST_POSTGRES and PASSIM_TEST_S3.
 * usage: npx tsx bench/cluster.ts [SECONDS 600] [SEED 1]
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pseudoRandom } from '../src/search/evaluation/metrics.ts'
import { s3Place, TestBucket } from '../test/fakes/s3.ts'
import { ClusterNode } from './cluster-node.ts'

const [seconds = 600, seed = 1] = process.argv.slice(2).map(Number)
const database = process.env.PASSIM_TEST_POSTGRES
if (!database || !s3Place) throw new Error('Set PASSIM_TEST_POSTGRES and PASSIM_TEST_S3.')
const SEEN_MS = 1_500
const random = pseudoRandom(seed)
const folder = await mkdtemp(path.join(tmpdir(), 'passim-cluster-'))
const bucket = new TestBucket(s3Place)
await bucket.make()
const config = path.join(folder, 'passim.yaml')
const shared = { s3: bucket.settings, content: { place: 's3' }, index: { place: 's3' } }
await writeFile(config, JSON.stringify({ catalog: { url: database, schema: `b${Date.now()}` }, ...shared }))

const node = (name: string, ...args: readonly string[]) =>
  new ClusterNode({
    home: path.join(folder, name),
    args: ['--config', config, ...args],
    onLine: line => void (line.includes('"level":"info"') || told.push(line)),
  })
const services = ['a', 'b', 'c'].map(name => node(name, 'serve', '--port', '0', '--no-ingest'))
const workers = ['x', 'y', 'z'].map(name => node(name, 'work'))
const nodes = [...services, ...workers]
const counts = { kills: 0, uploads: 0, deletions: 0, searches: 0, turns: 0, unanswered: 0 }
const faults: string[] = []
/** What the services said was wrong. */
const told: string[] = []

type Wire = { readonly id: string; readonly data?: readonly unknown[] }

/** Of a service that is there; undefined where it is killed meanwhile. A refusal that says so is no fault. */
async function call(method: string, where: string, body?: object | FormData): Promise<Wire | undefined> {
  const there = services.filter(service => service.url)
  const url = there[Math.floor(random() * there.length)]?.url
  const json = body && !(body instanceof FormData)
  try {
    const response = await fetch(`${url ?? 'http://127.0.0.1:1'}${where}`, {
      ...{
        method,
        signal: AbortSignal.timeout(30_000),
        ...(json && { headers: { 'content-type': 'application/json' } }),
      },
      ...(body && { body: json ? JSON.stringify(body) : (body as FormData) }), // FormData unless JSON
    })
    if (response.ok) return (await response.json()) as Wire
    if (response.status >= 500 && response.status !== 503)
      faults.push(`${method} ${where}: ${response.status} ${await response.text()}`)
  } catch {
    // it was killed
  }
  counts.unanswered++
  return undefined
}

let store = ''
let made = 0
const living = new Map<string, string>() // the word of each document that was acknowledged, by the id of its file
const unsure = new Set<string>() // words of what was not acknowledged either way

const wordOf = (at: number) => `lighthouse${String(at).padStart(5, '0')}`

async function upload(): Promise<void> {
  const word = wordOf(made++)
  const form = new FormData()
  form.append('purpose', 'assistants')
  form.append('file', new File([`The ${word} was painted. It stands by the sea.`], `${word}.txt`))
  const file = await call('POST', '/v1/files', form)
  const added = file && (await call('POST', `/v1/vector_stores/${store}/files`, { file_id: file.id }))
  if (!added) return void unsure.add(word)
  living.set(file.id, word)
  counts.uploads++
}

async function find(word: string): Promise<number | undefined> {
  const found = await call('POST', `/v1/vector_stores/${store}/search`, { query: word, max_num_results: 50 })
  if (!found?.data) return undefined
  counts.searches++
  return found.data.filter(hit => JSON.stringify(hit).includes(`The ${word} was`)).length
}

async function remove(): Promise<void> {
  const [id, word] = [...living][Math.floor(random() * living.size)] ?? []
  if (!id || !word) return
  living.delete(id)
  if (!(await call('DELETE', `/v1/files/${id}`))) return void unsure.add(word)
  counts.deletions++
  await sleep(SEEN_MS)
  if (((await find(word)) ?? 0) > 0) faults.push(`${word} was found ${SEEN_MS} ms after it was deleted`)
}

const said = new Map<string, string[]>()
let notes = 0
async function talk(): Promise<void> {
  const known = [...said.keys()]
  const id =
    known.length < 5 ? (await call('POST', '/v1/conversations', {}))?.id : known[Math.floor(random() * known.length)]
  if (!id) return
  const lines = said.get(id) ?? []
  said.set(id, lines)
  const text = `Note ${notes++} of ${id}.`
  const items = [{ type: 'message', role: 'user', content: text }]
  if (!(await call('POST', `/v1/conversations/${id}/items`, { items }))) return
  lines.push(text)
  counts.turns++
}

async function load(until: number): Promise<void> {
  while (performance.now() < until) {
    const kind = random()
    if (kind < 0.35) await upload()
    else if (kind < 0.5) await remove()
    else if (kind < 0.8) {
      const words = [...living.values()]
      if (words.length > 0) await find(words[Math.floor(random() * words.length)]!) // there is one
    } else await talk()
  }
}

/** One that does not start is a fault. */
async function start(one: ClusterNode): Promise<void> {
  await one.start().catch(error => faults.push(String(error)))
}

async function killing(until: number): Promise<void> {
  while (performance.now() < until) {
    await sleep(1_000 + random() * 4_000)
    const one = nodes[Math.floor(random() * nodes.length)]! // there are six
    await one.stop()
    counts.kills++
    await start(one)
  }
}

await Promise.all(nodes.map(start))
store = (await call('POST', '/v1/vector_stores', { name: 'lights' }))!.id // nobody kills yet
const until = performance.now() + seconds * 1_000
await Promise.all([load(until), load(until), load(until), killing(until)])

console.log(
  `${JSON.stringify(counts)} in ${seconds} s, ${living.size} documents are left; of ${unsure.size} more nothing was acknowledged`,
)
for (const word of living.values()) {
  const endAt = performance.now() + 120_000
  let found = await find(word)
  while (found !== 1 && performance.now() < endAt) {
    await sleep(500)
    found = await find(word)
  }
  if (found !== 1) faults.push(`${word} is found ${found} times`)
}
for (const [id, lines] of said) {
  const items = JSON.stringify((await call('GET', `/v1/conversations/${id}/items?limit=100&order=asc`))?.data)
  for (const line of lines.slice(0, 100)) {
    if (items.split(line).length !== 2) faults.push(`"${line}" is there ${items.split(line).length - 1} times`)
  }
}
for (const one of nodes) await one.stop()
for (const line of told.filter(one => one.includes(' 500') || /: (Type|Range)?Error|: error/.test(one)).slice(0, 20))
  console.log(line.slice(0, 1_000))
for (const fault of faults.slice(0, 20)) console.log(fault)
console.log(`${faults.length} faults: ${faults.length === 0 ? 'nothing lost, doubled or stale' : 'see above'}`)
await bucket.remove()
await rm(folder, { recursive: true, force: true })
process.exitCode = faults.length === 0 ? 0 : 1
