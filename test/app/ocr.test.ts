import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { IndexOptions } from '../../src/app/indexing/index-documents.ts'
import type { Passim } from '../../src/app/passim.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { Sandbox } from '../fakes/store.ts'
import { picture } from '../fixtures/drawn.ts'
import { pdf, scan } from '../fixtures/pdf.ts'

const text = { text: 'Printed words only.', x: 40, y: 50 }
let sandbox: Sandbox
let passim: Passim
let docs: string

beforeEach(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open({ embedder: new HashingEmbedder() })
  docs = await sandbox.write({ 'note.md': 'A note.' })
  const letter = await picture(
    [{ text: 'The harbour opens at seven.', x: 20, y: 40, size: 14 }],
    260,
    80,
  )
  await writeFile(`${docs}/scan.pdf`, scan([letter], 2))
  await writeFile(`${docs}/print.pdf`, pdf([[text]]))
})
afterEach(() => sandbox.remove())

const statuses = async (options: IndexOptions = {}) => {
  const { documents } = await passim.index([docs], options)
  return Object.fromEntries(
    documents.map(({ source, status }) => [source.slice(docs.length + 1), status]),
  )
}

test('another OCR setting reads again what it concerns, and nothing else', async () => {
  expect(await statuses({ ocr: 'off' })).toEqual({
    'note.md': 'indexed',
    'print.pdf': 'indexed',
    'scan.pdf': 'failed',
  })
  expect(await statuses({ ocr: 'off' })).toMatchObject({
    'print.pdf': 'unchanged',
    'scan.pdf': 'failed',
  })
  const pages: number[] = []
  const onEvent: IndexOptions['onEvent'] = event => {
    if (event.type === 'progress' && event.stage === 'parse') pages.push(event.done)
  }
  expect(await statuses({ onEvent })).toEqual({
    'note.md': 'unchanged',
    'print.pdf': 'unchanged',
    'scan.pdf': 'indexed',
  })
  expect(pages).toEqual([1])
  expect(await statuses()).toMatchObject({ 'scan.pdf': 'unchanged' })
  const [hit] = await passim.search({ query: 'harbour', mode: 'keyword' })
  expect(hit).toMatchObject({ name: 'scan.pdf', text: 'The harbour opens at seven.' })
})

test('a picture without text is skipped in a folder, and a failure where it is named', async () => {
  const photo = `${docs}/photo.png`
  await sharp({ create: { width: 200, height: 120, channels: 3, background: '#7799aa' } }).toFile(
    photo,
  )
  for (const _ of ['first run', 'again']) {
    const { documents, totals } = await passim.index([docs])
    const found = documents.find(({ source }) => source === photo)
    expect(found).toMatchObject({ status: 'skipped', error: { code: 'no_text' } })
    expect(totals).toMatchObject({ failed: 0, skipped: 1 })
  }
  expect((await passim.index([photo])).totals).toMatchObject({ failed: 1 })
})

test('the time of a page is its own: the document is not over it, the page is', async () => {
  const hasty = await sandbox.open({
    embedder: new HashingEmbedder(),
    settings: { ocr: { pageTimeMs: 1 } },
  })
  const [failed] = (await hasty.index([`${docs}/scan.pdf`], { collection: 'hasty' })).documents
  expect(failed!.error).toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('ocr.pageTimeMs'),
  })
})

test('settings of older versions are accepted, and doctor says that they have no effect', async () => {
  const older = await sandbox.open({
    embedder: new HashingEmbedder(),
    settings: { ocr: { engine: 'tesseract', languages: ['eng', 'deu'] } },
  })
  expect((await older.doctor()).checks.find(({ name }) => name === 'OCR')).toMatchObject({
    ok: true,
    detail: expect.stringContaining('ocr.engine and ocr.languages have no effect'),
  })
})
