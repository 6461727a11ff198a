import path from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Parser } from '../../src/ingest/parse/parser.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(() => sandbox.remove())

test('a catalog that fails while a document is worked on ends the run, not the process; the next run goes on', async () => {
  const rename = (from: string, to: string) => {
    const database = new Database(path.join(sandbox.home, 'catalog.db'))
    database.exec(`ALTER TABLE ${from} RENAME TO ${to}`)
    database.close()
  }
  let isBroken = false
  const parser: Parser = {
    id: 'waits@1',
    mediaTypes: ['text/plain'],
    async *parse(_, signal) {
      if (!isBroken) {
        isBroken = true
        rename('jobs', 'away')
        await new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason)),
        )
      }
      yield { type: 'block', block: { kind: 'paragraph', text: 'The heron waits.' } }
    },
  }
  const passim = await sandbox.open({ parsers: [parser] })
  const folder = await sandbox.write({ 'a.txt': 'x' })
  await expect(passim.index([folder], { withoutVectors: true })).rejects.toThrow('no such table')
  rename('away', 'jobs')
  expect((await passim.index([folder], { withoutVectors: true })).totals).toMatchObject({
    indexed: 1,
  })
})
