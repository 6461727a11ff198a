/**
 * Three services and three workers of one store over PostgreSQL and S3, each with a home of its own, killed at random under load:
 * uploads, deletions, changed documents, searches, answers, responses in the background, conversations. At the end nothing that was
 * acknowledged may be missing, twice, or back again; a changed document is found as it was or as it is, never both and never not at
 * all; after a deletion no search and no answer may have the text anywhere for longer than 1.5 s; every job and every response
 * ends. Counts the faults; needs PASSIM_TEST_POSTGRES and PASSIM_TEST_S3.
 * usage: npx tsx test/soak/cluster.ts [SECONDS 600] [SEED 1]
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createPseudoRandom } from '../../src/search/evaluation/metrics.ts'
import { s3Place, TestBucket } from '../fakes/s3.ts'
import { ClusterNode } from './cluster-node.ts'

const [seconds = 600, seed = 1] = process.argv.slice(2).map(Number)
const database = process.env.PASSIM_TEST_POSTGRES
if (!database || !s3Place) throw new Error('Set PASSIM_TEST_POSTGRES and PASSIM_TEST_S3.')
const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const SEEN_MS = 1_500
/** What nodes said last, to explain what they answered. */
const MAX_LINES = 10_000
/** Whatever is under way at the end has so long to end. */
const END_MS = 180_000
const random = createPseudoRandom(seed)
const folder = await mkdtemp(path.join(tmpdir(), 'passim-cluster-'))
const bucket = new TestBucket(s3Place)
await bucket.make()
const config = path.join(folder, 'passim.yaml')
const shared = { s3: bucket.settings, content: { place: 's3' }, index: { place: 's3' } }
await writeFile(
  config,
  JSON.stringify({ catalog: { url: database, schema: `b${Date.now()}` }, ...shared }),
)

const lines: string[] = []
const keep = (name: string) => (line: string) => {
  lines.push(`${name}: ${line}`)
  if (lines.length > MAX_LINES) lines.shift()
}
const node = (name: string, ...args: readonly string[]) =>
  new ClusterNode({
    home: path.join(folder, name),
    args: ['--config', config, ...args],
    onLine: keep(name),
  })
const services = ['a', 'b', 'c'].map(name => node(name, 'serve', '--port', '0', '--no-ingest'))
const workers = ['x', 'y', 'z'].map(name => node(name, 'work'))
const nodes = [...services, ...workers]
const counts = {
  kills: 0,
  uploads: 0,
  deletions: 0,
  changes: 0,
  searches: 0,
  answers: 0,
  responses: 0,
  turns: 0,
}
let unanswered = 0
const faults: string[] = []

type Wire = {
  readonly id: string
  readonly data?: readonly unknown[]
  readonly [key: string]: unknown
}

const pick = <One>(many: readonly One[]): One | undefined =>
  many[Math.floor(random() * many.length)]

/** Of a service that is there; undefined where it is killed meanwhile. A refusal that says so is no fault. */
async function call(
  method: string,
  where: string,
  body?: object | FormData,
): Promise<Wire | undefined> {
  const service = pick(services.filter(one => one.url))
  const json = body && !(body instanceof FormData)
  try {
    const response = await fetch(`${service?.url ?? 'http://127.0.0.1:1'}${where}`, {
      ...{
        method,
        signal: AbortSignal.timeout(30_000),
        ...(json && { headers: { 'content-type': 'application/json' } }),
      },
      ...(body && { body: json ? JSON.stringify(body) : (body as FormData) }), // FormData unless JSON
    })
    if (response.ok) return (await response.json()) as Wire
    const text = await response.text()
    if (response.status >= 500 && response.status !== 503) {
      await sleep(500) // until its log is here
      const said = lines.filter(line => line.includes(response.headers.get('x-request-id') ?? '-'))
      faults.push([`${method} ${where}: ${response.status} ${text}`, ...said].join('\n  '))
    }
  } catch {
    // it was killed
  }
  unanswered++
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
  const added =
    file && (await call('POST', `/v1/vector_stores/${store}/files`, { file_id: file.id }))
  if (!added) return void unsure.add(word)
  living.set(file.id, word)
  counts.uploads++
}

