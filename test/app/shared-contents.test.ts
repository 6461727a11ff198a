import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { importStore } from '../../src/app/stores/import-store.ts'
import { NEEDS_S3, s3Place, TestBucket } from '../fakes/s3.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let bucket: TestBucket

beforeEach(async () => {
  if (!s3Place) return
  sandbox = await Sandbox.make()
  bucket = new TestBucket(s3Place)
  await bucket.make()
})
afterEach(async () => {
  if (!s3Place) return
  await sandbox.remove()
  await bucket.remove()
})

const there = test.skipIf(!s3Place)
const inBucket = () => ({
  settings: {
    s3: bucket.settings,
    content: { place: 's3' as const },
    index: { place: 's3' as const },
  },
})
const MAIL = [
  'From: a@example.org',
  'Subject: Herons',
  'Content-Type: multipart/mixed; boundary=b',
  ...['', '--b', 'Content-Type: text/plain', '', 'The herons come in May.'],
  ...[
    '--b',
    'Content-Type: text/plain',
    'Content-Disposition: attachment; filename=storks.txt',
    '',
    'Storks leave in August.',
    '--b--',
    '',
  ],
].join('\r\n')
const LONG = Array.from({ length: 10_000 }, (_, at) => `Paragraph ${at} is about reeds.`).join(
  '\n\n',
)

async function keys(): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { key } of bucket.blobs.list('')) found.push(key)
  return found.filter(key => !key.endsWith('/store'))
}

there(`a machine with an empty disk has all of the store (${NEEDS_S3})`, async () => {
  const docs = await sandbox.write({
    'tea.txt': 'Green tea is steamed.',
    'mail.eml': MAIL,
    'long.txt': LONG,
  })
  const first = await sandbox.open(inBucket())
  expect((await first.index([docs])).totals).toMatchObject({ failed: 0 })
  const { rootHash } = await first.verify.run()
  await sandbox.close()
  await rm(path.join(sandbox.home, 'content'), { recursive: true })

  const passim = await sandbox.open(inBucket())
  const top = async (query: string) => (await passim.search({ query, limit: 1 }))[0]
  expect(await top('green tea')).toMatchObject({ name: 'tea.txt', text: 'Green tea is steamed.' })
  expect(await top('"storks leave" august')).toMatchObject({ name: 'storks.txt' })
  expect(await top('"paragraph 9876 is"')).toMatchObject({ name: 'long.txt' })
  const [tea] = (await passim.list('default')).filter(({ name }) => name === 'tea.txt')
  const part = await passim.files.read(tea!.fileId, { start: 6, end: 9 })
  expect(await text(part)).toBe('tea')
  expect(await passim.verify.run()).toEqual({ ok: true, problems: [], rootHash })
  expect((await passim.index([docs])).totals).toMatchObject({ indexed: 0, unchanged: 4 })
  await passim.collections.delete(await passim.scope.findCollection('default'), { now: true })
  expect(await keys()).toEqual([])
})

there(
  `a store that was on the disk moves with the next index, and is not taken back by settings alone (${NEEDS_S3})`,
  async () => {
    const docs = await sandbox.write({ 'tea.txt': 'Green tea is steamed.' })
    await (await sandbox.open()).index([docs])
    await sandbox.close()
    await (await sandbox.open(inBucket())).index([
      docs,
      await sandbox.write({ 'rail.txt': 'A railway.' }),
    ])
    await sandbox.close()
    expect((await keys()).filter(key => key.endsWith('/original'))).toHaveLength(2)
    const message = expect.stringContaining('content.place')
    await expect(sandbox.open()).rejects.toMatchObject({ code: 'store_mismatch', message })
    const elsewhere = {
      settings: { ...inBucket().settings, s3: { ...bucket.settings, prefix: 'elsewhere/' } },
    }
    const lost = expect.stringContaining('does not contain the contents')
    await expect(sandbox.open(elsewhere)).rejects.toMatchObject({
      code: 'store_mismatch',
      message: lost,
    })
  },
)

there(`a backup of it is whole, and becomes a store on a disk (${NEEDS_S3})`, async () => {
  const docs = await sandbox.write({ 'tea.txt': 'Green tea is steamed.', 'long.txt': LONG })
  const passim = await sandbox.open(inBucket())
  await passim.index([docs])
  await sandbox.close()
  await rm(path.join(sandbox.home, 'content'), { recursive: true })
  const file = path.join(sandbox.folder, 'backup')
  expect(await (await sandbox.open(inBucket())).export(file)).toMatchObject({
    contents: 2,
    missing: 0,
  })
  const other = await Sandbox.make()
  await importStore(other.home, file, { finish: async () => {} })
  const restored = await other.open()
  expect(await readdir(path.join(other.home, 'content'))).toHaveLength(2)
  await restored.index([docs])
  expect(await restored.verify.run()).toMatchObject({ ok: true, problems: [] })
  await other.remove()
})
