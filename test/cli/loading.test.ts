import { access, constants, mkdir, readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await Sandbox.make()
  const passim = await sandbox.open()
  await passim.index([await sandbox.write({ 'a.txt': 'An albatross.' })], { withoutVectors: true })
  await sandbox.close()
})
afterAll(() => sandbox.remove())

/** Files of this project and of packages that a command has loaded, as Node notes them for coverage. */
async function loadedBy(...args: readonly string[]): Promise<readonly string[]> {
  const folder = sandbox.path(`../loaded-${args[0]}`)
  await mkdir(folder)
  expect(await runCli(sandbox.home, args, { NODE_V8_COVERAGE: folder })).toMatchObject({ code: 0 })
  const reports = await Promise.all(
    (await readdir(folder)).map(name => readFile(`${folder}/${name}`, 'utf8')),
  )
  const urls = reports.flatMap(report =>
    (JSON.parse(report) as { result: { url: string }[] }).result.map(one => one.url),
  )
  return urls.filter(url => url.startsWith('file:'))
}
const packagesOf = (urls: readonly string[]) =>
  new Set(urls.flatMap(url => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []))
const COMMAND = /\/bundle\/(ask|chat|index-command|serve|eval|documents|deleting|maintenance)-/

test('a search by keyword loads the native parts of its catalog and its index, and no other command', async () => {
  const loaded = await loadedBy('search', 'albatross', '--mode', 'keyword')
  expect(loaded.filter(url => COMMAND.test(url))).toEqual([])
  expect([...packagesOf(loaded)].toSorted()).toEqual([
    '@lancedb/lancedb',
    '@neon-rs/load',
    'detect-libc',
    'libsql',
  ])
  expect(
    loaded.filter(url => url.includes('@lancedb')).map(url => url.replace(/.*\//, '')),
  ).toEqual(['native.js'])
})

test('the version loads no command and no package', async () => {
  const loaded = await loadedBy('--version')
  expect([loaded.filter(url => COMMAND.test(url)), [...packagesOf(loaded)]]).toEqual([[], []])
})

test('help names every command', async () => {
  const { stdout } = await runCli(sandbox.home, ['--help'])
  for (const name of ['index', 'search', 'ask', 'show', 'delete', 'verify', 'migrate'])
    expect(stdout).toMatch(`\n  ${name} `)
})

test('the command may be run as it is built: npx does so after a build, too', async () => {
  await access(new URL('../../dist/cli.js', import.meta.url), constants.X_OK)
})