/** The hits of a search that have the text; undefined where nobody answered. */
async function hits(word: string, text: string): Promise<readonly string[] | undefined> {
  const found = await call('POST', `/v1/vector_stores/${store}/search`, {
    query: word,
    max_num_results: 50,
  })
  if (!found?.data) return undefined
  counts.searches++
  return found.data.map(hit => JSON.stringify(hit)).filter(hit => hit.includes(text))
}

const find = async (word: string) => (await hits(word, `The ${word} was`))?.length

async function ask(word: string): Promise<string | undefined> {
  const question = { question: `Was the ${word} painted?`, collections: [store], extractive: true }
  const answer = await call('POST', '/api/ask', question)
  if (answer) counts.answers++
  return answer && JSON.stringify([answer.answer, answer.citations])
}

async function remove(): Promise<void> {
  const [id, word] = pick([...living]) ?? []
  if (!id || !word) return
  living.delete(id)
  if (!(await call('DELETE', `/v1/files/${id}`))) return void unsure.add(word)
  counts.deletions++
  await sleep(SEEN_MS)
  if (((await find(word)) ?? 0) > 0)
    faults.push(`${word} was found ${SEEN_MS} ms after it was deleted`)
  if ((await ask(word))?.includes(`The ${word} was`))
    faults.push(`${word} was cited ${SEEN_MS} ms after it was deleted`)
}

/** A document that is changed again and again; `wanted` was acknowledged, `tried` may have been written since. */
type Changing = { readonly word: string; wanted: number; tried: number; isChanging: boolean }
const changing: readonly Changing[] = Array.from({ length: 8 }, (_, at) => {
  return { word: `windmill${String(at).padStart(3, '0')}`, wanted: 0, tried: 0, isChanging: false }
})

const versionText = (word: string, version: number) =>
  `The ${word} was painted with coat ${version}.`

/** By `passim index` of a changed file, which is killed now and then. */
async function change(): Promise<void> {
  const one = pick(changing.filter(({ isChanging }) => !isChanging))
  if (!one) return
  one.isChanging = true
  const version = ++one.tried
  const file = path.join(folder, `${one.word}.txt`)
  await writeFile(file, versionText(one.word, version))
  const args = ['--config', config, 'index', file, '--collection', 'lights']
  const env = { PATH: process.env.PATH, TMPDIR: tmpdir(), PASSIM_HOME: path.join(folder, 'i') }
  const timeout = random() < 0.3 ? Math.round(500 + random() * 3_000) : 0
  const child = execFile(
    process.execPath,
    [CLI, ...args],
    { env, timeout, killSignal: 'SIGKILL' },
    () => {},
  )
  const [code] = await once(child, 'close')
  if (code === 0) {
    one.wanted = version
    counts.changes++
    await sleep(SEEN_MS)
  }
  one.isChanging = false
}

/** Exactly one version of it is found, and none older than what was acknowledged before the search. */
async function look(): Promise<void> {
  const one = pick(changing.filter(({ wanted }) => wanted > 0))
  if (!one) return
  const { word, wanted, isChanging } = one
  const found = await hits(word, `The ${word} was`)
  if (!found) return
  const fits = found
    .filter(hit => /coat (\d+)/.exec(hit))
    .map(hit => Number(/coat (\d+)/.exec(hit)?.[1]))
  if (found.length === 1 && fits[0]! >= wanted && fits[0]! <= one.tried) return // there is one
  faults.push(
    `${word}: coats ${fits.join(' and ') || 'none'} found, ${wanted} to ${one.tried} wanted (${isChanging ? 'while it changed' : 'at rest'})`,
  )
}

const responses: string[] = []
async function respond(): Promise<void> {
  const word = pick([...living.values()])
  if (!word) return
  const tools = [{ type: 'file_search', vector_store_ids: [store] }]
  const asked = {
    model: 'passim-extractive',
    background: true,
    input: `Was the ${word} painted?`,
    tools,
  }
  const made = await call('POST', '/v1/responses', asked)
  if (!made) return
  responses.push(made.id)
  counts.responses++
}

const said = new Map<string, string[]>()
let notes = 0
async function talk(): Promise<void> {
  const known = [...said.keys()]
  const id = known.length < 5 ? (await call('POST', '/v1/conversations', {}))?.id : pick(known)
  if (!id) return
  const lines = said.get(id) ?? []
  said.set(id, lines)
  const text = `Note ${notes++} of ${id}.`
  const items = [{ type: 'message', role: 'user', content: text }]
  if (!(await call('POST', `/v1/conversations/${id}/items`, { items }))) return
  lines.push(text)
  counts.turns++
}

