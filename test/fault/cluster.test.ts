import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { schemaOf } from '../fakes/catalog-environment.ts'
import { runCli, startCli } from '../fakes/cli.ts'
import { NEEDS_S3, s3Place, TestBucket } from '../fakes/s3.ts'
import { Sandbox } from '../fakes/store.ts'

const database = process.env.PASSIM_TEST_POSTGRES
const there = test.skipIf(!database || !s3Place)

/** Longest that one node's change may be unseen by another, in milliseconds. */
const SEEN_MS = 1_500

let sandbox: Sandbox
let bucket: TestBucket | undefined
const running = new Set<ReturnType<typeof startCli>>()

beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(async () => {
  for (const node of running) await kill(node)
  await bucket?.remove()
  await sandbox.remove()
})

/** What all nodes of one store are told; each has a home of its own. */
async function writeSettings(): Promise<void> {
  const settings = {
    catalog: { url: database, schema: schemaOf(sandbox.folder) },
    ...{ s3: bucket!.settings, content: { place: 's3' }, index: { place: 's3' } },
  }
  await writeFile(settingsFile(), JSON.stringify(settings)) // JSON is YAML
}

const settingsFile = () => path.join(sandbox.folder, 'passim.yaml')
const run = (name: string, ...args: readonly string[]) =>
  runCli(path.join(sandbox.folder, name), ['--config', settingsFile(), ...args])

/** A node of the store with a home of its own. */
function startNode(name: string, ...args: readonly string[]) {
  const node = startCli(path.join(sandbox.folder, name), ['--config', settingsFile(), ...args])
  running.add(node)
  return node
}

/** One that serves and leaves indexing to others; gives its address. */
async function serve(name: string): Promise<string> {
  return await addressOf(startNode(name, 'serve', '--port', '0', '--no-ingest'))
}

async function addressOf({ child }: ReturnType<typeof startCli>): Promise<string> {
  const [line] = await once(child.stdout, 'data')
  return String(line).trim().split(' ').at(-1)! // the ready line ends with it
}

async function kill(node: ReturnType<typeof startCli>): Promise<void> {
  running.delete(node)
  node.child.kill('SIGKILL')
  await node.ended
}

type Wire = { readonly id: string; readonly [key: string]: unknown }
let token = ''

async function call(url: string, method: string, where: string, body?: object | FormData): Promise<Wire> {
  const json = body && !(body instanceof FormData)
  const response = await fetch(`${url}${where}`, {
    ...{ method, headers: { authorization: `Bearer ${token}`, ...(json && { 'content-type': 'application/json' }) } },
    ...(body && { body: json ? JSON.stringify(body) : (body as FormData) }), // FormData unless JSON
  })
  if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Wire // every object of the surface has an id
}

async function upload(url: string, store: string, at: number): Promise<string> {
  const form = new FormData()
  form.append('purpose', 'assistants')
  form.append('file', new File([`Lighthouse number ${at} was painted in ${1900 + at}.`], `light-${at}.txt`))
  const { id } = await call(url, 'POST', '/v1/files', form)
  await call(url, 'POST', `/v1/vector_stores/${store}/files`, { file_id: id })
  return id
}

async function find(url: string, store: string, query: string): Promise<string> {
  const { data } = await call(url, 'POST', `/v1/vector_stores/${store}/search`, { query })
  return JSON.stringify(data)
}

there(
  `what is uploaded at one node is indexed by another, found by a third, and gone everywhere once it is deleted (needs PASSIM_TEST_POSTGRES, ${NEEDS_S3})`,
  { timeout: 240_000 },
  async () => {
    bucket = new TestBucket(s3Place!)
    await bucket.make()
    await writeSettings()
    token = (await run('keys', 'keys', 'create', 'ci', '--scope', 'admin')).stdout.trim()
    const [one, other] = [await serve('one'), await serve('other')]
    const workers = [startNode('worker', 'work'), startNode('second', 'work')]
    const { id: store } = await call(one, 'POST', '/v1/vector_stores', { name: 'lights' })
    const ids: string[] = []
    for (let at = 0; at < 12; at++) {
      ids.push(await upload(one, store, at))
      if (at === 6) await kill(workers[0]!)
    }
    for (let at = 0; at < 12; at++) {
      const poll = { timeout: 120_000, interval: 200 }
      await expect.poll(() => find(other, store, `lighthouse ${1900 + at}`), poll).toContain(`in ${1900 + at}.`)
    }
    await call(one, 'DELETE', `/v1/files/${ids[3]}`)
    const soon = { timeout: SEEN_MS, interval: 50 }
    await expect.poll(() => find(other, store, 'lighthouse 1903'), soon).not.toContain('in 1903.')
    expect(await find(other, store, 'lighthouse 1904')).toContain('in 1904.')
    expect(JSON.parse((await run('keys', 'verify', '--json')).stdout)).toMatchObject({ ok: true })
  },
)

/** A part of an upload. */
async function sendPart(url: string, id: string, bytes: Buffer): Promise<string> {
  const form = new FormData()
  form.append('data', new File([new Uint8Array(bytes)], 'blob'))
  return (await call(url, 'POST', `/v1/uploads/${id}/parts`, form)).id
}

there(
  `an upload in parts ends at another node than took them, though that was killed and its disk is lost (needs PASSIM_TEST_POSTGRES, ${NEEDS_S3})`,
  { timeout: 120_000 },
  async () => {
    bucket = new TestBucket(s3Place!)
    await bucket.make()
    await writeSettings()
    token = (await run('keys', 'keys', 'create', 'ci', '--scope', 'admin')).stdout.trim()
    const one = startNode('one', 'serve', '--port', '0', '--no-ingest')
    const [urlOfOne, other] = [await addressOf(one), await serve('other')]
    const bytes = randomBytes(3 * 1024 * 1024)
    const announced = { filename: 'big.bin', purpose: 'assistants', bytes: bytes.length, mime_type: 'text/plain' }
    const { id } = await call(urlOfOne, 'POST', '/v1/uploads', announced)
    const middle = 2 * 1024 * 1024
    const end = await sendPart(other, id, bytes.subarray(middle))
    const start = await sendPart(urlOfOne, id, bytes.subarray(0, middle))
    await kill(one)
    await rm(path.join(sandbox.folder, 'one'), { recursive: true })
    const done = await call(other, 'POST', `/v1/uploads/${id}/complete`, { part_ids: [start, end] })
    const { id: file } = done.file as Wire // it is completed
    const headers = { authorization: `Bearer ${token}` }
    const content = await fetch(`${other}/v1/files/${file}/content`, { headers })
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true)
    const left: string[] = []
    for await (const { key } of bucket.blobs.list('')) if (key.includes('/uploads/')) left.push(key)
    expect(left).toEqual([])
  },
)
