import { rm } from 'node:fs/promises'
import path from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashParts } from '../../../src/system/digest.ts'
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

const QUESTION = { question: 'What does parking cost?', collections: ['rules'] }
const search = async (query: string, mode: string) => {
  const { hits } = await api.json('POST', '/api/search', { query, mode, collections: ['rules'] })
  return hits as { chunkId: string; text: string; score: number; note?: string }[] // the schema of the answer
}
const change = async (chunkId: string, body: object) =>
  await api.json('PATCH', `/api/documents/${id}/chunks/${chunkId}`, body)
const indexed = async () => {
  const read = async () => await api.json('GET', `/api/documents/${id}`)
  await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('completed')
  return await read()
}

async function listFollowUps() {
  const question = 'How long is the notice?'
  const body = { question, collections: ['rules'], conversation: 'new' }
  const { conversation, turn } = await api.json('POST', '/api/ask', body)
  return (await api.json('GET', `/api/answers/${conversation}.${turn}/follow-ups`)).questions
}

test('a chunk that is switched off is in no search and no answer, until it is on again', async () => {
  const { chunks } = await list()
  const off = chunks.filter(({ text }) => text.includes('Parking'))
  expect(await api.json('POST', '/api/ask', QUESTION)).toMatchObject({ abstained: false })
  for (const chunk of off) {
    const changed = await change(chunk.id, { isExcluded: true })
    expect(changed).toEqual({ ...chunk, isExcluded: true })
  }
  expect(await indexed()).toMatchObject({
    chunkEdits: { excluded: off.length, notes: 0, unmatched: 0 },
  })
  const text = await api.request('GET', `/api/documents/${id}/text`)
  expect(text.headers.get('x-passim-excluded')).toBe(String(off.length))
  const offIds = new Set(off.map(chunk => chunk.id))
  for (const mode of ['keyword', 'vector', 'hybrid', 'front-page'])
    expect(
      (await search('parking costs', mode)).filter(hit => offIds.has(hit.chunkId)),
      mode,
    ).toEqual([])
  expect(await api.json('POST', '/api/ask', QUESTION)).toMatchObject({ abstained: true })
  expect(await listFollowUps()).toEqual(['What about Part 1?', 'Summarise Rules'])
  await api.json('POST', `/api/documents/${id}/index`, { ocr: 'off' })
  await indexed()
  expect((await list()).chunks.filter(chunk => 'isExcluded' in chunk)).toHaveLength(off.length)
  expect(await search('parking costs', 'keyword')).toEqual([])
  expect(await api.passim.verify.run()).toMatchObject({ ok: true })
  for (const chunk of off) await change(chunk.id, { isExcluded: false })
  expect(await indexed()).not.toHaveProperty('chunkEdits')
  const whole = await api.request('GET', `/api/documents/${id}/text`)
  expect(whole.headers.get('x-passim-excluded')).toBeNull()
  expect((await search('parking costs', 'keyword')).length).toBeGreaterThan(0)
})

test('a note is searched and shown as a note, and no quotation takes its words', async () => {
  const ranked = await search('branch in Zermatt', 'vector')
  expect(ranked.length).toBeGreaterThan(1)
  const first = (await list()).chunks.find(({ id }) => id === ranked.at(-1)?.chunkId)
  const note = 'Valid for the branch in Zermatt only.'
  await change(first!.id, { note })
  expect(await indexed()).toMatchObject({ chunkEdits: { excluded: 0, notes: 1, unmatched: 0 } })
  const checkFound = async () => {
    for (const mode of ['keyword', 'vector', 'hybrid']) {
      const [hit] = await search('branch in Zermatt', mode)
      expect(hit, mode).toMatchObject({ chunkId: first!.id, note, text: first!.text })
      expect(hit?.text).not.toContain('Zermatt')
    }
  }
  await checkFound()
  const asked = await api.json('POST', '/api/ask', {
    ...{ question: 'Which branch is it valid for?', collections: ['rules'] },
  })
  expect(JSON.stringify(asked)).not.toContain('Zermatt')
  await sandbox.close()
  await rm(path.join(sandbox.home, 'index'), { recursive: true })
  api = new Api(await sandbox.open())
  await api.passim.resume()
  const findNote = async () => (await search('branch in Zermatt', 'vector'))?.[0]?.note
  await expect.poll(findNote, { timeout: 30_000 }).toBe(note)
  await checkFound()
  const [noted] = await search('branch in Zermatt', 'vector')
  await change(first!.id, { note: ' ' })
  await indexed()
  expect(await search('Zermatt', 'keyword')).toEqual([])
  const bare = await search('branch in Zermatt', 'vector')
  const listIds = (hits: typeof bare) => hits.map(({ chunkId }) => chunkId).toSorted()
  expect(listIds(bare)).toEqual(listIds(ranked))
  expect(bare.filter(hit => 'note' in hit)).toEqual([])
  const own = bare.find(({ chunkId }) => chunkId === first!.id)
  expect(own?.score).toBeLessThan(noted!.score)
})

