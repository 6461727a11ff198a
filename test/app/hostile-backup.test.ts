import { existsSync, renameSync } from 'node:fs'
import { copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { importStore } from '../../src/index.ts'
import { ContentStore } from '../../src/ingest/store/contents/content.ts'
import { changeBackup, changeCatalog, ENDLESS } from '../fakes/mutated-backup.ts'
import { Sandbox } from '../fakes/store.ts'

/** Made once: one document is in it, two were deleted. */
let origin: Sandbox
let sandbox: Sandbox
let file: string
let home: string
beforeAll(async () => {
  origin = await Sandbox.make()
  const passim = await origin.open()
  await passim.index([
    await origin.write({ 'a.txt': 'An albatross.', 'b.txt': 'A bustard.', 'c.txt': 'A crane.' }),
  ])
  for (const name of ['b.txt', 'c.txt'])
    await passim.delete(await passim.scope.findDocument(name, await passim.scope.findCollections()))
  await passim.export(path.join(origin.folder, 'backup'))
})
afterAll(() => origin.remove())
beforeEach(async () => {
  sandbox = await Sandbox.make()
  file = path.join(sandbox.folder, 'backup')
  home = path.join(sandbox.folder, 'restored')
  await copyFile(path.join(origin.folder, 'backup'), file)
})
afterEach(() => sandbox.remove())

const refused = async (message: RegExp) => {
  await expect(importStore(home, file)).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringMatching(message),
  })
  expect(existsSync(home)).toBe(false)
}

describe('a backup is refused, and nothing is left of it, whose catalog', () => {
  const check = (name: string, sql: string, message: RegExp) =>
    test(name, async () => {
      changeCatalog(file, catalog => catalog.exec(sql))
      await refused(message)
    })

  check(
    'names a folder as a retired content',
    `UPDATE versions SET state = 'retired', sha256 = '../victim'`,
    /sha256 in versions/,
  )
  check(
    'names a folder as the content of a file',
    `UPDATE files SET sha256 = '../victim'`,
    /sha256 in files/,
  )
  check(
    'names a folder as a table',
    `UPDATE collections SET table_id = '../victim'`,
    /table_id in collections/,
  )
  check(
    'names a folder as an upload',
    `INSERT INTO uploads VALUES ('../victim', 'n', 'p', 1, 'pending', NULL, NULL, 1, 1, NULL)`,
    /id in uploads/,
  )
  check(
    'has changed chunks that are no list',
    `UPDATE documents SET chunk_edits = '{}'`,
    /chunk_edits in documents/,
  )
  check(
    'has a changed chunk that is none',
    `UPDATE documents SET chunk_edits = '[null]'`,
    /chunk_edits in documents/,
  )
  check(
    'has facts of an earlier text that are none',
    `UPDATE documents SET earlier_facts = '[]'`,
    /earlier_facts in documents/,
  )
  check('has a view', `CREATE VIEW more AS ${ENDLESS}`, /tables are not those/)
  check(
    'has an endless view for a table',
    `DROP TABLE files; CREATE VIEW files AS ${ENDLESS}`,
    /tables are not those/,
  )
  check(
    'has a trigger',
    'CREATE TRIGGER t AFTER UPDATE ON versions BEGIN DELETE FROM files; END',
    /tables are not those/,
  )
  check(
    'has an index of an expression',
    'CREATE INDEX i ON files (hex(name))',
    /tables are not those/,
  )
  check('has a report that is none', `UPDATE versions SET report = '{'`, /report in versions/)
  check(
    'has a number that is a word',
    `UPDATE documents SET revision = 'x'`,
    /revision in documents/,
  )
  check(
    'has half a character in JSON',
    `UPDATE documents SET attributes = '{"a":"\\ud800"}'`,
    /attributes in documents is not UTF-8/,
  )
  check(
    'has documents that contain each other',
    `UPDATE documents SET parent_id = id`,
    /contain each other/,
  )
  check(
    'has attributes that are none',
    `UPDATE documents SET attributes = 'null'`,
    /attributes in documents/,
  )
  check(
    'has chunks of no size',
    `UPDATE documents SET settings = '{"chunking":{"maxTokens":0}}'`,
    /settings in documents/,
  )
})

