import { afterAll, beforeAll, expect, test } from 'vitest'
import { deletionReportSchema } from '../../../src/wire/deletion.ts'
import { errorSchema } from '../../../src/wire/error.ts'
import { type Running, startServer } from '../running.ts'

let server: Running
beforeAll(async () => {
  server = await startServer({})
})
afterAll(() => server.close())

async function erase(body: object): Promise<Response> {
  return await fetch(`${server.url}/api/deletions`, { method: 'POST', body: JSON.stringify(body) })
}

test('documents, a collection and everything are erased with a proof', async () => {
  const { passim } = server
  const put = async (id: string, collection: string) =>
    await passim.documents.put({
      id,
      collection,
      text: `The heron ${id} nests on the western tower.`,
    })
  const { document } = await put('one', 'birds')
  await put('two', 'birds')
  await put('three', 'storks')
  const first = deletionReportSchema.parse(await (await erase({ documents: [document.id] })).json())
  expect(first).toMatchObject({ proved: true, kind: 'document', ids: [document.id] })
  expect(first.scan.texts).toBeGreaterThan(0)
  const second = deletionReportSchema.parse(await (await erase({ collection: 'birds' })).json())
  expect(second).toMatchObject({ proved: true, kind: 'collection' })
  expect((await passim.collections.list()).map(({ name }) => name)).toEqual(['storks'])
  const last = deletionReportSchema.parse(await (await erase({ everything: true })).json())
  expect(last).toMatchObject({ proved: true, kind: 'store' })
  expect(await passim.collections.list()).toEqual([])
})

test('exactly one thing is erased at a time', async () => {
  for (const body of [{}, { documents: ['doc_1'], everything: true }]) {
    const response = await erase(body)
    expect(response.status).toBe(400)
    expect(errorSchema.parse(await response.json()).error.message).toContain('exactly one')
  }
  expect((await erase({ documents: ['doc_none'] })).status).toBe(404)
})
