import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../../src/app/passim.ts'
import { Sandbox } from '../../fakes/store.ts'
import { writeEmbeddingModel } from '../../fixtures/embedding-model.ts'

let sandbox: Sandbox
let passim: Passim
let folder: string

const lines = (records: readonly object[]) =>
  records.map(record => JSON.stringify(record)).join('\n')

beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await sandbox.write({
    '../set/corpus.jsonl': lines([
      { id: 'p1', title: 'Tea', text: 'Green tea is steamed.' },
      { id: 'p2', title: 'Rail', text: 'The railway has stone bridges.' },
    ]),
    '../set/queries.jsonl': lines([
      { id: 'q1', query: 'steamed tea' },
      { id: 'q2', query: 'stone bridges' },
    ]),
    '../set/qrels.tsv': 'query-id\tcorpus-id\tscore\nq1\tp1\t1\nq2\tp2\t1\n',
  })
  folder = sandbox.path('../set')
})
afterAll(() => sandbox.remove())

test('a run is written as query, document, rank and score, and compared query by query', async () => {
  const runPrefix = path.join(folder, 'first')
  const first = await passim.evaluations.search(folder, { modes: ['keyword'], runPrefix })
  expect(first.modes.keyword).toMatchObject({ ndcg10: 1, recall10: 1, mrr10: 1 })
  const run = (await readFile(`${runPrefix}.keyword.tsv`, 'utf8')).trim().split('\n')
  expect(run.map(line => line.split('\t').slice(0, 3))).toEqual(
    expect.arrayContaining([
      ['q1', 'p1', '1'],
      ['q2', 'p2', '1'],
    ]),
  )
  const again = await passim.evaluations.search(folder, {
    modes: ['keyword'],
    comparePrefix: runPrefix,
  })
  expect(again.modes.keyword?.compared).toMatchObject({ difference: 0, p: 1, queries: 2 })
  await sandbox.write({ '../set/worse.keyword.tsv': 'q1\tp2\t1\t3\nq1\tp1\t2\t2\n' })
  const better = await passim.evaluations.search(folder, {
    modes: ['keyword'],
    comparePrefix: path.join(folder, 'worse'),
  })
  expect(better.modes.keyword?.compared?.difference).toBeCloseTo((2 - 1 / Math.log2(3)) / 2)
})
test('two models are measured side by side, the second compared with the first query by query', async () => {
  const prefixes = { query: '', passage: '' }
  const words = { green: 3, tea: 3, steamed: 4, stone: 400, bridges: 500, railway: 500 }
  const id = await writeEmbeddingModel(path.join(sandbox.folder, 'own'), { words })
  const embedders = { telling: { id, prefixes }, blind: { id, prefixes, pooling: 'cls' as const } }
  const both = await sandbox.open({ settings: { embedders } })
  const measured = await both.evaluations.search(folder, {
    modes: ['vector'],
    embedders: ['telling', 'blind'],
  })
  expect(measured.embedders?.map(({ embedder }) => embedder)).toEqual(['telling', 'blind'])
  expect(measured.modes.vector?.ndcg10).toBe(1)
  const [first, second] = measured.embedders!.map(({ modes }) => modes.vector!) // two that were asked for
  expect(first).toEqual(measured.modes.vector)
  expect(second?.compared?.difference).toBeCloseTo(-(1 - 1 / Math.log2(3)) / 2) // it finds what it finds first for every question
  const runPrefix = path.join(folder, 'both')
  const refused = both.evaluations.search(folder, {
    modes: ['vector'],
    embedders: ['telling', 'blind'],
    runPrefix,
  })
  await expect(refused).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('--embedder'),
  })
})

test('a run that is not there is named', async () => {
  const missing = passim.evaluations.search(folder, {
    modes: ['keyword'],
    comparePrefix: path.join(folder, 'none'),
  })
  await expect(missing).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('none.keyword.tsv'),
  })
})

test('a folder that holds neither kind of set is told of both', async () => {
  await expect(
    passim.evaluations.search(sandbox.path('../none'), { modes: ['keyword'] }),
  ).rejects.toMatchObject({
    ...{ code: 'not_found', message: expect.stringMatching(/qrels\.tsv.*questions\.jsonl/) },
  })
})
