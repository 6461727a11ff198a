import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Sandbox } from '../fakes/store.ts'
import { Api } from '../server/api.ts'
import { findContract, OpenAIContract } from './openai-contract.ts'

const file = findContract()

/** What is not served, and why: docs/http.md says the same. */
const NOT_SERVED = ['DELETE /models/{model}']

describe.skipIf(!file)(
  'responses as OpenAI publishes them (needs ../shared/contract or $PASSIM_SHARED)',
  () => {
    let contract: OpenAIContract
    let sandbox: Sandbox
    let api: Api
    let store: { id: string; fileIds: string[] }

    beforeAll(async () => {
      contract = new OpenAIContract(file!) // the suite is skipped without it
      sandbox = await Sandbox.make()
      api = new Api(await sandbox.open())
      store = await api.store({
        'fox.txt': 'The quick brown fox.',
        'empty.txt': '',
        'movie.mp4': '\u0000\u0000\u0000\u0018ftypmp42',
      })
    })
    afterAll(() => sandbox.remove())

    /** Calls a route of the contract, its ids filled in, and holds what comes back to it. */
    async function check(
      method: string,
      route: string,
      { body, query = '', ids = [] }: Call = {},
    ): Promise<void> {
      const rest = [...ids]
      const path = route.replace(/\{\w+\}/g, () => rest.shift() ?? '')
      const response = await api.json(method, `/v1${path}${query}`, body)
      expect(contract.problems(method, route, response)).toEqual([])
    }
    type Call = {
      readonly body?: object
      readonly query?: string
      readonly ids?: readonly string[]
    }

    const entry = (at: number) => [store.id, store.fileIds[at]!]
    const STORE = '/vector_stores/{vector_store_id}'
    const ENTRY = `${STORE}/files/{file_id}`

    test('of an upload', async () => {
      const form = new FormData()
      form.append('purpose', 'user_data')
      form.append('file', new File(['text'], '文件.txt'))
      const response = await api.app.request('/v1/files', { method: 'POST', body: form })
      expect(contract.problems('POST', '/files', await response.json())).toEqual([])
    })
    test('of files', () => check('GET', '/files'))
    test('of no files', () => check('GET', '/files', { query: '?purpose=batch' }))
    test('of a file', () => check('GET', '/files/{file_id}', { ids: [store.fileIds[0]!] }))
    test('of its bytes', async () => {
      const response = await api.request('GET', `/v1/files/${store.fileIds[0]}/content`)
      expect(contract.problems('GET', '/files/{file_id}/content', await response.text())).toEqual(
        [],
      )
    })
    test('of a deleted file', async () => {
      const id = await api.upload('gone.txt', 'gone')
      await check('DELETE', '/files/{file_id}', { ids: [id] })
    })
    test('of a new store', () =>
      check('POST', '/vector_stores', {
        body: { name: 'new', file_ids: store.fileIds, metadata: { a: 'b' } },
      }))
    test('of a store without a name', () => check('POST', '/vector_stores', { body: {} }))
    test('of stores', () => check('GET', '/vector_stores', { query: '?limit=1&order=asc' }))
    test('of a store', () => check('GET', STORE, { ids: [store.id] }))
    test('of a changed store', () =>
      check('POST', STORE, { ids: [store.id], body: { name: 'other', metadata: null } }))
    test('of a deleted store', async () => {
      const { id } = await api.json('POST', '/v1/vector_stores', {})
      await check('DELETE', STORE, { ids: [String(id)] })
    })
    test('of a file that is added', async () => {
      const body = {
        file_id: await api.upload('new.txt', 'new'),
        attributes: { year: 1999, draft: true, author: 'x' },
        chunking_strategy: {
          type: 'static',
          static: { max_chunk_size_tokens: 100, chunk_overlap_tokens: 50 },
        },
      }
      await check('POST', `${STORE}/files`, { ids: [store.id], body })
      await api.indexed(store.id)
    })
    test('of the files of a store', () => check('GET', `${STORE}/files`, { ids: [store.id] }))
    test('of no files of a store', () =>
      check('GET', `${STORE}/files`, { ids: [store.id], query: '?filter=cancelled' }))
    test('of an indexed file', () => check('GET', ENTRY, { ids: entry(0) }))
    test('of an empty file', () => check('GET', ENTRY, { ids: entry(1) }))
    test('of an unsupported file', () => check('GET', ENTRY, { ids: entry(2) }))
    test('of a file in chunks too small to say', async () => {
      const options = { name: 'small', chunking: { tokens: 50, overlap: 0 } }
      const { id } = await api.passim.collections.create(options, 'repeatable')
      await api.json('POST', `/v1/vector_stores/${id}/files`, { file_id: store.fileIds[0] })
      await check('GET', ENTRY, { ids: [id, store.fileIds[0]!] })
      await api.indexed(id)
    })
    test('of a cancelled file', async () => {
      const { id } = await api.json('POST', '/v1/vector_stores', {})
      await api.passim.collections.addFile(
        await api.passim.collections.get(String(id)),
        store.fileIds[0]!,
      )
      for (const job of await api.passim.jobs.list(String(id), 1))
        await api.passim.jobs.cancel(job.id)
      await check('GET', ENTRY, { ids: [String(id), store.fileIds[0]!] })
    })
    test('of changed attributes', () =>
      check('POST', ENTRY, { ids: entry(0), body: { attributes: { a: 1 } } }))
    test('of removed attributes', () =>
      check('POST', ENTRY, { ids: entry(0), body: { attributes: null } }))
    test('of the text of a file', () => check('GET', `${ENTRY}/content`, { ids: entry(0) }))
    test('of a search', () =>
      check('POST', `${STORE}/search`, { ids: [store.id], body: { query: 'fox' } }))
    test('of a search that finds nothing', () =>
      check('POST', `${STORE}/search`, {
        ids: [store.id],
        body: { query: ['zebra', 'zoo'], ranking_options: { score_threshold: 1 } },
      }))
    test('of a file that is taken out', () => check('DELETE', ENTRY, { ids: entry(1) }))

    test('of errors', async () => {
      const errors = [
        await api.json('GET', '/v1/files/none'),
        await api.json('GET', '/v1/nothing'),
        await api.json('PUT', '/v1/files'),
        await api.json('POST', '/v1/vector_stores', { name: 1 }),
        await api.json('POST', '/v1/files', {}),
      ]
      for (const error of errors) expect(contract.problemsOfError(error)).toEqual([])
    })
    test('of a store that expires', () =>
      check('POST', '/vector_stores', {
        body: { expires_after: { anchor: 'last_active_at', days: 3 } },
      }))
    test('of a file batch', async () => {
      const body = { file_ids: store.fileIds, attributes: { a: 1 } }
      const { id } = await api.json('POST', `/v1/vector_stores/${store.id}/file_batches`, body)
      const ids = [store.id, String(id)]
      await check('GET', `${STORE}/file_batches/{batch_id}`, { ids })
      await check('GET', `${STORE}/file_batches/{batch_id}/files`, { ids, query: '?limit=1' })
      await check('POST', `${STORE}/file_batches/{batch_id}/cancel`, { ids })
      await check('POST', `${STORE}/file_batches`, {
        ids: [store.id],
        body: { files: store.fileIds.map(file_id => ({ file_id })) },
      })
      await api.indexed(store.id)
    })
    test('of an upload in parts', async () => {
      const body = { filename: '书.txt', purpose: 'assistants', bytes: 4, mime_type: 'text/plain' }
      await check('POST', '/uploads', { body })
      const { id } = await api.json('POST', '/v1/uploads', body)
      const form = new FormData()
      form.append('data', new File(['text'], 'part'))
      const part = await (
        await api.app.request(`/v1/uploads/${id}/parts`, { method: 'POST', body: form })
      ).json()
      expect(contract.problems('POST', '/uploads/{upload_id}/parts', part)).toEqual([])
      const part_ids = [(part as { id: string }).id] // an upload part
      await check('POST', '/uploads/{upload_id}/complete', {
        ids: [String(id)],
        body: { part_ids },
      })
      const other = await api.json('POST', '/v1/uploads', body)
      await check('POST', '/uploads/{upload_id}/cancel', { ids: [String(other.id)] })
    })
    test('of embeddings', () =>
      check('POST', '/embeddings', { body: { input: ['a', 'b'], model: 'passim-embedder' } }))
    test('of models', async () => {
      await check('GET', '/models')
      await check('GET', '/models/{model}', { ids: ['passim-extractive'] })
    })
    test('for every route of the resources that are served', () => {
      const routes = contract.routes([
        '/files',
        '/uploads',
        '/vector_stores',
        '/embeddings',
        '/models',
      ])
      expect([...contract.checked].toSorted()).toEqual(
        routes.filter(route => !NOT_SERVED.includes(route)).toSorted(),
      )
    })
    test('and the check itself finds what is missing, wrong or too much', () => {
      const problems = contract.problems('DELETE', '/files/{file_id}', {
        id: 1,
        object: 'file',
        extra: true,
      })
      expect(problems.join('; ')).toMatch(/'deleted'.*extra.*\/id must be string/)
    })
  },
)
