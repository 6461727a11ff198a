import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { readCanaryWords, unpack, writeCanaries } from '../../fakes/canaries.ts'
import { schemaOf } from '../../fakes/catalog-environment.ts'
import { hasPostgresPrograms, NEEDS_POSTGRES_PROGRAMS, OwnPostgres } from '../../fakes/engines.ts'
import { HashingEmbedder } from '../../fakes/hashing-embedder.ts'
import { NEEDS_S3, s3Place, TestBucket } from '../../fakes/s3.ts'
import { Sandbox } from '../../fakes/store.ts'
import { openKeyed } from '../../server/keyed.ts'

const COUNT = Number(process.env.PASSIM_TEST_CANARIES ?? 1_000)
const NEEDLE_BYTES = 16
/** The folder of the S3 store's files; those of the bucket are searched, not MinIO's own trash beside it. */
const bucketFolder = process.env.PASSIM_TEST_S3_FOLDER
const NEEDS_FOLDER = `${NEEDS_S3} and PASSIM_TEST_S3_FOLDER, the folder of its files`

/** Every vector has bytes that no other has, as those of a model have. */
class DenseEmbedder extends HashingEmbedder {
  constructor() {
    super({ id: 'dense-64@1' })
  }

  override async embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    return texts.map(text => {
      const bytes = createHash('shake256', { outputLength: 64 }).update(text).digest()
      const vector = Float32Array.from(bytes, (byte, index) => byte - 127.5 + index / 64)
      const norm = Math.hypot(...vector)
      return vector.map(value => value / norm)
    })
  }
}

const storeSchema = z.object({
  id: z.string(),
  file_counts: z.object({ in_progress: z.int(), completed: z.int() }),
})

let sandbox: Sandbox
let ends: (() => Promise<void>)[]

beforeEach(async () => {
  sandbox = await Sandbox.make()
  ends = [() => sandbox.remove()]
})
afterEach(async () => {
  for (const end of ends.toReversed()) await end()
})

type Found = { readonly words: ReadonlySet<string>; readonly vectors: ReadonlySet<string> }

/** Returns which canaries and which of the vectors are in the bytes of any file below the folder. */
async function scan(folder: string, vectors: readonly Buffer[] = []): Promise<Found> {
  const byHead = new Map(vectors.map(vector => [vector.readUInt32LE(0), vector]))
  const words = new Set<string>()
  const found = new Set<string>()
  const entries = existsSync(folder)
    ? await readdir(folder, { recursive: true, withFileTypes: true })
    : []
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const read = await readFile(path.join(entry.parentPath, entry.name)).catch(ignoreMissing)
    for (const bytes of unpack(read)) {
      for (const word of readCanaryWords(bytes)) words.add(word)
      for (const vector of findVectors(bytes, byHead)) found.add(vector)
    }
  }
  return { words, vectors: found }
}

function* findVectors(bytes: Buffer, byHead: ReadonlyMap<number, Buffer>): Generator<string> {
  if (byHead.size === 0) return
  for (let at = 0; at + NEEDLE_BYTES <= bytes.length; at++) {
    const vector = byHead.get(bytes.readUInt32LE(at))
    if (vector?.equals(bytes.subarray(at, at + NEEDLE_BYTES))) yield vector.toString('hex')
  }
}

/** Files that vanish meanwhile have no bytes. */
function ignoreMissing(error: unknown): Buffer {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0)
  throw error
}

async function readVectors(home: string): Promise<readonly Buffer[]> {
  const entries = await readdir(path.join(home, 'content'), {
    recursive: true,
    withFileTypes: true,
  })
  const files = entries.filter(({ name }) => name.endsWith('.f32'))
  const read = files.map(({ parentPath, name }) => readFile(path.join(parentPath, name)))
  return (await Promise.all(read)).map(bytes => bytes.subarray(0, NEEDLE_BYTES))
}

test(`of ${COUNT} erased documents of all formats and their vectors, no byte is left in the home`, async () => {
  const passim = await sandbox.open({ embedder: new DenseEmbedder() })
  const { files, words } = writeCanaries(COUNT)
  const { totals } = await passim.index([await sandbox.write(files)])
  expect(totals.failed).toBe(0)
  await passim.ask({ question: `What does the ${words[0]} do?`, conversation: 'new' }).result
  const vectors = await readVectors(sandbox.home)
  expect(vectors.length).toBeGreaterThanOrEqual(COUNT)
  const before = await scan(sandbox.home, vectors)
  expect([before.words.size, before.vectors.size]).toEqual([COUNT, vectors.length])
  const report = await passim.erasure.eraseDocuments(await passim.list('default'))
  expect(report).toMatchObject({ proved: true, scan: { found: [] } })
  const left = await scan(sandbox.home, vectors)
  expect([[...left.words], [...left.vectors]]).toEqual([[], []])
})