describe('a backup is refused of which something deleted could be brought back that', () => {
  const check = (name: string, kind: string, changes: string, message: RegExp) =>
    test(name, async () => {
      const set = `UPDATE deleted_rows SET fields = json_set(fields, ${changes}) WHERE kind = '${kind}'`
      changeCatalog(file, catalog => catalog.exec(set))
      await refused(message)
    })

  check(
    'is in a folder',
    'documents',
    `'$.collection_id', '../victim'`,
    /collection_id in deleted documents/,
  )
  check(
    'has a folder for its file',
    'documents',
    `'$.file_id', '../victim'`,
    /file_id in deleted documents/,
  )
  check('has no name', 'documents', `'$.name', json('null')`, /name in deleted documents/)
  check(
    'has settings that are none',
    'documents',
    `'$.settings', '{'`,
    /settings in deleted documents/,
  )
  check(
    'has half a character',
    'documents',
    `'$.attributes', '{"a":"\\ud800"}'`,
    /attributes in deleted documents/,
  )
  check(
    'has a number that is a word',
    'documents',
    `'$.revision', 'x'`,
    /revision in deleted documents/,
  )
  check('is attached to itself', 'documents', `'$.parent_id', id`, /contain each other/)
  check('has fewer bytes than none', 'files', `'$.bytes', -1`, /bytes in deleted files/)
  check(
    'has another content than it says',
    'files',
    `'$.sha256', '../victim'`,
    /fields in deleted_rows/,
  )

  test('is there already', async () => {
    changeCatalog(file, catalog =>
      catalog.exec(`UPDATE deleted_rows SET fields = json_set(fields, '$.id', live.id), id = live.id
        FROM documents AS live WHERE kind = 'documents' AND deletion_id = (SELECT min(id) FROM deletions)`),
    )
    await refused(/documents is there twice/)
  })

  test('is another collection than it says', async () => {
    changeCatalog(file, catalog =>
      catalog.exec(`UPDATE deletions SET kind = 'collection', subject_id = 'other'`),
    )
    await refused(/kind in deletions/)
  })

  test('and one that nobody changed is imported, and brings it back', async () => {
    await importStore(home, file)
    const { restoring } = await sandbox.open({ home })
    await restoring.run(await restoring.find({ document: 'b.txt' }))
    expect((await restoring.list()).map(({ source }) => path.basename(source ?? ''))).toEqual([
      'c.txt',
    ])
  })
})

test('a backup whose table is an endless view is refused', async () => {
  changeBackup(file, database => {
    database.exec('DROP TABLE passim_backup')
    database.exec(
      `CREATE VIEW passim_backup AS SELECT i AS name, 0 AS start, i AS bytes FROM (${ENDLESS})`,
    )
  })
  await refused(/not a backup of Passim/)
})

test('a backup with a file elsewhere is refused', async () => {
  for (const name of [
    '../victim/x',
    '/tmp/x',
    'config.yaml',
    `content/aa/${'a'.repeat(64)}/../../x`,
  ]) {
    changeBackup(file, database => {
      database.prepare(`UPDATE passim_backup SET name = ? WHERE rowid = 1`).run(name)
    })
    await refused(/which no store has/)
  }
})

test('a backup that misses a piece is refused', async () => {
  changeBackup(file, database => {
    database.exec(`UPDATE passim_backup SET start = 1048576 WHERE name = 'catalog.db'`)
  })
  await refused(/differs from what was stored/)
})

test('an import that is stopped leaves nothing', async () => {
  const stop = new AbortController()
  const onProgress = () => stop.abort()
  await expect(importStore(home, file, { signal: stop.signal, onProgress })).rejects.toThrow()
  expect(existsSync(home)).toBe(false)
  await importStore(home, file)
})

