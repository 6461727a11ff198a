import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { dot } from '../contract/embedder.contract.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { Sandbox } from '../fakes/store.ts'

/** Reads far less at once than the chunks below have. */
const embedderOf = () => new HashingEmbedder({ maxTokens: 508 })

/** Sentences that share no words with each other, or hardly any. */
const filler = (seed: number, sentences: number) =>
  Array.from({ length: sentences }, (_, at) =>
    Array.from({ length: 12 }, (_, word) => `w${seed}x${at * 12 + word}`).join(' '),
  ).join('. ')

const FACT = 'The lighthouse keeper paints the northern gallery every seventh winter with whale oil'
const QUESTION = 'lighthouse keeper paints the northern gallery every seventh winter with whale oil'
/** Shares some words with the question. */
const NEAR = 'The lighthouse keeper sails home in winter.'
/** A chunk that is longer than the embedder reads, then one that is not. */
const LONG = `# Light\n\n${filler(1, 26)}. ${FACT}. ${filler(2, 24)}.\n\n# Rest\n\nNothing else.`
const TEXTS = { 'long.md': LONG, 'short.txt': NEAR }
const settings = { chunking: { tokens: 4096, overlap: 0 } }

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(() => sandbox.remove())

async function index(embedder: HashingEmbedder): Promise<Passim> {
  const passim = await sandbox.open({ embedder, settings })
  await passim.index([await sandbox.write(TEXTS)])
  return passim
}

const isWindow = (text: string) => !text.includes(NEAR) && !text.includes('Nothing else')
const passagesOf = ({ calls }: HashingEmbedder) =>
  calls.filter(({ role }) => role === 'passage').flatMap(({ texts }) => texts)

async function nearest(passim: Passim): Promise<readonly string[]> {
  return (await passim.search({ query: QUESTION, mode: 'vector', limit: 5 })).map(
    ({ name }) => name,
  )
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = vectors[0]!.map((_, at) => vectors.reduce((total, vector) => total + vector[at]!, 0))
  const norm = Math.hypot(...sum)
  return sum.map(value => value / norm)
}

test('a chunk is found by the one of its windows that answers, where their mean would not find it', async () => {
  const embedder = embedderOf()
  const passim = await index(embedder)
  const passages = passagesOf(embedder)
  const windows = passages.filter(isWindow)
  expect(windows.length).toBeGreaterThan(4)
  expect(windows.findIndex(text => text.includes('whale oil'))).toBeGreaterThan(1)
  expect(await nearest(passim)).toEqual(['long.md', 'short.txt', 'long.md'])
  const [question, near] = await embedder.embed([QUESTION, NEAR], 'query')
  expect(dot(question!, meanOf(await embedder.embed(windows, 'passage')))).toBeLessThan(
    dot(question!, near!),
  )
  expect(await passim.verify.run()).toMatchObject({ ok: true })
  expect(
    (await passim.list(await passim.scope.findCollection('default'))).map(({ chunks }) => chunks),
  ).toEqual([2, 1])
})
test('what has one vector for a long chunk is embedded again, and nothing else', async () => {
  const first = embedderOf()
  await index(first)
  await sandbox.close()
  const windows = passagesOf(first).filter(isWindow)
  await writeMeans(first.dimensions)
  await rm(path.join(sandbox.home, 'index'), { recursive: true })
  const embedder = embedderOf()
  const passim = await sandbox.open({ embedder, settings })
  await passim.index([sandbox.path('')])
  expect(passagesOf(embedder)).toEqual(windows)
  expect(await nearest(passim)).toEqual(['long.md', 'short.txt', 'long.md'])
  expect(await passim.verify.run()).toMatchObject({ ok: true })
})

/** Embeds passages only when it is told to go on. */
class WaitingEmbedder extends HashingEmbedder {
  goOn = () => {}
  #ask = () => {}
  readonly asked = new Promise<void>(resolve => {
    this.#ask = resolve
  })
  readonly #mayGoOn = new Promise<void>(resolve => {
    this.goOn = resolve
  })
  override async embed(...[texts, role, signal]: Parameters<HashingEmbedder['embed']>) {
    if (role === 'passage') {
      this.#ask()
      await this.#mayGoOn
    }
    return await super.embed(texts, role, signal)
  }
}

test('what is embedded again after its rows were of another form is found by what there is until then', async () => {
  await index(embedderOf())
  await sandbox.close()
  await writeMeans(embedderOf().dimensions)
  const folder = path.join(sandbox.home, 'index')
  const [name = ''] = (await readdir(folder)).filter(name => name.endsWith('.lance'))
  await rename(path.join(folder, name), path.join(folder, name.replace(/-row\d+/, '-row1')))
  const embedder = new WaitingEmbedder({ maxTokens: 508 })
  const passim = await sandbox.open({ embedder, settings })
  const indexed = passim.index([sandbox.path('')])
  await embedder.asked
  const [found] = await passim.search({ query: 'whale oil', mode: 'keyword', limit: 5 })
  expect(found?.name).toBe('long.md')
  expect(await nearest(passim)).toEqual(['short.txt', 'long.md', 'long.md']) // by the mean
  embedder.goOn()
  await indexed
  expect(await nearest(passim)).toEqual(['long.md', 'short.txt', 'long.md'])
  expect(await passim.verify.run()).toMatchObject({ ok: true })
})

/** Of all documents, see `writeMean`. */
async function writeMeans(dimensions: number): Promise<void> {
  const files = await readdir(path.join(sandbox.home, 'content'), { recursive: true })
  for (const file of files.filter(name => name.endsWith('.f32'))) {
    await writeMean(path.join(sandbox.home, 'content', file), dimensions)
  }
}

/** As vectors were stored before: one a chunk, the mean of its windows. Those of the first of two chunks stand at the end. */
async function writeMean(file: string, dimensions: number): Promise<void> {
  const bytes = await readFile(file)
  const size = dimensions * 4
  const vector = (start: number) =>
    new Float32Array(new Uint8Array(bytes.subarray(start, start + size)).buffer)
  if (bytes.length === size) return
  const further = Array.from(
    { length: Math.floor((bytes.length - 2 * size) / (size + 4)) },
    (_, at) => at,
  )
  const windows = further.map(at => vector(2 * size + at * (size + 4) + 4))
  await writeFile(
    file,
    Buffer.concat(
      [meanOf([vector(0), ...windows]), vector(size)].map(({ buffer }) => Buffer.from(buffer)),
    ),
  )
}
