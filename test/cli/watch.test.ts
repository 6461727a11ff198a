import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { startCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

test('index --watch tells each run in a line, and ends well with Ctrl-C', async () => {
  const sandbox = await Sandbox.make()
  const folder = await sandbox.write({ 'fox.txt': 'The quick brown fox.' })
  const { child, ended } = startCli(sandbox.home, [
    'index',
    folder,
    '--no-vectors',
    '--watch',
    '--json',
  ])
  try {
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
    const next = async () => JSON.parse((await lines.next()).value).totals
    expect(await next()).toMatchObject({ indexed: 1 })
    await writeFile(path.join(sandbox.folder, 'owl'), 'An owl.')
    await rename(path.join(sandbox.folder, 'owl'), sandbox.path('owl.txt'))
    expect(await next()).toMatchObject({ indexed: 1, unchanged: 0 })
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0 })
  } finally {
    child.kill('SIGKILL')
    await sandbox.remove()
  }
})
