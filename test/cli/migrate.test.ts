import { once } from 'node:events'
import { existsSync, readdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schemaOf } from '../fakes/catalog-environment.ts'
import { runCli, startCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

const url = process.env.PASSIM_TEST_POSTGRES
const there = test.skipIf(!url)

let sandbox: Sandbox
let shared: Readonly<Record<string, string>>
beforeAll(async () => {
  sandbox = await Sandbox.make()
  shared = {
    PASSIM_CATALOG_URL: `${url}?password=gate`,
    PASSIM_CATALOG_SCHEMA: schemaOf(sandbox.folder),
  }
})
afterAll(() => sandbox.remove())

const passim = (...args: readonly string[]) => runCli(sandbox.home, args)
const passimThere = (...args: readonly string[]) => runCli(sandbox.home, args, shared)

there(
  'a store moves into PostgreSQL with its keys and those of tenants, and back by export (needs PASSIM_TEST_POSTGRES)',
  async () => {
    const docs = await sandbox.write({
      'pumps.md': 'Pumps are serviced every May.',
      'gone.md': 'Old.',
    })
    await passim('index', docs, '--no-vectors')
    await passim('delete', 'gone.md', '--yes')
    await passim('keys', 'create', 'ci', '--scope', 'write')
    const before = JSON.parse((await passim('verify', '--json')).stdout) as { rootHash: string }

    const moved = await passimThere('migrate')
    expect(moved).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Moved 1 store to postgres:\/\/127/),
    })
    expect(moved.stdout).not.toContain('gate')
    expect(existsSync(path.join(sandbox.home, 'catalog.db'))).toBe(false)
    expect((await passimThere('search', 'serviced')).stdout).toContain('every May')
    for (const args of [
      ['search', 'serviced'],
      ['index', docs],
    ])
      expect(await passim(...args)).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/catalog\.db was moved to a database\. .*--config/),
      })
    expect(JSON.parse((await passimThere('verify', '--json')).stdout)).toMatchObject({
      ok: true,
      ...before,
    })
    expect((await passimThere('keys', 'list')).stdout).toContain('ci')
    expect((await passimThere('migrate')).stdout).toContain('Moved 0 stores')
    expect((await passimThere('restore', 'gone.md')).code).toBe(0)
    const more = await sandbox.write({ 'more.md': 'Valves are tested in June.' })
    expect((await passimThere('index', more, '--no-vectors')).code).toBe(0)

    const file = path.join(sandbox.folder, 'backup')
    expect((await passimThere('export', file)).code).toBe(0)
    const back = path.join(sandbox.folder, 'back')
    expect((await runCli(back, ['import', file])).code).toBe(0)
    expect((await runCli(back, ['search', 'tested'])).stdout).toContain('in June')
    const elsewhere = { ...shared, PASSIM_CATALOG_SCHEMA: `${shared.PASSIM_CATALOG_SCHEMA}b` }
    const home = path.join(sandbox.folder, 'elsewhere')
    expect((await runCli(home, ['import', file], elsewhere)).code).toBe(0)
    expect((await runCli(home, ['search', 'tested'], elsewhere)).stdout).toContain('in June')
  },
)

there(
  'after a move the folder of a tenant names its store (needs PASSIM_TEST_POSTGRES)',
  async () => {
    const home = path.join(sandbox.folder, 'tenants-too')
    const acme = path.join(home, 'tenants', 'acme')
    const docs = await sandbox.write({ 'pumps.md': 'Pumps are serviced every May.' })
    await runCli(home, ['index', docs, '--no-vectors'])
    const more = await sandbox.write({ '../acme/valves.md': 'Valves are tested in June.' })
    await runCli(acme, ['index', path.join(more, '../acme'), '--no-vectors'])
    const elsewhere = { ...shared, PASSIM_CATALOG_SCHEMA: `${shared.PASSIM_CATALOG_SCHEMA}j` }
    expect((await runCli(home, ['migrate'], elsewhere)).stdout).toContain('Moved 2 stores')
    expect((await runCli(acme, ['list'], elsewhere)).stdout).toMatch(/valves\.md/)
    expect((await runCli(acme, ['list'], elsewhere)).stdout).not.toMatch(/pumps\.md/)
    expect((await runCli(acme, ['verify', '--repair'], elsewhere)).stdout).toContain('No problems')
    expect((await runCli(acme, ['search', 'tested'], elsewhere)).stdout).toContain('in June')
  },
)

there(
  'a store that a service has open stays where it is, and so does one where the database has another',
  async () => {
    const home = path.join(sandbox.folder, 'busy')
    const docs = await sandbox.write({ 'pumps.md': 'Pumps are serviced every May.' })
    await runCli(home, ['index', docs, '--no-vectors'])
    const service = startCli(home, ['serve', '--port', '0'])
    await once(service.child.stdout, 'data') // it listens
    const other = { ...shared, PASSIM_CATALOG_SCHEMA: `${shared.PASSIM_CATALOG_SCHEMA}c` }
    expect(await runCli(home, ['migrate'], other)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('open. Stop it, and try again.'),
    })
    service.child.kill('SIGTERM')
    await service.ended
    expect(await runCli(home, ['migrate'], shared)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('another store'),
    })
    expect((await runCli(home, ['search', 'serviced'])).stdout).toContain('every May')
  },
)

