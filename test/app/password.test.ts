import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { AppError } from '../../src/errors.ts'
import type { Parser } from '../../src/ingest/parse/parser.ts'
import { Sandbox } from '../fakes/store.ts'

const PASSWORD = 'open-sesame-4711'

/** Reads files called secret only with the password. */
const lockedParser: Parser = {
  id: 'locked@1',
  mediaTypes: ['text/plain'],
  async *parse({ name, password }) {
    if (name.startsWith('secret') && password !== PASSWORD)
      throw new AppError('encrypted', `${name} is locked.`)
    yield { type: 'block', block: { kind: 'paragraph', text: `words of ${name}` } }
  },
}

let sandbox: Sandbox
let passim: Passim
let docs: string

beforeEach(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open({ parsers: [lockedParser] })
  docs = await sandbox.write({ 'open.txt': 'a', 'secret.txt': 'b' })
})
afterEach(() => sandbox.remove())

const statuses = async (password?: string) =>
  (await passim.index([docs], { password })).documents.map(
    ({ status, error }) => error?.code ?? status,
  )

test('a locked file fails, and is indexed once its password is given', async () => {
  expect(await statuses()).toEqual(['indexed', 'encrypted'])
  expect(await statuses()).toEqual(['unchanged', 'encrypted'])
  expect(await statuses('wrong')).toEqual(['unchanged', 'encrypted'])
  expect(await statuses(PASSWORD)).toEqual(['unchanged', 'indexed'])
  expect(
    (await passim.search({ query: 'secret', mode: 'keyword' })).map(hit => hit.name),
  ).toContain('secret.txt')
})

test('what was opened once stays unchanged without its password', async () => {
  await statuses(PASSWORD)
  expect(await statuses()).toEqual(['unchanged', 'unchanged'])
})

test('a password is written down nowhere', async () => {
  await statuses(PASSWORD)
  const files = await readdir(sandbox.home, { recursive: true, withFileTypes: true })
  const contents = await Promise.all(
    files
      .filter(file => file.isFile())
      .map(file => readFile(path.join(file.parentPath, file.name), 'latin1')),
  )
  expect(contents.length).toBeGreaterThan(3)
  expect(contents.filter(content => content.includes(PASSWORD))).toEqual([])
})
