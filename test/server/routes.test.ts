import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../../src/errors.ts'
import { Sandbox } from '../fakes/store.ts'
import { pdf } from '../fixtures/pdf.ts'
import { Api } from './api.ts'

let sandbox: Sandbox
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
})
afterAll(() => sandbox.remove())

const envelope = (code: string, param: string | null = null) => ({
  error: { message: expect.any(String), type: 'invalid_request_error', param, code },
})

describe('every answer', () => {
  test('has a request id of its own', async () => {
    const paths = ['/healthz', '/v1/files', '/nowhere', '/v1/files/file-none']
    const answers = await Promise.all(paths.map(path => api.request('GET', path)))
    const requestIds = answers.map(answer => answer.headers.get('x-request-id'))
    expect(new Set(requestIds).size).toBe(paths.length)
    for (const id of requestIds) expect(id).toMatch(/^req_[0-9a-f]{32}$/)
  })
  test('to an unknown route is an error in the envelope', async () => {
    const answer = await api.request('GET', '/v1/nothing')
    expect([answer.status, await answer.json()]).toEqual([404, envelope('not_found')])
  })
  test('to the wrong method names the right ones', async () => {
    const answer = await api.request('PUT', '/v1/files/file-1')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, DELETE'])
    expect(await answer.json()).toEqual(envelope('method_not_supported'))
  })
  test('to a permanent conflict tells the client not to try again', async () => {
    const passim = Object.create(api.passim, {
      search: { value: () => Promise.reject(new AppError('conflict', 'Two are called that.')) },
    })
    const answer = await new Api(passim).request('POST', '/api/search', { query: 'x' })
    expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([409, 'false'])
  })
  test('to what failed inside tells nothing of the inside, which goes to the log', async () => {
    const passim = Object.create(api.passim, {
      search: {
        value: () => Promise.reject(new Error('no such column in /srv/secret/catalog.db')),
      },
    })
    const broken = new Api(passim)
    const answer = await broken.request('POST', '/api/search', { query: 'x' })
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toMatch(/secret|column|\bat /)
    expect(broken.log.join()).toContain('/srv/secret/catalog.db')
    expect(broken.log.join()).toContain(answer.headers.get('x-request-id'))
  })
})

describe('a body', () => {
  const post = (body: string | Uint8Array) =>
    api.app.request('/api/search', { method: 'POST', body })

  test('that is no JSON is refused by name', async () => {
    const answer = await post('{"query": ')
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('JSON') } },
    ])
  })
  test('that is no UTF-8 is refused', async () => {
    expect((await post(new Uint8Array([0x22, 0xff, 0x22]))).status).toBe(400)
  })
  test('over the limit is refused', async () => {
    const answer = await post(JSON.stringify({ query: 'x'.repeat(5 * 1024 * 1024) }))
    expect([answer.status, await answer.json()]).toEqual([413, envelope('too_large')])
  })
  test('with something unknown in it is refused by name', async () => {
    expect(await api.refusal('POST', '/api/search', { query: 'x', modes: 1 })).toMatchObject({
      status: 400,
      param: 'modes',
    })
  })
})

describe('a server without keys', () => {
  const get = (headers: Record<string, string>) => api.app.request('/v1/files', { headers })

  test('answers to the names of this machine', async () => {
    for (const host of [
      'localhost',
      'localhost:7700',
      '127.0.0.1:1',
      '[::1]:7700',
      'LOCALHOST:80',
    ]) {
      expect((await get({ host })).status).toBe(200)
    }
  })
  test('answers to no other name, which a web page could have made', async () => {
    for (const host of [
      'evil.example',
      'localhost.evil.example:7700',
      '127.0.0.1.evil.example',
      '192.168.0.7',
      '',
    ]) {
      const answer = await get({ host })
      expect([answer.status, await answer.json()]).toEqual([403, envelope('forbidden')])
    }
  })
  test('does nothing for pages of other hosts', async () => {
    for (const origin of ['https://evil.example', 'null'])
      expect((await get({ origin })).status).toBe(403)
    expect((await get({ origin: 'http://localhost:5173' })).status).toBe(200)
  })
})

