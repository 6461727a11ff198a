import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Upload, Uploads } from '../../../../src/ingest/store/catalog/uploads.ts'
import { combineFormats } from '../../../../src/ingest/store/catalog.ts'
import { SqliteCatalog } from '../../../../src/ingest/store/catalogs/sqlite.ts'
import {
  discardPlace,
  SharedContents,
} from '../../../../src/ingest/store/contents/shared-contents.ts'
import { FolderBlobs } from '../../../fakes/folder-blobs.ts'

const HOUR_MS = 3_600_000

let folder: string
let catalog: SqliteCatalog

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-uploads-'))
  for (const name of ['one', 'other', 'blobs']) await mkdir(path.join(folder, name))
  catalog = SqliteCatalog.open(
    path.join(folder, 'catalog.db'),
    combineFormats([Uploads.tables, SharedContents.tables]),
  )
})
afterEach(async () => {
  vi.useRealTimers()
  await catalog.close()
  await rm(folder, { recursive: true })
})

/** The uploads as a machine sees them whose home that is; all have one place for parts. */
function uploadsAt(home: string): Uploads {
  const blobs = new FolderBlobs(path.join(folder, 'blobs'))
  const uploads = new Uploads(catalog, path.join(folder, home))
  const contents = new SharedContents({
    catalog,
    blobs,
    folderOf: () => '',
    copies: { grow: async () => {} },
  })
  uploads.share({
    blobs,
    discard: discardPlace,
    emptyTrash: async () => await contents.emptyTrash(),
  })
  return uploads
}

const begin = async (uploads: Uploads): Promise<Upload> =>
  await uploads.create({
    name: 'a.txt',
    purpose: 'assistants',
    bytes: 10,
    expiresAt: Date.now() + HOUR_MS,
  })
const add = async (uploads: Uploads, upload: Upload, text: string) =>
  await uploads.addPart(upload, Readable.from([Buffer.from(text)]))
const files = async (name: string) =>
  (await readdir(path.join(folder, name), { recursive: true, withFileTypes: true })).filter(entry =>
    entry.isFile(),
  )

test('a part is read by another machine than took it, which keeps nothing of it', async () => {
  const [one, other] = [uploadsAt('one'), uploadsAt('other')]
  const part = await add(one, await begin(one), 'hello')
  expect(await files('one')).toEqual([])
  expect(String(await buffer(await other.readPart(part)))).toBe('hello')
})

test('parts that came before they were shared are found where they came', async () => {
  const alone = new Uploads(catalog, path.join(folder, 'one'))
  const part = await add(alone, await begin(alone), 'hello')
  expect(String(await buffer(await uploadsAt('one').readPart(part)))).toBe('hello')
})

test('parts of an upload that nobody completed are removed by whichever machine looks after its time', async () => {
  const [one, other] = [uploadsAt('one'), uploadsAt('other')]
  await add(one, await begin(one), 'hello')
  await other.sweep()
  expect(await files('blobs')).toHaveLength(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR_MS })
  const young = await begin(one)
  await add(one, young, 'hello')
  await other.sweep()
  expect((await files('blobs')).map(({ parentPath }) => path.basename(parentPath))).toEqual([
    young.id,
  ])
})

test('a part that comes after another machine ended its upload is refused, and nothing of it is kept', async () => {
  const [one, other] = [uploadsAt('one'), uploadsAt('other')]
  const upload = await begin(one)
  const early = await add(one, upload, 'hello')
  await other.cancel(upload)
  await other.removeParts(upload.id)
  await expect(add(one, upload, 'late')).rejects.toThrow(
    expect.objectContaining({ code: 'conflict' }),
  )
  expect(await files('blobs')).toEqual([])
  await expect(one.readPart(early)).rejects.toThrow(expect.objectContaining({ code: 'conflict' }))
})
