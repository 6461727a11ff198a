import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '../../fakes/store.ts'
import { Api } from '../api.ts'

let sandbox: Sandbox
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
  await api.json('POST', '/v1/vector_stores', { name: 'default' })
})
afterAll(() => sandbox.remove())

const QUESTION = [{ role: 'user', content: 'Hotels?' }]
const search = (fields: object) => [{ type: 'file_search', vector_store_ids: ['vs_1'], ...fields }]

test.each([
  ['GET', '/v1/files/file-1', undefined, 'id'],
  ['GET', '/v1/vector_stores/vs_1', undefined, 'id'],
  ['GET', '/v1/responses/resp_1', undefined, 'id'],
  ['GET', '/api/jobs/job_1', undefined, 'id'],
  ['GET', '/api/documents?collection=none', undefined, 'collection'],
  ['POST', '/v1/vector_stores', { file_ids: ['file-1'] }, 'file_ids.0'],
  ['POST', '/v1/responses', { input: 'x', previous_response_id: 'resp_1' }, 'previous_response_id'],
  ['POST', '/v1/responses', { input: 'x', tools: search({}) }, 'tools.0.vector_store_ids.0'],
  [
    'POST',
    '/v1/responses',
    { input: [{ type: 'function_call_output', call_id: 'call_1', output: 'x' }] },
    'input.0.call_id',
  ],
  ['PUT', '/api/collections/default/synonyms', { text: '\u0000' }, 'text'],
  ['POST', '/api/search', { query: 'x', filter: 'a >' }, 'filter'],
  ['POST', '/api/search', { query: 'x', filter: { type: 'eq' } }, 'filter'],
  ['POST', '/api/search', { query: 'x', collections: ['none'] }, 'collections.0'],
  ['POST', '/api/search', { query: 'x', documents: ['none.pdf'] }, 'documents.0'],
  ['POST', '/api/ask', { question: 'x', collections: ['none'] }, 'collections.0'],
  ['POST', '/api/ask', { question: ' ' }, 'question'],
  [
    'POST',
    '/retrieval',
    { knowledge_id: 'none', query: 'x', retrieval_setting: { top_k: 1 } },
    'knowledge_id',
  ],
])('%s %s %j names the field %4$s', async (method, path, body, param) => {
  expect((await api.json(method, path, body)).error).toMatchObject({ param })
})

test.each([
  ['POST', '/v1/responses', { input: 'resp_1', previous_response_id: 'resp_1' }],
  ['POST', '/api/ask', { question: 'none', collections: ['none'] }],
  ['POST', '/api/search', { query: 'x', collections: ['none'], documents: ['none'] }],
])('%s %s %j names no field, because two have the wrong value', async (method, path, body) => {
  expect((await api.json(method, path, body)).error).toMatchObject({ param: null })
})

test('a parameter has the name of the route that was called', async () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }
  const asked = [{ role: 'user', content: [{ type: 'text', text: 'What?' }, image] }]
  const paramOf = async (path: string, body: object) =>
    (await api.json('POST', path, { model: 'passim-extractive', ...body })).error
  expect(await paramOf('/v1/chat/completions', { messages: asked })).toMatchObject({
    param: 'messages',
  })
  expect(await paramOf('/v1/responses', { input: asked })).toMatchObject({ param: 'input' })
  const json = { type: 'json_object' }
  expect(
    await paramOf('/v1/chat/completions', { messages: QUESTION, response_format: json }),
  ).toMatchObject({ param: 'response_format' })
  expect(
    await paramOf('/v1/responses', { input: 'Hotels?', text: { format: json } }),
  ).toMatchObject({ param: 'text.format' })
})