describe('health', () => {
  test('is told', async () => {
    expect(await api.json('GET', '/healthz')).toEqual({ status: 'ok' })
    expect(await api.json('GET', '/readyz')).toMatchObject({ status: 'ready' })
  })
  test('ends with the server', async () => {
    const app = new Api(api.passim, { closing: AbortSignal.abort() }).app
    expect((await app.request('/readyz')).status).toBe(503)
    expect((await app.request('/healthz')).status).toBe(200)
  })
})

describe('our own routes', () => {
  let fox: string
  let report: string

  beforeAll(async () => {
    const page = [
      { text: 'Travel allowance', x: 72, y: 72, size: 18 },
      { text: 'Hotels cost at most 120 euros.', x: 72, y: 110 },
    ]
    const folder = await sandbox.write({
      'fox.txt': 'The quick brown fox.\n\nIt jumps.',
      'plain.md': '# 标题\n\n内容𠮷在这里。',
    })
    await sandbox.write({ 'empty.txt': '' })
    await import('node:fs/promises').then(fs =>
      fs.writeFile(sandbox.path('report.pdf'), pdf([page, page])),
    )
    await api.passim.index([folder])
    const [collection] = await api.passim.scope.findCollections()
    const id = async (name: string) => (await api.passim.scope.findDocument(name, [collection!])).id // just indexed
    fox = await id('fox.txt')
    report = await id('report.pdf')
  })

  test('search gives what the command line prints', async () => {
    const { seconds, ...result } = await api.json('POST', '/api/search', {
      query: 'fox',
      mode: 'keyword',
      n: 5,
    })
    expect(seconds).toEqual(expect.any(Number))
    expect(result).toMatchObject({
      ...{ query: 'fox', mode: 'keyword' },
      hits: [
        {
          documentId: fox,
          weak: false,
          charStart: 0,
          charEnd: 31,
          headings: [],
          text: 'The quick brown fox.\n\nIt jumps.',
        },
      ],
    })
  })
  test('search looks only where it is told', async () => {
    const hits = async (body: object) =>
      (await api.json('POST', '/api/search', { query: 'fox', ...body })).hits
    expect(await hits({ documents: ['plain.md'], mode: 'keyword' })).toEqual([])
    expect(await hits({ documents: ['fox.txt'], limit: 1 })).toMatchObject([{ documentId: fox }])
    expect(
      await api.refusal('POST', '/api/search', { query: 'x', collections: ['none'] }),
    ).toMatchObject({
      status: 404,
    })
    expect(await api.refusal('POST', '/api/search', { query: 'x', limit: 0 })).toMatchObject({
      status: 400,
    })
  })
  test('search weighs its legs as it is told', async () => {
    const search = (weights: object) =>
      api.request('POST', '/api/search', { query: 'fox jumps', weights })
    const { hits } = (await (await search({ keyword: 0, vector: 1 })).json()) as {
      hits: { score: number }[]
    }
    expect(hits[0]?.score).toBe(1) // the nearest of all
    expect((await search({ keyword: 0, vector: 0 })).status).toBe(400)
  })
  test('ask without a model quotes the documents', async () => {
    const answer = await api.json('POST', '/api/ask', {
      question: 'How much do hotels cost at most?',
    })
    expect(answer).toMatchObject({
      mode: 'extractive',
      question: 'How much do hotels cost at most?',
      citations: expect.any(Array),
    })
    expect(await api.refusal('POST', '/api/ask', { question: ' ' })).toMatchObject({ status: 400 })
    expect(
      await api.refusal('POST', '/api/ask', { question: 'x', files: ['/etc/passwd'] }),
    ).toMatchObject({
      param: 'files',
    })
  })
  test('a document comes with its extraction report', async () => {
    const document = await api.json('GET', `/api/documents/${report}`)
    expect(document).toMatchObject({
      ...{
        id: report,
        collection: 'default',
        status: 'completed',
        mediaType: 'application/pdf',
        pages: 2,
      },
      report: [{ page: 1, images: 0, garbled: 0 }, { page: 2 }],
    })
  })
  test('a failed document comes with its error', async () => {
    const [collection] = await api.passim.scope.findCollections()
    const { id } = await api.passim.scope.findDocument('empty.txt', [collection!])
    expect(await api.json('GET', `/api/documents/${id}`)).toMatchObject({
      status: 'failed',
      error: { code: 'empty' },
    })
    expect(await api.refusal('GET', `/api/documents/${id}/text`)).toMatchObject({ status: 404 })
  })
  test('the text and the bytes of a document are there', async () => {
    const [collection] = await api.passim.scope.findCollections()
    const { id } = await api.passim.scope.findDocument('plain.md', [collection!])
    expect(await (await api.request('GET', `/api/documents/${id}/text`)).text()).toBe(
      '标题\n\n内容𠮷在这里。',
    )
    expect(await (await api.request('GET', `/api/documents/${id}/file`)).text()).toBe(
      '# 标题\n\n内容𠮷在这里。',
    )
  })
  test('a document that is not there is not found', async () => {
    expect(await api.refusal('GET', '/api/documents/doc_none')).toMatchObject({
      status: 404,
      code: 'not_found',
    })
    expect(await api.refusal('GET', '/api/documents/doc_none/text')).toMatchObject({ status: 404 })
  })
  test('a citation that a browser opens is shown in the page of the service', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const path = `/api/citations/${report}?start=4&end=13&page=2`
    const shown = await api.app.request(path, { headers: { accept } })
    expect([shown.status, shown.headers.get('location')]).toEqual([
      303,
      `../../#/documents/${report}?start=4&end=13&page=2`,
    ])
  })
  test('a citation gives the words, the page and the boxes', async () => {
    const text = await (await api.request('GET', `/api/documents/${report}/text`)).text()
    const start = text.indexOf('120 euros')
    const passage = await api.json(
      'GET',
      `/api/citations/${report}?start=${start}&end=${start + 9}`,
    )
    expect(passage).toMatchObject({
      documentId: report,
      doc: 'report.pdf',
      page: 1,
      text: '120 euros',
      charStart: start,
    })
    const [{ box, page }] = passage.boxes as [{ box: number[]; page: number }]
    expect(page).toBe(1)
    expect(box[0]).toBeCloseTo(72, 0)
    expect(passage.boxes).toHaveLength(1)
  })
  test('a citation of no words is refused', async () => {
    for (const span of [
      'start=5&end=5',
      'start=9999&end=10000',
      'start=-1&end=2',
      'start=a&end=2',
      '',
    ]) {
      expect(await api.refusal('GET', `/api/citations/${fox}?${span}`)).toMatchObject({
        status: 400,
      })
    }
    expect(await api.json('GET', `/api/citations/${fox}?start=26&end=9999`)).toMatchObject({
      text: 'umps.',
      charEnd: 31,
      boxes: [],
    })
  })
  test('nothing of the files of a question is shown', async () => {
    const hidden = await api.passim.collections.findOrCreate('files of a question', {
      hidden: true,
    })
    const fileId = await api.upload('q.txt', 'A question.')
    const { id } = await api.passim.collections.addFile(hidden, fileId)
    expect(await api.refusal('GET', `/api/documents/${id}`)).toMatchObject({ status: 404 })
    expect(await api.refusal('GET', `/api/citations/${id}?start=0&end=1`)).toMatchObject({
      status: 404,
    })
    const [job] = await api.passim.jobs.list(hidden.id, 1)
    const paths = [
      `jobs/${job?.id}`,
      `jobs/${job?.id}/events`,
      ...[hidden.id, hidden.name].flatMap(name => [
        `jobs?collection=${encodeURIComponent(name)}`,
        `documents?collection=${encodeURIComponent(name)}`,
        `collections/${encodeURIComponent(name)}/documents`,
      ]),
    ]
    for (const path of paths) {
      const refused = await api.refusal('GET', `/api/${path}`)
      expect([path, refused]).toMatchObject([path, { status: 404 }])
    }
    for (const name of [hidden.id, hidden.name]) {
      const body = { query: 'question', collections: [name] }
      expect(await api.refusal('POST', '/api/search', body)).toMatchObject({ status: 404 })
    }
  })
})