test('edits stay with their text when other bytes replace it, and are counted when it is gone', async () => {
  const put = async (markdown: string) => {
    await api.passim.documents.put({
      ...{ id: 'moving', collection: 'rules', title: 'Moving', markdown },
    })
    const { documentId } = (await api
      .json('GET', '/api/collections/rules/documents')
      .then(({ documents }) => documents as { id: string; documentId: string }[])
      .then(found => found.find(document => document.id === 'moving'))) ?? { documentId: '' }
    return documentId
  }
  const part = (word: string) => `## ${word}\n\n${`${word} has its own long part. `.repeat(70)}\n\n`
  const moving = await put(part('Tea') + part('Coffee'))
  const path = `/api/documents/${moving}/chunks`
  const tea = (await list('', path)).chunks.find(({ text }) => text.includes('Tea'))
  await api.json('PATCH', `${path}/${tea!.id}`, { note: 'A drink.' })
  const read = async () => await api.json('GET', `/api/documents/${moving}`)
  await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('completed')
  await put(part('Tea') + part('Coffee') + part('Milk'))
  const noted = (await list('', path)).chunks.filter(chunk => 'note' in chunk)
  expect(noted.map(({ text }) => text)).toEqual([tea!.text])
  await put(part('Milk'))
  expect(await read()).toMatchObject({ chunkEdits: { excluded: 0, notes: 0, unmatched: 1 } })
})

test('a note and a switch that are sent at the same time are both stored', async () => {
  const [first] = (await list()).chunks
  await Promise.all([
    change(first!.id, { isExcluded: true }),
    change(first!.id, { note: 'For Zermatt.' }),
  ])
  await indexed()
  const [changed] = (await list()).chunks
  expect(changed).toMatchObject({ isExcluded: true, note: 'For Zermatt.' })
  await change(changed!.id, { isExcluded: false, note: '' })
  expect(await indexed()).not.toHaveProperty('chunkEdits')
})

test('edits whose text is gone leave room for others', async () => {
  const gone = Array.from({ length: 500 }, (_, at) => ({
    hash: `gone-${at}`,
    occurrence: 0,
    note: 'x',
  }))
  const catalog = new Database(path.join(sandbox.home, 'catalog.db'))
  catalog.prepare('UPDATE documents SET chunk_edits = ? WHERE id = ?').run(JSON.stringify(gone), id)
  catalog.close()
  const [first] = (await list()).chunks
  expect(await change(first!.id, { note: 'For Zermatt.' })).toMatchObject({ note: 'For Zermatt.' })
  expect(await indexed()).toMatchObject({ chunkEdits: { excluded: 0, notes: 1, unmatched: 0 } })
  await change(first!.id, { note: '' })
  await indexed()
})

test('a note that an older program wrote is found by vector once the store is opened', async () => {
  const { hits } = await api.json('POST', '/api/search', {
    ...{ query: 'branch in Zermatt', mode: 'vector', collections: ['rules'] },
  })
  const { chunkId } = (hits as { chunkId: string }[]).at(-1)!
  const { text } = (await list()).chunks.find(chunk => chunk.id === chunkId)!
  const edit = { hash: hashParts(text), occurrence: 0, note: 'Valid for the branch in Zermatt.' }
  await sandbox.close()
  const catalog = new Database(path.join(sandbox.home, 'catalog.db'))
  const sql = 'UPDATE documents SET chunk_edits = ? WHERE id = ?'
  catalog.prepare(sql).run(JSON.stringify([edit]), id)
  catalog.exec('ALTER TABLE documents DROP COLUMN earlier_facts; PRAGMA user_version = 27')
  catalog.close()
  api = new Api(await sandbox.open())
  await api.passim.resume()
  const findFirst = async () => (await search('branch in Zermatt', 'vector'))[0]?.note
  await expect.poll(findFirst, { timeout: 30_000 }).toBe(edit.note)
  await change(chunkId, { note: '' })
  await indexed()
})

test('a chunk that is not there, a long note and an unknown field are refused', async () => {
  const refuse = async (chunkId: string, body: object) =>
    await api.refusal('PATCH', `/api/documents/${id}/chunks/${chunkId}`, body)
  const [first] = (await list()).chunks
  expect(await refuse('chunk_0', { note: 'x' })).toMatchObject({ status: 404 })
  expect(await refuse(first!.id, { note: 'x'.repeat(1_001) })).toMatchObject({ status: 400 })
  expect(await refuse(first!.id, { off: true })).toMatchObject({ status: 400 })
})
