import { afterAll, beforeAll, expect, test } from 'vitest'
import { findOcrPackages } from '../../../src/ingest/parse/ocr/ocr-packages.ts'
import { Sandbox } from '../../fakes/store.ts'
import { pdf } from '../../fixtures/pdf.ts'
import { Api } from '../api.ts'
import { openKeyed } from '../keyed.ts'

const { pdfium, sharp } = findOcrPackages()
const canDraw = pdfium !== undefined && sharp !== undefined

let sandbox: Sandbox
let api: Api
let report: string
let notes: string

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
  const text = (words: string, y: number) => ({ text: words, x: 72, y, size: 12 })
  const pages = [
    [
      text('The warranty lasts two years.', 100),
      text('It begins on the day of the purchase.', 130),
    ],
    [text('Returns are free.', 100)],
  ]
  const uploaded = {
    'report.pdf': pdf(pages).toString('latin1'),
    'notes.md': '# Notes\n\nFirst.\n\nSecond.\n',
  }
  await api.store(uploaded)
  const documents = await api.passim.list((await api.passim.collections.list())[0]!) // just stored
  report = documents.find(document => document.name === 'report.pdf')!.id
  notes = documents.find(document => document.name === 'notes.md')!.id
})
afterAll(() => sandbox.remove())

test('a page has its text, and the box of every line', async () => {
  const page = await api.json('GET', `/api/documents/${report}/pages/2`)
  expect(page).toMatchObject({
    ...{ document: report, doc: 'report.pdf', page: 2, pages: 2, text: 'Returns are free.' },
    blocks: [
      { page: 2, charStart: expect.any(Number), lines: [{ start: 0, box: expect.any(Array) }] },
    ],
    report: { page: 2, characters: expect.any(Number) },
    warnings: [],
  })
})
test.skipIf(!canDraw)(
  'its boxes are in the unit of its size, and there is a picture of it',
  async () => {
    const page = await api.json('GET', `/api/documents/${report}/pages/1`)
    expect(page).toMatchObject({
      size: { width: 612, height: 792 },
      picture: `/api/documents/${report}/pages/1.png`,
    })
  },
)
test.skipIf(!canDraw)(
  'a page is drawn at least as wide as asked, and the second time read from the disk',
  async () => {
    const path = `/api/documents/${report}/pages/1.png?width=500`
    const drawn = await api.request('GET', path)
    expect(drawn.headers.get('content-type')).toBe('image/png')
    const bytes = Buffer.from(await drawn.arrayBuffer())
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([800, 1035])
    const etag = drawn.headers.get('etag') ?? ''
    const again = await api.app.request(path, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
  },
)
test('what cannot be drawn is told', async () => {
  const refused = (path: string) => api.refusal('GET', `/api/documents/${path}`)
  expect(await refused(`${report}/pages/3`)).toMatchObject({ status: 404 })
  expect(await refused(`${report}/pages/0.png`)).toMatchObject({ status: 400 })
  expect(await refused(`${report}/pages/1.png?width=2401`)).toMatchObject({
    status: 400,
    param: 'width',
  })
  expect(await refused(`${notes}/pages/1`)).toMatchObject({ status: 404 })
  expect(await refused('none/pages/1.png')).toMatchObject({ status: 404 })
})
test('a document comes block by block, from any place on', async () => {
  const first = (await api.json('GET', `/api/documents/${notes}/blocks?limit=2`)) as {
    last?: number
  }
  expect(first).toMatchObject({
    blocks: [{ kind: 'heading', text: 'Notes' }, { text: 'First.' }],
    hasMore: true,
    last: 13,
  })
  const rest = await api.json('GET', `/api/documents/${notes}/blocks?after=${first.last}`)
  expect(rest).toEqual({
    blocks: [{ kind: 'paragraph', text: 'Second.', charStart: 15, charEnd: 22 }],
    hasMore: false,
  })
})
test('both routes of a page are described', async () => {
  const { paths } = (await api.json('GET', '/openapi.json')) as { paths?: Record<string, object> } // OpenAPI's
  expect(paths).toHaveProperty(['/api/documents/{id}/pages/{page}', 'get'])
  expect(paths).toHaveProperty(['/api/documents/{id}/pages/{page}.png', 'get'])
})
test('no other tenant sees a page', async () => {
  const keyed = await openKeyed()
  try {
    const [mine, theirs] = [await keyed.token('mine'), await keyed.token('theirs')]
    const file = await keyed.upload(
      mine,
      'report.pdf',
      pdf([[{ text: 'Secret.', x: 72, y: 72 }]]).toString('latin1'),
    )
    const made = await keyed.call(mine, 'POST', '/v1/vector_stores', {
      name: 'own',
      file_ids: [file],
    })
    const { id } = (await made.json()) as { id: string } // the vector store
    const lease = await keyed.stores.acquire('mine')
    const [document] = await lease.passim.list(id)
    lease.release()
    for (const page of ['pages/1', 'pages/1.png', 'blocks']) {
      expect(
        (await keyed.call(theirs, 'GET', `/api/documents/${document!.id}/${page}`)).status,
      ).toBe(404)
    }
  } finally {
    await keyed.close()
  }
})