test.skipIf(!s3Place || !bucketFolder || !hasPostgresPrograms)(
  `of ${COUNT} documents of an erased store none is in the pages of PostgreSQL or the files of the bucket (${NEEDS_FOLDER}; ${NEEDS_POSTGRES_PROGRAMS})`,
  async () => {
    const folder = await mkdtemp('/tmp/passim-pg-') // not among the temporary files of tests, where its user may not look
    ends.push(() => rm(folder, { recursive: true, force: true }))
    await chmod(folder, 0o711)
    const database = await OwnPostgres.start(path.join(folder, 'postgres'))
    ends.push(() => database.kill())
    const bucket = new TestBucket(s3Place!) // tests without are skipped
    await bucket.make()
    ends.push(() => bucket.remove())
    await database.query(`ALTER SYSTEM SET wal_recycle = off`) // else old segments stay as they are, under new names
    await database.query(`ALTER SYSTEM SET autovacuum = off`) // its statistics keep values of columns, which the report says
    await database.query('SELECT pg_reload_conf()')
    const passim = await sandbox.open({
      embedder: new DenseEmbedder(),
      settings: {
        catalog: { url: database.url, schema: schemaOf(sandbox.folder) },
        s3: bucket.settings,
        content: { place: 's3' },
        index: { place: 's3' },
      },
    })
    const { files, words } = writeCanaries(COUNT)
    await passim.index([await sandbox.write(files)])
    await passim.ask({ question: `What does the ${words[0]} do?`, conversation: 'new' }).result
    const vectors = await readVectors(sandbox.home)
    const stored = path.join(bucketFolder!, s3Place!.bucket, bucket.prefix) // tests without are skipped
    const before = await scan(stored, vectors)
    expect([before.words.size, before.vectors.size]).toEqual([COUNT, vectors.length])
    const pages = path.join(database.folder, 'data')
    await database.query('CHECKPOINT')
    expect((await scan(pages)).words).toContain(words[0])
    const report = await passim.erasure.eraseStore()
    expect(report).toMatchObject({ proved: true, scan: { found: [] } })
    expect(report.unproved).toEqual(expect.arrayContaining(['database', 'bucket', 'machines']))
    expect((await scan(sandbox.home, vectors)).words.size).toBe(0)
    const left = await scan(stored, vectors)
    expect([[...left.words], [...left.vectors]]).toEqual([[], []])
    await database.query('SELECT pg_switch_wal()')
    await database.query('CHECKPOINT')
    await database.query('CHECKPOINT')
    expect([...(await scan(pages, vectors)).words]).toEqual([])
  },
)

test('of an erased tenant nothing is left in the home of the service, and the others stay', async () => {
  const service = await openKeyed()
  ends.push(() => service.close())
  const { files, words } = writeCanaries(62)
  const half = words.length / 2
  for (const [index, name] of ['acme', 'zebra'].entries()) {
    const token = await service.token(name)
    const own = Object.entries(files).slice(index * half, (index + 1) * half)
    const ids: string[] = []
    for (const [file, bytes] of own) ids.push(await service.upload(token, file, bytes))
    const body = { name: 'canaries', file_ids: ids }
    const made = await service.call(token, 'POST', '/v1/vector_stores', body)
    const { id } = storeSchema.parse(await made.json())
    await expect
      .poll(async () => {
        const store = await service.call(token, 'GET', `/v1/vector_stores/${id}`)
        const { in_progress, completed } = storeSchema.parse(await store.json()).file_counts
        return in_progress === 0 && completed >= own.length // attachments are documents, too
      })
      .toBe(true)
  }
  const acme = await service.token('acme')
  await service.call(acme, 'POST', '/v1/responses', { input: `What does the ${words[0]} do?` })
  expect((await scan(service.home)).words.size).toBe(words.length)
  const erased = await service.call(acme, 'POST', '/api/deletions', { everything: true })
  expect(await erased.json()).toMatchObject({ proved: true, kind: 'store' })
  expect([...(await scan(service.home)).words].toSorted()).toEqual(words.slice(half).toSorted())
})
