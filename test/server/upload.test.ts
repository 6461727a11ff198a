import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, startServer } from './running.ts'

const MAX_UPLOAD_BYTES = 2 * 1024 * 1024
const HEAD = '--b\r\ncontent-disposition: form-data; name="file"; filename="big.txt"\r\n\r\n'
const TAIL =
  '\r\n--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nassistants\r\n--b--\r\n'

let server: Running

beforeAll(async () => {
  server = await startServer({ settings: { server: { maxUploadBytes: MAX_UPLOAD_BYTES } } })
})
afterAll(() => server.close())

const options = (headers: Record<string, string> = {}) => ({
  ...{ method: 'POST', host: '127.0.0.1', port: new URL(server.url).port, path: '/v1/files' },
  headers: { 'content-type': 'multipart/form-data; boundary=b', ...headers },
})

/** Files on disk: uploads that are under way, and what is stored. */
async function stored(): Promise<readonly string[]> {
  const home = server.sandbox.home
  const content = await readdir(path.join(home, 'content'), { recursive: true })
  return [
    ...(await readdir(path.join(home, 'incoming'))),
    ...content.filter(name => name.endsWith('original')),
  ]
}

async function until(claim: () => Promise<boolean>): Promise<void> {
  while (!(await claim())) await new Promise(resolve => setTimeout(resolve, 10))
}

/** Send pieces one after another, and give what comes back. */
async function send(
  pieces: readonly string[],
  headers?: Record<string, string>,
): Promise<{ status: number; body: string }> {
  return await new Promise((resolve, reject) => {
    const upload = request(options(headers), async response => {
      let body = ''
      for await (const chunk of response) body += chunk
      resolve({ status: response.statusCode ?? 0, body })
    })
    upload.on('error', reject)
    for (const piece of pieces) upload.write(piece)
    upload.end()
  })
}

const megabyte = 'x'.repeat(1024 * 1024)

test('an upload in pieces is stored whole', async () => {
  const { status, body } = await send([HEAD, megabyte, 'end', TAIL])
  expect([status, JSON.parse(body)]).toMatchObject([
    200,
    { bytes: 1024 * 1024 + 3, filename: 'big.txt' },
  ])
})
test('a field that is an object is read from brackets, from JSON, and from a file of JSON before its file or after it', async () => {
  const expiry = '{"anchor": "created_at", "seconds": 3600}'
  const upload = async (...fields: readonly (readonly [name: string, value: string | Blob])[]) => {
    const form = new FormData()
    for (const [name, value] of fields) form.append(name, value)
    const response = await fetch(`${server.url}/v1/files`, { method: 'POST', body: form })
    const { expires_at, created_at, error } = (await response.json()) as Record<string, number> & {
      error?: object
    } // a file
    return error ?? expires_at! - created_at!
  }
  const [file, purpose] = [
    ['file', new File(['x'], 'a.txt')] as const,
    ['purpose', 'user_data'] as const,
  ]
  const json = new Blob([expiry], { type: 'application/json' })
  expect(await upload(file, purpose, ['expires_after', expiry])).toBe(3600)
  expect(await upload(['expires_after', json], purpose, file)).toBe(3600)
  expect(await upload(file, purpose, ['expires_after', json])).toBe(3600)
  const brackets = [
    ['expires_after[anchor]', 'created_at'] as const,
    ['expires_after[seconds]', '3600'] as const,
  ]
  expect(await upload(file, purpose, ...brackets)).toBe(3600)
  expect(await upload(file, purpose, ['expires_after', 'soon'])).toMatchObject({
    param: 'expires_after',
  })
  expect(await upload(file, purpose, file)).toMatchObject({ param: 'file' })
  for (const { id } of await server.passim.files.list())
    await server.passim.files.delete(id, { now: true })
})
test('an upload that the client aborts leaves nothing, and the server goes on', async () => {
  const before = await stored()
  const files = await server.passim.files.list()
  const upload = request(options())
  upload.on('error', () => {}) // it is aborted below
  upload.write(HEAD + megabyte)
  await until(async () => (await stored()).length > before.length)
  upload.destroy()
  await until(async () => (await stored()).length === before.length)
  expect(await server.passim.files.list()).toHaveLength(files.length)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})
test('many uploads aborted at once, wherever they are, leave nothing either', async () => {
  const before = await stored()
  const beginnings = [
    `${HEAD}a few bytes`,
    HEAD + megabyte,
    HEAD + megabyte + TAIL.slice(0, 30),
    '--b\r\ncontent-dis',
  ]
  const uploads = Array.from({ length: 32 }, (_, at) => {
    const upload = request(options())
    upload.on('error', () => {}) // it is aborted below
    upload.write(beginnings[at % beginnings.length])
    return upload
  })
  await until(async () => (await stored()).length === before.length + 24) // the last kind has no file yet
  for (const upload of uploads) upload.destroy()
  await until(async () => (await stored()).length === before.length)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})
test('an upload over the limit is answered 413, and nothing of it is kept', async () => {
  const before = await stored()
  const { status, body } = await send([HEAD, megabyte, megabyte, 'x', TAIL], {
    'transfer-encoding': 'chunked',
  })
  expect([status, JSON.parse(body)]).toMatchObject([413, { error: { code: 'too_large' } }])
  expect(await stored()).toEqual(before)
})
test('a form with a part that cannot be read before its file is refused, and nothing of it is kept', async () => {
  const before = await stored()
  const broken = '--b\r\ncontent-disposition: attachment\r\ncontent-type: \u0001\r\n\r\n\r\n'
  expect((await send([`${broken}${HEAD}\r\n`])).status).toBe(400)
  expect(await stored()).toEqual(before)
})
test('an upload that says that it is too large is answered before it is sent', async () => {
  const before = await stored()
  const answer = await new Promise<number>(resolve => {
    const upload = request(options({ 'content-length': String(1024 ** 4) }), response => {
      resolve(response.statusCode ?? 0)
      upload.destroy()
    })
    upload.on('error', () => {}) // it is aborted above
    upload.write(HEAD)
  })
  expect(answer).toBe(413)
  expect(await stored()).toEqual(before)
})
test('nothing of this was the server’s fault', () => expect(server.log).toEqual([]))
