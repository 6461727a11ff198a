import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '../../fakes/store.ts'
import { Api } from '../api.ts'

let sandbox: Sandbox
let api: Api
let id: string

const SECTIONS = ['Leave is 30 days.', 'Notice is six months.', 'Parking costs nothing.']

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
  const text = SECTIONS.map(
    (text, part) => `## Part ${part + 1}\n\n${`${text} `.repeat(80)}\n`,
  ).join('\n')
  const { document } = await api.passim.documents.put({
    ...{ id: 'rules/1', collection: 'rules', title: 'Rules' },
    markdown: `# Rules\n\n${text}`,
  })
  id = document.id
})
afterAll(async () => await sandbox.remove())

type Listed = { chunks: { id: string; text: string }[]; hasMore: boolean; last?: number }

const list = async (query = '', path = `/api/documents/${id}/chunks`) =>
  (await api.json('GET', `${path}${query}`)) as Listed // the schema of the answer

test('chunks come in order, page by page, as search names them', async () => {
  const { chunks, hasMore } = await list()
  expect(hasMore).toBe(false)
  expect(chunks.length).toBeGreaterThan(1)
  const first = await list('?limit=1')
  expect(first).toEqual({ chunks: chunks.slice(0, 1), hasMore: true, last: 1 })
  expect(await list('?after=1')).toEqual({ chunks: chunks.slice(1), hasMore: false })
  expect(await list('?after=99')).toEqual({ chunks: [], hasMore: false })
  const { hits } = await api.json('POST', '/api/search', {
    ...{ query: 'parking costs', collections: ['rules'] },
  })
  const [hit] = hits as { chunkId: string; text: string }[]
  expect(chunks.find(chunk => chunk.id === hit?.chunkId)).toMatchObject({ text: hit?.text })
  const { text } = chunks.at(-1) ?? { text: '' }
  const whole = await (await api.request('GET', `/api/documents/${id}/text`)).text()
  expect(whole.endsWith(text)).toBe(true)
})

test('they are listed by an id of the caller, and by the library by name', async () => {
  const listed = await list()
  const path = `/api/collections/rules/documents/${encodeURIComponent('rules/1')}/chunks`
  expect(await list('', path)).toEqual(listed)
  expect(await api.passim.chunks.list('id:rules/1')).toEqual(listed)
})

test('a limit out of bounds is refused, and an unknown document not found', async () => {
  for (const limit of [0, 201])
    expect(await api.refusal('GET', `/api/documents/${id}/chunks?limit=${limit}`)).toMatchObject({
      ...{ status: 400, param: 'limit' },
    })
  expect(await api.refusal('GET', '/api/documents/none/chunks')).toMatchObject({ status: 404 })
})
