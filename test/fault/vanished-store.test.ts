import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let docs: string
beforeEach(async () => {
  sandbox = await Sandbox.make()
  docs = await sandbox.write({ 'a.txt': 'An albatross.' })
})
afterEach(() => sandbox.remove())

const READING = [['search', 'albatross'], ['ask', 'What flies?'], ['list'], ['verify', '--repair']]

describe('where there is no store', () => {
  for (const command of READING) {
    test(`${command[0]} says so and makes none`, async () => {
      const refused = await runCli(sandbox.home, command)
      expect(refused).toMatchObject({
        code: 3,
        stderr: expect.stringContaining(`There is no store in ${sandbox.home}.`),
      })
      expect(refused.stderr).toContain('mount that first')
      expect(existsSync(sandbox.home)).toBe(false)
    })
  }

  test('index makes one and says that it did, once', async () => {
    const first = await runCli(sandbox.home, ['index', docs, '--no-vectors'])
    expect(first).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Created a new store in ${sandbox.home}.`),
    })
    expect((await runCli(sandbox.home, ['index', docs, '--no-vectors'])).stderr).not.toContain(
      'new store',
    )
  })
})

test('a store that lost its catalog is not taken for a new one', async () => {
  await (await sandbox.open()).index([docs], { withoutVectors: true })
  await sandbox.close()
  renameSync(path.join(sandbox.home, 'catalog.db'), path.join(sandbox.folder, 'backup.db'))
  await expect(sandbox.open()).rejects.toThrow(/has lost its catalog.*backup/s)
  expect(existsSync(path.join(sandbox.home, 'catalog.db'))).toBe(false)
  renameSync(path.join(sandbox.folder, 'backup.db'), path.join(sandbox.home, 'catalog.db'))
  expect(await (await sandbox.open()).verify.run()).toMatchObject({ ok: true })
})

const disk = mkdtempSync(path.join(tmpdir(), 'passim-vanishing-'))
const mount = () =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'tmpfs', disk]).status === 0
const isMountable = mount()
afterAll(() => {
  spawnSync('umount', ['-l', disk])
  rmSync(disk, { recursive: true, force: true })
})

test.skipIf(!isMountable)(
  'a disk that is away is named, and nothing is made in its place (needs mount)',
  async () => {
    const home = path.join(disk, 'home')
    const environment = { XDG_STATE_HOME: path.join(sandbox.folder, 'state') }
    const run = (...command: string[]) => runCli(home, command, environment)
    expect((await run('index', docs, '--no-vectors')).code).toBe(0)
    const aside = `${disk}-aside`
    mkdirSync(aside)
    spawnSync('mount', ['--move', disk, aside])
    for (const command of [
      ['index', docs],
      ['serve', '--port', '0'],
      ['search', 'albatross'],
    ]) {
      const refused = await run(...command)
      expect(refused).toMatchObject({
        code: 3,
        stderr: expect.stringContaining(`mounted at ${disk}, which is not mounted`),
      })
    }
    expect(readdirSync(disk)).toEqual([])
    spawnSync('mount', ['--move', aside, disk])
    rmSync(aside, { recursive: true })
    expect((await run('search', 'albatross', '--mode', 'keyword')).stdout).toContain('a.txt')
    rmSync(home, { recursive: true })
    expect(await run('index', docs, '--no-vectors')).toMatchObject({ code: 0 }) // removed on purpose, its disk being there
  },
)