const someWord = () => pick([...living.values()]) ?? 'nothing'
/** What users do, and how often of a hundred times. */
const doings: readonly (readonly [number, () => Promise<unknown>])[] = [
  [30, upload],
  [12, remove],
  [13, look],
  [20, () => find(someWord())],
  [10, () => ask(someWord())],
  [7, respond],
  [8, talk],
]
const drawn = doings.flatMap(([times, doing]) => Array.from({ length: times }, () => doing))

async function load(until: number): Promise<void> {
  while (performance.now() < until) await pick(drawn)?.()
}

async function changes(until: number): Promise<void> {
  while (performance.now() < until) {
    await change()
    await sleep(random() * 2_000)
  }
}

/** One that does not start is a fault. */
async function start(one: ClusterNode): Promise<void> {
  await one.start().catch(error => faults.push(String(error)))
}

async function killing(until: number): Promise<void> {
  while (performance.now() < until) {
    await sleep(1_000 + random() * 4_000)
    const one = pick(nodes)! // there are six
    await one.stop()
    counts.kills++
    await start(one)
  }
}

/** Ask again until it is so. */
async function settles(what: string, isSo: () => Promise<string | undefined>): Promise<void> {
  const endAt = performance.now() + END_MS
  let why = await isSo()
  while (why !== undefined && performance.now() < endAt) {
    await sleep(500)
    why = await isSo()
  }
  if (why !== undefined) faults.push(`${what}: ${why}`)
}

await Promise.all(nodes.map(start))
store = (await call('POST', '/v1/vector_stores', { name: 'lights' }))!.id // nobody kills yet
const until = performance.now() + seconds * 1_000
await Promise.all([load(until), load(until), load(until), changes(until), killing(until)])

const rest = `${living.size} documents are left; of ${unsure.size} more nothing was acknowledged, nor of ${unanswered} requests`
console.log(`${JSON.stringify(counts)} in ${seconds} s, ${rest}`)
for (const word of living.values()) {
  await settles(word, async () => {
    const found = await find(word)
    return found === 1 ? undefined : `is found ${found} times`
  })
}
for (const { word, wanted, tried } of changing.filter(one => one.wanted > 0)) {
  await settles(word, async () => {
    const found = await hits(word, `The ${word} was`)
    const fits = Array.from({ length: tried - wanted + 1 }, (_, at) => `coat ${wanted + at}.`)
    return found?.length === 1 && fits.some(fit => found[0]?.includes(fit))
      ? undefined
      : `is found as ${found}`
  })
}
for (const [id, lines] of said) {
  const items = JSON.stringify(
    (await call('GET', `/v1/conversations/${id}/items?limit=100&order=asc`))?.data,
  )
  for (const line of lines.slice(0, 100)) {
    if (items.split(line).length !== 2)
      faults.push(`"${line}" is there ${items.split(line).length - 1} times`)
  }
}
const ended: Record<string, number> = {}
for (const id of responses) {
  let status = ''
  await settles(`response ${id}`, async () => {
    status = String((await call('GET', `/v1/responses/${id}`))?.status)
    return ['completed', 'failed', 'cancelled', 'incomplete'].includes(status)
      ? undefined
      : `is ${status}`
  })
  ended[status] = (ended[status] ?? 0) + 1
}
await settles('jobs', async () => {
  const jobs = ((await call('GET', '/api/jobs?limit=1000'))?.jobs ?? [{ state: 'unknown' }]) as {
    state: string
  }[] // as /api/jobs gives them
  const open = jobs.filter(({ state }) => !['completed', 'failed', 'cancelled'].includes(state))
  return open.length === 0 ? undefined : `${open.length} have not ended: ${JSON.stringify(open[0])}`
})
for (const one of nodes) await one.stop()
console.log(`Responses ended: ${JSON.stringify(ended)}.`)
const wrong = lines.filter(line => /: (Type|Range)?Error|: error|"level":"error"/.test(line))
for (const line of wrong.slice(-20)) console.log(line.slice(0, 600))
for (const fault of faults.slice(0, 20)) console.log(fault)
console.log(
  `${faults.length} faults: ${faults.length === 0 ? 'nothing lost, doubled or stale' : 'see above'}`,
)
await bucket.remove()
await rm(folder, { recursive: true, force: true })
process.exitCode = faults.length === 0 ? 0 : 1
