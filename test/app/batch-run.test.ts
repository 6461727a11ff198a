import { afterEach, beforeEach, expect, test } from 'vitest'
import { BatchRun } from '../../src/app/batches/batch-run.ts'
import type { Store } from '../../src/app/stores/store.ts'
import { storeIn } from '../fakes/catalog-environment.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let store: Store

beforeEach(async () => {
  sandbox = await Sandbox.make()
  store = await storeIn(sandbox.home)
})
afterEach(async () => {
  await store.catalog.close()
  await sandbox.remove()
})

async function createBatch(body: object): Promise<string> {
  const line = { custom_id: 'a', method: 'POST', url: '/v1/embeddings', body }
  await sandbox.write({ 'requests.jsonl': JSON.stringify(line) })
  const from = { inputFileId: 'file-requests', origin: 'http://localhost' }
  return (await store.batches.add({ ...from, endpoint: '/v1/embeddings' })).id
}

async function run(id: string): Promise<void> {
  const files = { getPath: async () => sandbox.path('requests.jsonl') }
  const answer = async () => ({ status: 200, requestId: 'req_1', text: '{"data":[]}' })
  const deps = { store, batches: store.batches, files, answer, concurrency: 1 }
  await new BatchRun(id, deps, new AbortController().signal).run()
}

test('a batch that another process has ended since it was listed keeps its results', async () => {
  const id = await createBatch({ input: 'a' })
  await run(id)
  const ended = await store.batches.get(id)
  expect(ended).toMatchObject({ status: 'completed', completed: 1 })
  await run(id)
  expect((await store.batches.get(id)).details).toEqual(ended.details)
})

test('the name of a model that is no name is not stored with a batch', async () => {
  const long = await createBatch({ input: 'a', model: 'm'.repeat(100_000) })
  await run(long)
  expect((await store.batches.get(long)).details.model).toBeUndefined()
  const usual = await createBatch({ input: 'a', model: 'passim-embedder' })
  await run(usual)
  expect((await store.batches.get(usual)).details.model).toBe('passim-embedder')
})
