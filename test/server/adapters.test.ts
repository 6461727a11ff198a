import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'

let sandbox: Sandbox
let api: Api
let store: { id: string; fileIds: string[] }

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
  store = await api.store(
    { 'fox.txt': 'The quick brown fox jumps.', 'dog.txt': 'The lazy dog sleeps.' },
    'animals',
  )
  const place = (at: number) => `/v1/vector_stores/${store.id}/files/${store.fileIds[at]}`
  await api.json('POST', place(0), { attributes: { year: 1999 } })
  await api.json('POST', place(1), { attributes: { year: 2020 } })
})
afterAll(() => sandbox.remove())

describe('Dify', () => {
  const retrieve = async (body: object) => {
    const setting = {
      knowledge_id: 'animals',
      query: 'quick fox',
      retrieval_setting: { top_k: 2, score_threshold: 0 },
    }
    return (await api.json('POST', '/retrieval', { ...setting, ...body })).records as {
      title: string
      score: number
    }[]
  }
  test('gets records with scores and metadata', async () => {
    const records = await retrieve({})
    expect(records[0]).toEqual({
      ...{ content: 'The quick brown fox jumps.', title: 'fox.txt', score: expect.any(Number) },
      metadata: expect.objectContaining({
        year: 1999,
        filename: 'fox.txt',
        char_start: 0,
        char_end: 26,
      }),
    })
    for (const { score } of records) expect(score >= 0 && score <= 1).toBe(true)
    expect((await retrieve({ knowledge_id: store.id }))[0]?.title).toBe('fox.txt')
  })
  test('gets only what scores high enough and meets its conditions', async () => {
    expect(await retrieve({ retrieval_setting: { top_k: 2, score_threshold: 0.5 } })).toHaveLength(
      1,
    )
    const likely = { top_k: 2, score_threshold: 0.5 }
    expect(await retrieve({ query: 'xyzzy plugh', retrieval_setting: likely })).toEqual([])
    const conditions = [{ name: ['year', 'published'], comparison_operator: '>', value: '2000' }]
    const records = await retrieve({ metadata_condition: { logical_operator: 'and', conditions } })
    expect(records.map(record => record.title)).toEqual(['dog.txt'])
  })
  test('is told what it cannot ask', async () => {
    const body = { knowledge_id: 'animals', query: 'x', retrieval_setting: { top_k: 1 } }
    const metadata_condition = {
      conditions: [{ name: 'a', comparison_operator: 'sounds like', value: 'b' }],
    }
    expect(await api.refusal('POST', '/retrieval', { ...body, metadata_condition })).toMatchObject({
      code: 'unsupported',
    })
    expect(
      await api.refusal('POST', '/retrieval', { ...body, knowledge_id: 'none' }),
    ).toMatchObject({ status: 404 })
  })
})

describe.each(['/v1/rerank', '/v2/rerank'])('%s', path => {
  const documents = [
    'A lazy dog sleeps all day long in the sun.',
    { text: 'Which fox is quick and brown?' },
    'Nothing.',
  ]

  test('puts the texts that answer best first', async () => {
    const { results } = await api.json('POST', path, {
      model: 'any',
      query: 'quick brown fox',
      documents,
      top_n: 2,
    })
    expect(results).toEqual([
      { index: 1, relevance_score: expect.any(Number) },
      { index: expect.any(Number), relevance_score: expect.any(Number) },
    ])
    for (const { relevance_score: score } of results as { relevance_score: number }[]) {
      expect(score >= 0 && score <= 1).toBe(true)
    }
  })
  test('gives the texts back to who wants them', async () => {
    const body = {
      query: 'fox',
      documents: [{ title: 'A fox', body: 'jumps' }],
      rank_fields: ['title', 'body'],
    }
    const { results } = await api.json('POST', path, { ...body, return_documents: true })
    expect(results).toMatchObject([{ index: 0, document: { text: 'A fox\njumps' } }])
  })
  test('refuses what has no text', async () => {
    expect(
      await api.refusal('POST', path, { query: 'x', documents: [{ title: 'a' }] }),
    ).toMatchObject({ status: 400 })
    expect(await api.refusal('POST', path, { query: 'x', documents: [] })).toMatchObject({
      param: 'documents',
    })
  })
})
