import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import OpenAI from 'openai'
import { afterEach, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { askAll } from '../../examples/batch.ts'
import { editChunks } from '../../examples/edit-chunks.ts'
import { keepInStep } from '../../examples/keep-in-step.ts'
import { createReceiver } from '../../examples/receive-webhooks.ts'
import { signToken } from '../../examples/sign-token.ts'
import { openKeyed } from '../server/keyed.ts'
import { startServer } from '../server/running.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function start(...args: Parameters<typeof startServer>) {
  const server = await startServer(...args)
  closing.push(() => server.close())
  return server
}

test('keep in step: only what differs is put, what is gone is deleted', async () => {
  const { url } = await start()
  const sync = async (texts: Readonly<Record<string, string>>) =>
    await keepInStep(createClient({ url }), 'notes', new Map(Object.entries(texts)))
  const first = { a: 'A heron waits.', b: 'A crane flies.' }
  expect(await sync(first)).toEqual({ put: ['a', 'b'], deleted: [] })
  expect(await sync(first)).toEqual({ put: [], deleted: [] })
  expect(await sync({ a: 'A heron eats.' })).toEqual({ put: ['a'], deleted: ['b'] })
})

test('edit chunks: a disclaimer is found no more, a note is', async () => {
  const { url, passim } = await start({ settings: { chunking: { tokens: 32 } } })
  const text = ['Hotels cost at most 120 euros a night.', 'No liability is accepted for prices.']
    .map(sentence => `# Part\n\n${sentence} ${'It is so every year. '.repeat(6)}`)
    .join('\n\n')
  await passim.documents.put({ id: 'handbook', markdown: text, collection: 'notes' })
  const service = createClient({ url })
  const edit = async (text: string, note?: string) =>
    await editChunks(service, { collection: 'notes', id: 'handbook', text }, note)
  const find = async (query: string) =>
    (await passim.search({ query, collections: ['notes'], mode: 'keyword' })).map(hit => hit.text)
  await expect.poll(() => find('liability')).not.toEqual([])
  expect(await edit('No liability')).toBe(1)
  expect(await edit('Hotels cost', 'Also holds for hostels.')).toBe(1)
  await expect.poll(() => find('hostels')).toEqual([expect.stringContaining('Hotels cost')])
  await expect.poll(() => find('liability')).toEqual([])
})

test('sign a token: its user sees what names the user or a group', async () => {
  const key = 'a secret of the gateway, of more than 32 bytes'
  const service = await openKeyed({ tokens: { algorithm: 'HS256', key } })
  closing.push(() => service.close())
  const { passim, release } = await service.stores.acquire('default')
  for (const readers of ['user:ann', 'group:hr', 'group:it'])
    await passim.documents.put({ id: readers, text: 'A printer.', attributes: { readers } })
  release()
  const list = async (token: string) => {
    const answer = await service.call(token, 'GET', '/api/collections/default/documents')
    const { documents } = (await answer.json()) as { documents: { id: string }[] }
    return documents.map(({ id }) => id)
  }
  expect(await list(signToken({ name: 'ann', groups: ['hr'] }, key))).toEqual([
    'group:hr',
    'user:ann',
  ])
})

test('receive webhooks: each event once, none of another sender', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const received: string[] = []
  let isBroken = true
  const receiver = createReceiver(secret, ({ type }) => {
    if (isBroken) {
      isBroken = false
      throw new Error('The receiver has a fault.')
    }
    received.push(type)
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  closing.push(async () => void (await new Promise(resolve => receiver.close(resolve))))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const { url: service, passim: store } = await start({
    settings: { webhooks: [{ url, secret }], fetching: { allowPrivate: true } },
  })
  await store.resume()
  const passim = createClient({ url: service })
  const path = { id: 'notes', externalId: 'a' }
  await passim.request('put', '/api/collections/{id}/documents/{externalId}', {
    path,
    body: { text: 'A heron waits.' },
  })
  await expect
    .poll(() => received.toSorted(), { timeout: 30_000 })
    .toEqual(['document.completed', 'job.completed'])
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': `${Date.now() / 1000}` }
  const forged = { ...headers, 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` }
  await breakOff(url)
  for (const wrong of [{}, headers, forged]) {
    const answer = await fetch(url, { method: 'POST', headers: wrong, body: '{"id": "evt_1"}' })
    expect(answer.status).toBe(401)
  }
  expect(received).toHaveLength(2)
})

/** Sends a part of a body, and resolves once the connection is closed. */
async function breakOff(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n{')
  await once(socket, 'data') // the receiver reads
  socket.destroy()
  await once(socket, 'close')
}

test('a batch answers each question from the collection', async () => {
  const { url, passim } = await start()
  await passim.documents.put({ id: 'a', text: 'The notice period is three months.' })
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
  const answers = await askAll(client, 'default', [
    'How long is the notice period?',
    'Who flew to Mars?',
  ])
  expect(answers[0]).toContain('three months')
  expect(answers[1]).toBeDefined()
})