describe('an import that was killed', () => {
  const dead = 'import.999999999-1-aaaaaaaaaaaa.tmp'

  test('while it was reading is done again', async () => {
    await mkdir(path.join(home, dead, 'content'), { recursive: true })
    await writeFile(path.join(home, dead, 'catalog.db'), 'half')
    expect(await importStore(home, file)).toMatchObject({ contents: 3, missing: 0 })
    expect(await readdir(home)).not.toContain(dead)
  })

  test('between its content and its catalog is done again', async () => {
    await importStore(home, file)
    await mkdir(path.join(home, dead))
    await writeFile(path.join(home, dead, 'taken.json'), '{}')
    renameSync(path.join(home, 'catalog.db'), path.join(home, dead, 'catalog.db'))
    expect(await importStore(home, file)).toMatchObject({ contents: 3, missing: 0 })
    expect(await readdir(home)).not.toContain(dead)
  })

  test('before its index was made goes on with that, and with no other backup', async () => {
    const killed = importStore(home, file, {
      finish: async () => Promise.reject(new Error('killed')),
    })
    await expect(killed).rejects.toThrow('killed')
    const [left] = (await readdir(home)).filter(name => name.startsWith('import.'))
    renameSync(path.join(home, left!), path.join(home, dead))
    const other = path.join(sandbox.folder, 'other')
    const passim = await sandbox.open()
    await passim.index([await sandbox.write({ 'b.txt': 'A bustard.' })], { withoutVectors: true })
    await passim.export(other)
    await expect(importStore(home, other)).rejects.toMatchObject({ code: 'conflict' })
    let isFinished = false
    const finish = async () => {
      isFinished = true
    }
    expect(await importStore(home, file, { finish })).toMatchObject({ contents: 3 })
    expect(isFinished).toBe(true)
    expect((await readdir(home)).filter(name => name.startsWith('import.'))).toEqual([])
  })

  test('is not waited for while it lives', async () => {
    await mkdir(path.join(home, `import.${process.pid}--aaaaaaaaaaaa.tmp`), { recursive: true })
    await expect(importStore(home, file)).rejects.toThrow(/Another process is importing/)
  })
})

test('what a killed export left goes with the next export to the folder, and nothing else', async () => {
  const ends = ['', '-journal']
  for (const end of ends)
    await writeFile(
      path.join(sandbox.folder, `b.passim-export.999999999-1-aaaaaaaaaaaa.tmp${end}`),
      '',
    )
  const kept = `b.passim-export.${process.pid}--aaaaaaaaaaaa.tmp`
  await writeFile(path.join(sandbox.folder, kept), '')
  await (await sandbox.open()).export(path.join(sandbox.folder, 'second'))
  const left = (await readdir(sandbox.folder)).filter(name => name.includes('.passim-export.'))
  expect(left).toEqual([kept])
})

test('a content is found by a SHA-256 alone', () => {
  const content = new ContentStore(home)
  for (const name of ['../victim', '', 'A'.repeat(64), `${'a'.repeat(63)}/`]) {
    expect(() => content.getFolder(name)).toThrow(/not a SHA-256/)
  }
})

test('databases, contents, index and backups are for their owner alone, whatever the home is', async () => {
  const open = path.join(sandbox.folder, 'open')
  await mkdir(path.join(open, 'content'), { recursive: true, mode: 0o755 })
  await writeFile(path.join(open, 'catalog.db'), '', { mode: 0o644 })
  const passim = await sandbox.open({ home: open })
  await passim.index([await sandbox.write({ 'a.txt': 'An albatross.' })], { withoutVectors: true })
  const backup = path.join(sandbox.folder, 'private')
  await passim.export(backup)
  const things = ['catalog.db', 'catalog.db-wal', 'content', 'incoming', 'index'].map(name =>
    path.join(open, name),
  )
  for (const thing of [...things, backup])
    expect([thing, (await stat(thing)).mode & 0o077]).toEqual([thing, 0])
})
