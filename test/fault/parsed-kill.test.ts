import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Sandbox } from '../fakes/store.ts'

const DIE = fileURLToPath(new URL('../fakes/die-parsing.ts', import.meta.url))

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(() => sandbox.remove())

/** What is derived from the stored contents, whole or on its way. */
async function derived(): Promise<readonly string[]> {
  const names = await readdir(path.join(sandbox.home, 'content'), { recursive: true })
  return names.map(name => path.basename(name)).filter(name => name.startsWith('parsed-'))
}

test('a kill between the last block of a document and the file it is stored in leaves nothing of it, and the next run has it once', async () => {
  const long = Array.from({ length: 10_000 }, (_, at) => `Paragraph ${at} is about herons.`).join(
    '\n\n',
  ) // written as it comes
  const docs = await sandbox.write({
    'first.txt': 'An early heron.',
    'last.txt': 'The last heron.',
    'long.txt': long,
  })
  const args = ['--import', 'tsx', DIE, sandbox.home, docs]
  const signal = await new Promise(resolve =>
    execFile(process.execPath, args, error => resolve(error?.signal)),
  )
  expect(signal).toBe('SIGKILL')
  const passim = await sandbox.open()
  expect(await passim.search({ query: 'last', mode: 'keyword' })).toEqual([])
  expect((await passim.index([docs], { withoutVectors: true })).totals).toMatchObject({
    indexed: 3,
    failed: 0,
  })
  const found = await passim.search({ query: 'last', mode: 'keyword' })
  expect(found.map(hit => hit.name)).toEqual(['last.txt'])
  expect((await derived()).filter(name => name.endsWith('.tmp'))).toEqual([])
  expect(await passim.verify.run()).toMatchObject({ ok: true, problems: [] })
})
