import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { toAppError } from '../../src/errors.ts'
import { importStore } from '../../src/index.ts'
import { mutate } from './mutated-backup.ts'
import { Sandbox } from './store.ts'

const MAIL = `From: a@example.org
Subject: Birds
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/plain

A heron.
--x
Content-Type: text/plain; name="note.txt"
Content-Disposition: attachment; filename="note.txt"

A kingfisher.
--x--
`

export type Outcome = {
  readonly seed: number
  readonly kind: string
  readonly result: string
  readonly problem?: string
}

/**
 * Import so many changed backups and use what comes of them. A `problem` is anything that must not be: something outside of
 * the home that is not as it was, an import that failed and left something, or failed without a word of its own.
 */
export async function* importMutated(count: number, firstSeed: number): AsyncGenerator<Outcome> {
  const sandbox = await Sandbox.make()
  try {
    const backup = await backupOf(sandbox)
    for (let seed = firstSeed; seed < firstSeed + count; seed++)
      yield await importOne(sandbox, backup, seed)
  } finally {
    await sandbox.remove()
  }
}

async function backupOf(sandbox: Sandbox): Promise<string> {
  const passim = await sandbox.open()
  const docs = await sandbox.write({
    'a.txt': 'An albatross.',
    'b.txt': 'A bustard.',
    'mail.eml': MAIL,
  })
  await passim.index([docs])
  await passim.delete(
    await passim.scope.findDocument('b.txt', await passim.scope.findCollections()),
  )
  const backup = path.join(sandbox.folder, 'backup')
  await passim.export(backup)
  await sandbox.close()
  return backup
}

async function importOne(sandbox: Sandbox, backup: string, seed: number): Promise<Outcome> {
  const place = path.join(sandbox.folder, 'place')
  const home = path.join(place, 'a', 'home')
  const changed = path.join(sandbox.folder, 'changed')
  await mkdir(path.join(place, 'victim'), { recursive: true })
  await writeFile(path.join(place, 'victim', 'kept'), 'kept')
  await cp(path.join(place, 'victim'), path.join(place, 'a', 'victim'), { recursive: true })
  const kind = mutate(backup, changed, seed)
  const before = await contentOf(place, home)
  const result = await tryImport(sandbox, home, changed)
  const after = await contentOf(place, home)
  const problems = [
    ...(before === after ? [] : [`outside of the home: ${after}`]),
    ...(result === 'imported' || !existsSync(home)
      ? []
      : [`left: ${(await readdir(home)).join(', ')}`]),
    ...(result.startsWith('internal') ? [result] : []),
  ]
  for (const one of [place, changed]) await rm(one, { recursive: true, force: true })
  return { seed, kind, result, ...(problems.length > 0 && { problem: problems.join('; ') }) }
}

/** Index, upkeep, bringing back what was deleted, and every document's deletion, for good, are what a store is for: they go to all paths. */
async function tryImport(sandbox: Sandbox, home: string, file: string): Promise<string> {
  try {
    await importStore(home, file)
  } catch (error) {
    const { code, message } = toAppError(error)
    return `${code}: ${message}`
  }
  try {
    const passim = await sandbox.open({ home })
    await passim.background.drainAll({})
    for (const deletion of await passim.restoring.list()) await passim.restoring.run(deletion)
    for (const collection of await passim.collections.list())
      await passim.collections.delete(collection, { now: true })
  } catch (error) {
    const { code, message } = toAppError(error)
    if (code === 'internal') return `internal, once imported: ${message}`
  } finally {
    await sandbox.close()
  }
  return 'imported'
}

/** Names and texts of all that lies there, but for the home. */
async function contentOf(folder: string, home: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))
  const outside = files.filter(file => !file.startsWith(home + path.sep)).toSorted()
  return (
    await Promise.all(
      outside.map(async file => `${path.relative(folder, file)}=${await readFile(file)}`),
    )
  ).join('; ')
}
