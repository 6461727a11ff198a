import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let config: string
beforeAll(async () => {
  sandbox = await Sandbox.make()
  const folder = await sandbox.write({ 'lease.md': 'The notice period is three months.' })
  config = path.join(sandbox.folder, 'settings.yaml')
  const sources = {
    leases: { type: 'folder', path: folder, collection: 'leases' },
    gone: { type: 'folder', path: '/nowhere/gone' },
  }
  await writeFile(config, JSON.stringify({ sources }))
})
afterAll(() => sandbox.remove())

const passim = (...args: readonly string[]) => runCli(sandbox.home, [...args, '--config', config])

test('sources are run and listed, and one that fails does not stop the others', async () => {
  const run = await passim('sync', 'run', 'leases', '--json')
  expect(run).toMatchObject({ code: 0, stderr: expect.not.stringContaining('rror') })
  expect(JSON.parse(run.stdout)).toMatchObject({ collection: 'leases', totals: { indexed: 1 } })
  const all = await passim('sync', 'run')
  expect(all.code).toBe(1)
  expect(all.stdout).toContain('1 unchanged')
  expect(all.stderr).toContain('There is no file or folder /nowhere/gone.')
  const listed = await passim('sync')
  expect(listed.stdout).toMatch(/^completed +leases +folder +leases +last .+ +next .+$/m)
  expect(listed.stdout).toMatch(/^failed +gone +folder .+There is no file or folder/m)
  const { sources } = JSON.parse((await passim('sync', '--json')).stdout)
  expect(sources[0]).toMatchObject({ name: 'leases', state: 'completed', totals: { unchanged: 1 } })
})

test('a source that the settings lack is named', async () => {
  const run = await passim('sync', 'run', 'lease')
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('no source lease') })
})
