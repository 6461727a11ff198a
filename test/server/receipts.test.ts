import { afterAll, beforeAll, expect, test } from 'vitest'
import { timedAnswerSchema } from '../../src/wire/answer.ts'
import { receiptKeySchema } from '../../src/wire/receipt.ts'
import { loadVerifier } from '../fakes/receipt-verifier.ts'
import { Sandbox } from '../fakes/store.ts'
import { openKeyed } from './keyed.ts'

let service: Awaited<ReturnType<typeof openKeyed>>
let writer: string
let sandbox: Sandbox
let place: { readonly conversation: string; readonly turn: number }

beforeAll(async () => {
  service = await openKeyed()
  writer = await service.token('default')
  sandbox = await Sandbox.make()
  const lease = await service.stores.acquire('default')
  await lease.passim.index([
    await sandbox.write({ 'secret/policy.md': 'A hotel costs at most 140 euros a night.' }),
  ])
  lease.release()
  place = await ask('What may a hotel cost?')
})
afterAll(async () => {
  await service.close()
  await sandbox.remove()
})

async function ask(question: string) {
  const asked = { question, conversation: 'new', extractive: true }
  const response = await service.call(writer, 'POST', '/api/ask', asked)
  const { conversation = '', turn = 0 } = timedAnswerSchema.parse(await response.json())
  return { conversation, turn }
}

async function getReceipt(token: string, id: string) {
  return await service.call(token, 'GET', `/api/answers/${id}/receipt`)
}

test('a stored answer has a receipt, by its turn or its message, for a read key, too', async () => {
  const verify = await loadVerifier()
  const reader = await service.token('default', 'read')
  const key = receiptKeySchema.parse(
    await (await service.call(reader, 'GET', '/api/receipts/key')).json(),
  )
  const items = await service.call(
    writer,
    'GET',
    `/v1/conversations/${place.conversation}/items?order=desc`,
  )
  const { data } = (await items.json()) as { readonly data: readonly { readonly id: string }[] }
  const message = data.find(({ id }) => id.startsWith('msg_'))?.id ?? ''
  for (const id of [`${place.conversation}.${place.turn}`, message]) {
    const response = await getReceipt(reader, id)
    expect(response.headers.get('content-disposition')).toContain('attachment')
    const { receipt } = await verify(new Uint8Array(await response.arrayBuffer()), key.key)
    expect(receipt).toMatchObject({ question: 'What may a hotel cost?', outcome: 'answered' })
    expect(receipt.documents).toMatchObject([{ name: 'policy.md', source: 'policy.md' }])
  }
})

test('answers that do not exist, and those of other tenants, have none', async () => {
  const other = await service.token('acme')
  const id = `${place.conversation}.${place.turn}`
  expect((await getReceipt(other, id)).status).toBe(404)
  for (const missing of [`${place.conversation}.9`, `${place.conversation}.0`, 'msg_none', 'x.1'])
    expect([missing, (await getReceipt(writer, missing)).status]).toEqual([missing, 404])
})

test('the page is served without a key, and its policy allows only its own script', async () => {
  const response = await service.app.request('/verify.html')
  expect(response.status).toBe(200)
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
})

test('an answer whose document is deleted has no receipt any more', async () => {
  const lease = await service.stores.acquire('default')
  await lease.passim.delete('policy.md', { now: true })
  lease.release()
  const response = await getReceipt(writer, `${place.conversation}.${place.turn}`)
  expect(response.status).toBe(409)
})
