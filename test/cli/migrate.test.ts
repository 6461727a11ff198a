import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
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
  shared = { PASSIM_CATALOG_URL: `${url}?password=gate`, PASSIM_CATALOG_SCHEMA: schemaOf(sandbox.folder) }
})
afterAll(() => sandbox.remove())

const passim = (...args: readonly string[]) => runCli(sandbox.home, args)
const passimThere = (...args: readonly string[]) => runCli(sandbox.home, args, shared)

there(
  'a store moves into PostgreSQL with its keys and those of tenants, and back by export (needs PASSIM_TEST_POSTGRES)',
  async () => {
    const docs = await sandbox.write({ 'pumps.md': 'Pumps are serviced every May.', 'gone.md': 'Old.' })
    await passim('index', docs, '--no-vectors')
    await passim('delete', 'gone.md', '--yes')
    await passim('keys', 'create', 'ci', '--scope', 'write')
    const before = JSON.parse((await passim('verify', '--json')).stdout) as { rootHash: string }

    const moved = await passimThere('migrate')
    expect(moved).toMatchObject({ code: 0, stdout: expect.stringMatching(/Took over 1 store into postgres:\/\/127/) })
    expect(moved.stdout).not.toContain('gate')
    expect(existsSync(path.join(sandbox.home, 'catalog.db'))).toBe(false)
    expect((await passimThere('search', 'serviced')).stdout).toContain('every May')
    expect(JSON.parse((await passimThere('verify', '--json')).stdout)).toMatchObject({ ok: true, ...before })
    expect((await passimThere('keys', 'list')).stdout).toContain('ci')
    expect((await passimThere('migrate')).stdout).toContain('Took over 0 stores')
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

there('a store that a service has open stays where it is, and so does one where the database has another', async () => {
  const home = path.join(sandbox.folder, 'busy')
  const docs = await sandbox.write({ 'pumps.md': 'Pumps are serviced every May.' })
  await runCli(home, ['index', docs, '--no-vectors'])
  const service = startCli(home, ['serve', '--port', '0'])
  await once(service.child.stdout, 'data') // it listens
  const other = { ...shared, PASSIM_CATALOG_SCHEMA: `${shared.PASSIM_CATALOG_SCHEMA}c` }
  expect(await runCli(home, ['migrate'], other)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('open. Stop passim serve'),
  })
  service.child.kill('SIGTERM')
  await service.ended
  expect(await runCli(home, ['migrate'], shared)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('another store'),
  })
  expect((await runCli(home, ['search', 'serviced'])).stdout).toContain('every May')
})
