import { afterAll, beforeAll, expect, test } from 'vitest'
import { subtitleParser } from '../../examples/own-parser.ts'
import type { Passim } from '../../src/app/passim.ts'
import { builtinParsers } from '../../src/index.ts'
import { parserContract } from '../contract/parser.contract.ts'
import { Sandbox } from '../fakes/store.ts'

const FILM =
  '1\n00:00:01,000 --> 00:00:02,000\nThe train has left.\n\n2\n00:00:03,000 --> 00:00:04,000\nThen we walk.\n'

parserContract(subtitleParser, FILM)

let sandbox: Sandbox
let passim: Passim

beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open({ parsers: [...builtinParsers, subtitleParser] })
})
afterAll(() => sandbox.remove())

test("a program's own parser reads its files among the others", async () => {
  const folder = await sandbox.write({ 'film.srt': FILM, 'notes.txt': 'A note about stations.' })
  expect((await passim.index([folder], { withoutVectors: true })).totals).toMatchObject({
    indexed: 2,
    failed: 0,
  })
  const hits = await passim.search({ query: 'train', mode: 'keyword' })
  expect(hits.map(({ name, text }) => ({ name, text }))).toEqual([
    { name: 'film.srt', text: 'The train has left.\n\nThen we walk.' },
  ])
  const types = (await passim.list(await passim.scope.findCollection('default'))).map(
    ({ mediaType }) => mediaType,
  )
  expect(types).toEqual(['application/x-subrip', 'text/plain'])
})
