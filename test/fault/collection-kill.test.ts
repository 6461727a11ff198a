import { watch } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { IndexResult } from '../../src/wire/indexing.ts'
import { runCli, startCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'
import {
  expectEachOnce,
  FILES,
  listIndexArguments,
  marker,
  writeMarked,
} from './marked-documents.ts'

let sandbox: Sandbox
let docs: string

beforeEach(async () => {
  sandbox = await Sandbox.make()
  docs = await writeMarked(sandbox)
})
afterEach(() => sandbox.remove())

test('three processes index one folder into one collection at once', async () => {
  const runs = await Promise.all(
    [1, 2, 3].map(() => runCli(sandbox.home, [...listIndexArguments(docs), '--json'])),
  )
  expect(runs.map(run => run.code)).toEqual([0, 0, 0])
  const totals = runs.map(run => (JSON.parse(run.stdout) as Pick<IndexResult, 'totals'>).totals) // what the command prints
  expect(totals.reduce((sum, { indexed }) => sum + indexed, 0)).toBe(FILES)
  expect(totals.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(2 * FILES)
  await expectEachOnce(sandbox)
})

test('a kill while documents are replaced leaves each old or new, then new', async () => {
  await runCli(sandbox.home, listIndexArguments(docs))
  const changed = (index: number) => `changed${marker(index)}`
  await writeMarked(sandbox, changed)
  const { child, ended } = startCli(sandbox.home, listIndexArguments(docs))
  await sleep(800)
  child.kill('SIGKILL')
  await ended
  const passim = await sandbox.open()
  for (let at = 0; at < FILES; at++) {
    const old = await passim.search({ query: marker(at), mode: 'keyword' })
    const fresh = await passim.search({ query: changed(at), mode: 'keyword' })
    expect(old.length + fresh.length, `versions of ${at}.txt`).toBe(1)
  }
  expect((await runCli(sandbox.home, listIndexArguments(docs))).code).toBe(0)
  await expectEachOnce(sandbox, changed)
})

/** Sends the signal when the home has changed so many times: the same point of the work on any machine. Gives the status. */
async function stopAtChange(
  changes: number,
  signal: 'SIGKILL' | 'SIGINT',
  args: readonly string[],
  home = sandbox.home,
): Promise<number | null> {
  const { child, ended } = startCli(home, args)
  let seen = 0
  const watcher = watch(home, { recursive: true }, () => {
    if (++seen === changes) child.kill(signal)
  })
  const failures: unknown[] = []
  watcher.on('error', error => {
    // Folders come and go while it works: what went before it could be watched is no failure.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') failures.push(error)
  })
  const { code } = await ended
  watcher.close()
  expect(failures).toEqual([])
  return code
}

test('a collection that is killed while it is deleted is there, or comes back whole', async () => {
  await runCli(sandbox.home, listIndexArguments(docs))
  for (const changes of [1, 25, 50]) {
    await stopAtChange(changes, 'SIGKILL', ['delete', '-c', 'default', '--yes'])
    const { code } = await runCli(sandbox.home, ['restore', '-c', 'default'])
    const passim = await sandbox.open()
    expect(
      await passim.restoring.list(),
      `${changes} changes, restored with status ${code}`,
    ).toEqual([])
    expect(await passim.list(await passim.scope.findCollection('default'))).toHaveLength(FILES)
    await sandbox.close()
  }
  await expectEachOnce(sandbox)
})

test('a collection that is killed while it comes back is deleted still, or there with the next run', async () => {
  await runCli(sandbox.home, listIndexArguments(docs))
  for (const changes of [1, 25, 90]) {
    await runCli(sandbox.home, ['delete', '-c', 'default', '--yes'])
    await stopAtChange(changes, 'SIGKILL', ['restore', '-c', 'default'])
    await runCli(sandbox.home, ['restore', '-c', 'default'])
    await runCli(sandbox.home, listIndexArguments(docs))
    await expectEachOnce(sandbox)
    await sandbox.close()
  }
})

test('an import that is interrupted says so, and the next one ends with every document once', async () => {
  await runCli(sandbox.home, listIndexArguments(docs))
  const backup = path.join(sandbox.folder, 'backup')
  await runCli(sandbox.home, ['export', backup])
  await sandbox.close()
  for (const changes of [1, 100, 400]) {
    const home = path.join(sandbox.folder, `restored-${changes}`)
    await mkdir(home)
    const code = await stopAtChange(changes, 'SIGINT', ['import', backup], home)
    expect([0, 130], `${changes} changes`).toContain(code)
    if (code === 130) expect((await runCli(home, ['import', backup])).code).toBe(0)
    const passim = await sandbox.open({ home })
    expect(await passim.list(await passim.scope.findCollection('default'))).toHaveLength(FILES)
    expect(await passim.verify.run()).toMatchObject({ ok: true, problems: [] })
    await sandbox.close()
  }
})
