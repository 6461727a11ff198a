import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SharedContents } from '../../src/ingest/store/contents/shared-contents.ts'
import { storeIn } from '../fakes/catalog-environment.ts'
import { FolderBlobs } from '../fakes/folder-blobs.ts'
import { Sandbox } from '../fakes/store.ts'

const DIE = fileURLToPath(new URL('../fakes/die-putting.ts', import.meta.url))

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(async () => {
  await sandbox.remove()
})

test('a kill between putting bytes and naming them leaves an orphan, which goes an hour later', async () => {
  const folder = path.join(sandbox.folder, 'blobs')
  const file = path.join(sandbox.folder, 'a.txt')
  await mkdir(folder)
  await writeFile(file, 'cut off')
  const args = ['--import', 'tsx', DIE, sandbox.home, folder, file]
  const signal = await new Promise(resolve =>
    execFile(process.execPath, args, error => resolve(error?.signal)),
  )
  expect(signal).toBe('SIGKILL')

  const blobs = new FolderBlobs(folder)
  const { catalog, content, files } = await storeIn(sandbox.home)
  const folderOf = (sha256: string) => content.getFolder(sha256)
  content.share(new SharedContents({ catalog, blobs, folderOf, copies: { grow: async () => {} } }))
  const keys = async () => {
    const found: string[] = []
    for await (const { key } of blobs.list('')) found.push(key)
    return found
  }
  expect(await keys()).toHaveLength(1)
  expect(await files.listContents()).toEqual([])
  await files.collectGarbage(await content.listAbandoned())
  expect(await keys()).toHaveLength(1) // its process might be alive, for all that others know
  await catalog.run('UPDATE shared_contents SET put_at = put_at - ?', 61 * 60_000)
  await files.collectGarbage(await content.listAbandoned())
  expect(await keys()).toEqual([])
  await catalog.close()
})
