import { readdir, readFile, stat, truncate } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../src/app.ts'
import { textParser } from '../../src/ingest/parsers/text.ts'
import { Sandbox } from '../fakes/store.ts'

const TEXT = Array.from(
  { length: 12 },
  (_, at) => `Part ${at} of a report on herons. ${'They wait. '.repeat(40)}`,
).join('\n\n')

let sandbox: Sandbox
let passim: Passim
let folder: string

beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open({
    parsers: [{ ...textParser }], // in this process
    settings: { chunking: { tokens: 100, overlap: 0 } },
  })
  folder = await sandbox.write({ 'a.txt': TEXT })
  await passim.index([folder])
})
afterAll(() => sandbox.remove())

async function stored(): Promise<ReadonlyMap<string, Buffer>> {
  const content = path.join(sandbox.home, 'content')
  const entries = await readdir(content, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name))
  return new Map(await Promise.all(files.map(async file => [file, await readFile(file)] as const)))
}

test('what a power cut took of stored files is made again the next time that they are needed', async () => {
  const whole = await stored()
  expect([...whole.keys()].map(file => path.extname(file)).toSorted()).toEqual(
    ['', '.f32', '.json', '.jsonl', '.jsonl', '.u16'], // the original, and what is derived from it
  )
  for (const file of whole.keys()) {
    for (const share of [0, 0.5]) {
      await truncate(file, Math.floor((await stat(file)).size * share))
      expect((await passim.index([folder], { force: true })).totals, `${share} of ${file}`).toMatchObject({ failed: 0 })
      expect(await stored(), `${share} of ${file}`).toEqual(whole)
    }
  }
  expect((await passim.verify.run()).problems).toEqual([])
})
