import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorSchema } from '../../src/wire/error.ts'
import { findSchema } from '../../src/wire/find.ts'
import { type Running, startServer } from './running.ts'

const MANUAL = 'data/samples/freedoom-manual.pdf'

let server: Running
beforeAll(async () => {
  server = await startServer({})
  await server.passim.index([MANUAL], { withoutVectors: true })
})
afterAll(() => server.close())

async function post(body: object): Promise<Response> {
  return await fetch(`${server.url}/api/find`, { method: 'POST', body: JSON.stringify(body) })
}

async function readSecondPage() {
  const [document] = await server.passim.list('default')
  if (!document) throw new Error('nothing was indexed')
  const { text } = await server.passim.pages.read(document, 2)
  return { text, picture: await server.passim.pages.drawPicture(document, 2, 1_200) }
}

test('a quotation is found with its page and boxes', async () => {
  const { text } = await readSecondPage()
  const { places } = findSchema.parse(await (await post({ text: text.slice(200, 400) })).json())
  expect(places[0]).toMatchObject({ doc: 'freedoom-manual.pdf', page: 2 })
  expect(places[0]?.similarity).toBeGreaterThan(0.95)
  expect(places[0]?.boxes.length).toBeGreaterThan(0)
})

test('the picture of a page is found by OCR', async () => {
  const { picture } = await readSecondPage()
  const image = `data:image/png;base64,${(await readFile(picture)).toString('base64')}`
  const { places } = findSchema.parse(await (await post({ image })).json())
  expect(places[0]).toMatchObject({ doc: 'freedoom-manual.pdf', page: 2 })
})

test('a path is no image, and text and image exclude each other', async () => {
  const refused = async (body: object) => {
    const response = await post(body)
    return [response.status, errorSchema.parse(await response.json()).error.message]
  }
  expect(await refused({ image: '/etc/passwd' })).toEqual([
    400,
    expect.stringContaining('data URI'),
  ])
  expect(await refused({})).toEqual([400, expect.stringMatching(/either text or image\.(?!\.)/)])
  expect(await refused({ text: 'a b' })).toEqual([400, expect.stringContaining('at least 6')])
})
