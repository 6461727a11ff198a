import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { S3Blobs } from '../../../../src/ingest/store/blobs/s3-blobs.ts'
import { S3Client } from '../../../../src/ingest/store/blobs/s3-client.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A store that answers as it is told. */
async function open(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const [url, keys] = [`http://127.0.0.1:${port}`, { accessKeyId: 'id', secretAccessKey: 'secret' }]
  const client = new S3Client({ url, bucket: 'papers', region: 'eu-central-1', ...keys })
  closing.push(
    () => client.close(),
    () => new Promise(resolve => server.close(resolve)),
  )
  return { blobs: new S3Blobs(client, 'store/'), server }
}

test('a request is signed for the bucket, its bytes and the condition included', async () => {
  const seen: unknown[] = []
  const { blobs } = await open(async ({ method, url, headers }, answer) => {
    const {
      authorization = '',
      'if-none-match': condition,
      'x-amz-content-sha256': sha256,
    } = headers
    seen.push([method, url, condition, sha256, /SignedHeaders=([^,]*)/.exec(authorization)?.[1]])
    answer.end()
  })
  expect(await blobs.put('a b', Buffer.from('x'))).toBe(true)
  const sha256 = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881'
  const signed = 'host;if-none-match;x-amz-content-sha256;x-amz-date'
  expect(seen).toEqual([['PUT', '/papers/store/a%20b', '*', sha256, signed]])
})

test('what may pass is tried again, and a body is sent again with it', async () => {
  const bodies: string[] = []
  const { blobs } = await open(async (request, answer) => {
    bodies.push(await text(request))
    if (bodies.length === 2) answer.destroy()
    else answer.writeHead(bodies.length < 3 ? 503 : 200).end()
  })
  expect(await blobs.put('a', Buffer.from('bytes'))).toBe(true)
  expect(bodies).toEqual(['bytes', 'bytes', 'bytes'])
})

test('a put that met another is made again, and then told whether the key is taken', async () => {
  const answers = [409, 412, 409, 200]
  const { blobs } = await open((_, answer) => answer.writeHead(answers.shift()!).end())
  expect(await blobs.put('a', Buffer.from('bytes'))).toBe(false)
  expect(await blobs.put('b', Buffer.from('bytes'))).toBe(true)
  expect(answers).toEqual([])
})

test('a store that stays away is told as that, with the settings to look at', async () => {
  const { blobs, server } = await open((_, answer) => answer.writeHead(503).end())
  const busy = { code: 'store_unavailable', message: expect.stringContaining('status 503') }
  await expect(blobs.get('a')).rejects.toMatchObject(busy)
  await new Promise(resolve => {
    server.close(resolve)
    server.closeAllConnections()
  })
  const gone = {
    code: 'store_unavailable',
    message: expect.stringMatching(/papers at 127.*cannot be reached.*s3\.url/),
  }
  await expect(blobs.get('a')).rejects.toMatchObject(gone)
})

test('a refusal is not asked for again, and says what to do', async () => {
  let asked = 0
  const refuse = (code: string, status: number): RequestListener => {
    return (_, answer) => {
      asked++
      answer.writeHead(status).end(`<Error><Code>${code}</Code><Message>No.</Message></Error>`)
    }
  }
  const { blobs: closed } = await open(refuse('AccessDenied', 403))
  const message = expect.stringMatching(
    /refuses PUT store\/a: AccessDenied: No\. Check s3\.accessKeyId/,
  )
  await expect(closed.put('a', Buffer.from('x'))).rejects.toMatchObject({
    code: 'store_mismatch',
    message,
  })
  expect(asked).toBe(1)
  const { blobs: none } = await open(refuse('NoSuchBucket', 404))
  const missing = {
    code: 'store_mismatch',
    message: expect.stringContaining('Create the bucket first'),
  }
  await expect(none.get('a')).rejects.toMatchObject(missing)
})