const DIE_RENAMING = fileURLToPath(new URL('../fakes/die-renaming.mjs', import.meta.url))

/** Variables that let a process die as it renames a file so, in a schema of its own. */
const dying = (ending: string, when: 'before' | 'after', schema: string) => {
  const own = { ...shared, PASSIM_CATALOG_SCHEMA: `${shared.PASSIM_CATALOG_SCHEMA}${schema}` }
  const death = {
    PASSIM_TEST_DIE_RENAMING: ending,
    PASSIM_TEST_DIE: when,
    NODE_OPTIONS: `--import ${DIE_RENAMING}`,
  }
  return [own, { ...own, ...death }] as const
}

for (const [point, ending, when, schema] of [
  ['before the database is certain to have it', '.taking-over', 'after', 'd'],
  ['after the database has it, before the file is moved', '.taken-over', 'before', 'e'],
] as const) {
  there(
    `where a migration is killed ${point}, nothing is written that the next one would not take along`,
    async () => {
      const home = path.join(sandbox.folder, schema)
      const docs = await sandbox.write({ 'pumps.md': 'Pumps are serviced every May.' })
      await runCli(home, ['index', docs, '--no-vectors'])
      await runCli(home, ['keys', 'create', 'ci', '--scope', 'write'])
      const [settings, death] = dying(ending, when, schema)
      expect((await runCli(home, ['migrate'], death)).code).toBe(null)

      const more = await sandbox.write({ 'more.md': 'Valves are tested in June.' })
      const refused = { code: 3, stderr: expect.stringContaining('Run passim migrate again') }
      expect(await runCli(home, ['index', more, '--no-vectors'])).toMatchObject(refused)
      expect((await runCli(home, ['search', 'serviced'], settings)).stderr).toContain(
        'into the database with passim migrate',
      )
      expect((await runCli(home, ['migrate'], settings)).stdout).toContain('Moved 1 store')
      expect(readdirSync(home).filter(name => name.includes('taking-over'))).toEqual([])
      expect((await runCli(home, ['search', 'serviced'], settings)).stdout).toContain('every May')
      expect((await runCli(home, ['keys', 'list'], settings)).stdout).toContain('ci')
    },
  )
}

there(
  'keys are taken over by a run after one that was killed, though others made keys there meanwhile',
  async () => {
    const home = path.join(sandbox.folder, 'keys')
    await runCli(home, ['keys', 'create', 'first', '--scope', 'write'])
    const [settings, death] = dying('.taken-over', 'before', 'f')
    expect((await runCli(home, ['migrate'], death)).code).toBe(null)
    expect((await runCli(home, ['keys', 'create', 'more'])).stderr).toContain(
      'Run passim migrate again',
    )
    await runCli(
      path.join(sandbox.folder, 'keys-elsewhere'),
      ['keys', 'create', 'second', '--scope', 'write'],
      settings,
    )
    expect((await runCli(home, ['migrate'], settings)).code).toBe(0)
    const { stdout } = await runCli(home, ['keys', 'list'], settings)
    expect(stdout).toContain('first')
    expect(stdout).toContain('second')
  },
)

there(
  'a file that was taken over and put back is not passed over: what differs is named',
  async () => {
    const home = path.join(sandbox.folder, 'back-again')
    const [settings] = dying('', 'before', 'g')
    await runCli(home, [
      'index',
      await sandbox.write({ 'pumps.md': 'Pumps are serviced every May.' }),
      '--no-vectors',
    ])
    expect((await runCli(home, ['migrate'], settings)).code).toBe(0)
    renameSync(path.join(home, 'catalog.db.taken-over'), path.join(home, 'catalog.db'))
    await runCli(home, [
      'index',
      await sandbox.write({ 'filters.md': 'Filters are washed in July.' }),
      '--no-vectors',
    ])
    const again = await runCli(home, ['migrate'], settings)
    expect(again).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/documents \d and \d.*move the file away/),
    })
    expect((await runCli(home, ['search', 'washed'])).stdout).toContain('in July')
  },
)

there(
  'a database in which somebody works already takes no store over that has another name',
  async () => {
    const [settings] = dying('', 'before', 'h')
    const docs = await sandbox.write({ 'pumps.md': 'Pumps are serviced every May.' })
    await runCli(path.join(sandbox.folder, 'at-work'), ['index', docs, '--no-vectors'], settings)
    const home = path.join(sandbox.folder, 'late')
    await runCli(home, ['index', docs, '--no-vectors'])
    expect(await runCli(home, ['migrate'], settings)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('another store'),
    })
  },
)

there(
  'an import into a database that was killed as it took the store over can be done again',
  async () => {
    const home = path.join(sandbox.folder, 'exported')
    const file = path.join(sandbox.folder, 'for-import')
    await runCli(home, [
      'index',
      await sandbox.write({ 'pumps.md': 'Pumps are serviced every May.' }),
      '--no-vectors',
    ])
    expect((await runCli(home, ['export', file])).code).toBe(0)
    const target = path.join(sandbox.folder, 'imported')
    const [settings, death] = dying('.taken-over', 'before', 'i')
    expect((await runCli(target, ['import', file], death)).code).toBe(null)
    expect(await runCli(target, ['import', file], settings)).toMatchObject({ code: 0 })
    expect((await runCli(target, ['search', 'serviced'], settings)).stdout).toContain('every May')
  },
)
