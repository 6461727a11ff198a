import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, test as everyTest, expect } from 'vitest'
import { openCatalog } from '../../src/app/stores/store.ts'
import type { Blobs } from '../../src/ingest/store/blobs.ts'
import { Deletions } from '../../src/ingest/store/catalog/deletions.ts'
import type { Catalog } from '../../src/ingest/store/catalog.ts'
import { ContentStore } from '../../src/ingest/store/contents/content.ts'
import { Files, type StoredFile } from '../../src/ingest/store/contents/files.ts'
import { SharedContents } from '../../src/ingest/store/contents/shared-contents.ts'
import { FolderBlobs } from '../fakes/folder-blobs.ts'
import { NEEDS_S3, s3Place, TestBucket } from '../fakes/s3.ts'
import { chooseAdapters } from '../suites.ts'

/** A machine at a store: its own disk, and the files that the catalog knows. */
type Machine = { readonly content: ContentStore; readonly files: Files }

let folder: string
let catalog: Catalog
let blobs: Blobs | undefined
let close = async () => {}

async function machine(name: string): Promise<Machine> {
  const content = new ContentStore(path.join(folder, blobs ? name : 'one'))
  await content.prepare()
  const folderOf = (sha256: string) => content.getFolder(sha256)
  const copies = { grow: async () => {} }
  if (blobs) content.share(new SharedContents({ catalog, blobs, folderOf, copies, abandonedMs: 0 }))
  return { content, files: new Files(catalog, content) }
}

function inFolder(): Blobs | undefined {
  return undefined
}

function inBlobs(): Blobs {
  return new FolderBlobs(path.join(folder, 'blobs'))
}

async function inS3(): Promise<Blobs> {
  const bucket = new TestBucket(s3Place!)
  await bucket.make()
  close = () => bucket.remove()
  return bucket.blobs
}

const ADAPTERS = [
  ['the folder of a store', inFolder, true],
  ['blobs of a folder', inBlobs, true],
  [`an S3 bucket (${NEEDS_S3})`, inS3, s3Place !== undefined],
] as const

describe.each(chooseAdapters(ADAPTERS, ([, , isThere]) => isThere))(
  'contents in %s',
  (_name, open, isThere) => {
    const test = everyTest.skipIf(!isThere)
    let [one, other] = [] as unknown as [Machine, Machine] // made before each
    beforeEach(async () => {
      if (!isThere) return
      folder = await mkdtemp(path.join(tmpdir(), 'passim-contents-'))
      await mkdir(path.join(folder, 'blobs'))
      catalog = await openCatalog(path.join(folder, 'catalog.db'))
      blobs = await open()
      one = await machine('one')
      other = await machine('other')
    })
    afterEach(async () => {
      if (!isThere) return
      await catalog.close()
      await rm(folder, { recursive: true })
      await close()
      close = async () => {}
    })

    const take = async ({ content, files }: Machine, bytes: string): Promise<StoredFile> =>
      await content.stageStream(
        Readable.from([Buffer.from(bytes)]),
        async staged => await files.add(staged, { name: 'a.txt', purpose: 'assistants' }),
      )
    const read = async (
      { content }: Machine,
      sha256: string,
      range?: { start: number; end: number },
    ) => await text(await content.read(sha256, range))
    const putBlobs = async () => {
      const keys: string[] = []
      if (blobs) for await (const { key } of blobs.list('')) keys.push(key)
      return keys
    }

    test('what one machine took in another reads, whole and by range', async () => {
      const { sha256 } = await take(one, '0123456789')
      expect(
        await Promise.all([one, other].map(async ({ content }) => await content.has(sha256))),
      ).toEqual([true, true])
      expect(await read(other, sha256, { start: 2, end: 5 })).toBe('234')
      expect([await read(other, sha256), await read(one, sha256)]).toEqual([
        '0123456789',
        '0123456789',
      ])
      expect(await read(other, sha256, { start: 8, end: 99 })).toBe('89')
      expect(await other.content.isComplete({ sha256, bytes: 10 })).toBe(true)
    })
    test('what is no longer used is gone everywhere, and can be brought in again', async () => {
      const file = await take(one, 'bytes')
      await other.content.download(file.sha256, 'all')
      await new Deletions(catalog).deleteFile(file.id, file.name, {})
      await one.files.collectGarbage([file.sha256])
      expect(await one.content.has(file.sha256)).toBe(false)
      expect(await putBlobs()).toEqual([])
      expect(await read(other, (await take(other, 'bytes')).sha256)).toBe('bytes')
      expect(await read(one, file.sha256)).toBe('bytes')
    })
    test('what is used by another file stays', async () => {
      const [file, same] = [await take(one, 'bytes'), await take(other, 'bytes')]
      await new Deletions(catalog).deleteFile(file.id, file.name, {})
      await one.files.collectGarbage([file.sha256, ...(await one.content.listAbandoned())])
      expect(await read(await machine('third'), same.sha256)).toBe('bytes')
      expect(await one.content.listAbandoned()).toEqual([])
    })
    test('what is derived is found by others, a folder when it is whole, and nothing that is on its way', async () => {
      const { sha256 } = await take(one, 'bytes')
      const own = one.content.getFolder(sha256)
      for (const name of ['parsed-1', 'parsed-2', 'pages', 'parsed-3.1-1-ab.tmp'])
        await mkdir(path.join(own, name))
      const names = [
        'parsed-1/text.u16',
        'parsed-1/report.json',
        'parsed-2/text.u16',
        'pages/1.png',
      ]
      for (const name of [
        ...names,
        'vectors-1.f32',
        'vectors-2.f32.doc_1.partial',
        'parsed-4.whole',
      ])
        await writeFile(path.join(own, name), name)
      await one.content.uploadDerived(sha256)
      if (!blobs) return
      const there = async () => (await readdir(other.content.getFolder(sha256))).toSorted()
      await other.content.download(sha256, 'text')
      expect(await there()).toEqual(['parsed-1', 'parsed-4.whole'])
      await other.content.download(sha256, 'all')
      expect(await there()).toEqual(['original', 'parsed-1', 'parsed-4.whole', 'vectors-1.f32'])
      expect(
        (await readdir(path.join(other.content.getFolder(sha256), 'parsed-1'))).toSorted(),
      ).toEqual(['report.json', 'text.u16'])
    })
    test('what is derived is cleared everywhere, the original stays', async () => {
      const { sha256 } = await take(one, 'bytes')
      await writeFile(path.join(one.content.getFolder(sha256), 'vectors-1.f32'), 'x')
      await one.content.uploadDerived(sha256)
      await one.content.clearDerived(sha256)
      await other.content.download(sha256, 'all')
      expect(await readdir(other.content.getFolder(sha256))).toEqual(['original'])
    })
    test('bytes that nobody adopted leave nothing', async () => {
      const staging = await one.content.openStaging()
      const { sha256 } = staging.write(Buffer.from('bytes'))
      await staging.sync()
      await staging.close()
      await one.files.collectGarbage(await one.content.listAbandoned())
      expect([await one.content.has(sha256), await putBlobs()]).toEqual([false, []])
    })
  },
)
