import { afterEach, beforeEach, expect, test } from 'vitest'
import { startScriptedModel } from '../../fakes/scripted-model-server.ts'
import { Sandbox } from '../../fakes/store.ts'
import { Api, type Body } from '../api.ts'
import { openKeyed } from '../keyed.ts'

const ENDED = ['completed', 'failed', 'expired', 'cancelled']

let sandbox: Sandbox
let api: Api

beforeEach(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
})
afterEach(() => sandbox.remove())

type Line = { readonly custom_id: string } & Readonly<Record<string, unknown>>

const toLine = (custom_id: string, body: object, url = '/v1/embeddings'): Line => ({
  ...{ custom_id, method: 'POST', url, body },
})
const embed = (custom_id: string, input: unknown = custom_id) =>
  toLine(custom_id, { model: 'passim-embedder', input })

async function create(lines: readonly (Line | string)[], endpoint = '/v1/embeddings') {
  const text = lines
    .map(line => (typeof line === 'string' ? line : JSON.stringify(line)))
    .join('\n')
  const input_file_id = await api.upload('requests.jsonl', text, 'batch')
  return await api.json('POST', '/v1/batches', {
    ...{ input_file_id, endpoint, completion_window: '24h' },
  })
}

async function waitFor(id: unknown, statuses: readonly string[] = ENDED): Promise<Body> {
  for (;;) {
    const batch = await api.json('GET', `/v1/batches/${id}`)
    if (statuses.includes(String(batch.status))) return batch
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

type Result = {
  readonly custom_id: string
  readonly response: { readonly status_code: number; readonly body: Body } | null
  readonly error: { readonly code: string } | null
}

async function readResults(fileId: unknown): Promise<readonly Result[]> {
  if (fileId === undefined) return []
  const text = await (await api.request('GET', `/v1/files/${fileId}/content`)).text()
  const lines = text.trimEnd().split('\n')
  return lines.map(line => JSON.parse(line) as Result)
}

function getTokens({ response }: Result, name: string): number {
  return (response!.body.usage as Record<string, number>)[name]!
}

test('each line is answered once, failures in the error file', async () => {
  const made = await create([embed('a'), embed('wrong', []), '', embed('b', 'Two.')])
  expect(made).toMatchObject({
    ...{ object: 'batch', status: 'validating', endpoint: '/v1/embeddings', errors: null },
    completion_window: '24h',
  })
  const batch = await waitFor(made.id)
  expect(batch).toMatchObject({
    status: 'completed',
    request_counts: { total: 3, completed: 2, failed: 1 },
  })
  const output = await readResults(batch.output_file_id)
  expect(output.map(({ custom_id }) => custom_id).toSorted()).toEqual(['a', 'b'])
  const [first] = output
  expect(first).toMatchObject({ error: null, response: { status_code: 200 } })
  expect(first?.response?.body).toMatchObject({ object: 'list', data: [{ index: 0 }] })
  expect(await readResults(batch.error_file_id)).toMatchObject([
    {
      custom_id: 'wrong',
      response: { status_code: 400, body: { error: { param: 'input' } } },
    },
  ])
  const file = await api.json('GET', `/v1/files/${batch.output_file_id}`)
  expect(file).toMatchObject({ purpose: 'batch_output', filename: `${made.id}_output.jsonl` })
})

test('a file with faults fails as a whole and names them', async () => {
  const { id } = await create([
    embed('a'),
    'no json',
    embed('a'),
    toLine('b', {}, '/v1/responses'),
    { custom_id: 'c', method: 'GET', url: '/v1/embeddings', body: {} },
  ])
  const { status, errors, request_counts, ...batch } = await waitFor(id)
  expect(status).toBe('failed')
  expect(batch).not.toHaveProperty('output_file_id')
  expect(errors).toMatchObject({
    object: 'list',
    data: [
      { code: 'invalid_json_line', line: 2, param: null },
      { code: 'duplicate_custom_id', line: 3, param: 'custom_id' },
      { code: 'invalid_url', line: 4, param: 'url' },
      { code: 'invalid_line', line: 5, param: 'method' },
    ],
  })
  expect(request_counts).toEqual({ total: 0, completed: 0, failed: 0 })
})

test('a long text in a line is not repeated in the fault', async () => {
  const { id } = await create([toLine('a', {}, `/${'x'.repeat(100_000)}`)])
  const { errors } = await waitFor(id)
  expect(errors).toMatchObject({ data: [{ code: 'invalid_line', param: 'url' }] })
  expect(JSON.stringify(errors).length).toBeLessThan(1_000)
})

test('an empty file, a file of another purpose and an unknown one are refused', async () => {
  const { id } = await create([' '])
  expect(await waitFor(id)).toMatchObject({
    status: 'failed',
    errors: { data: [{ code: 'empty_file' }] },
  })
  const own = { endpoint: '/v1/embeddings', completion_window: '24h' }
  const input_file_id = await api.upload('a.jsonl', '{}')
  expect(await api.refusal('POST', '/v1/batches', { ...own, input_file_id })).toEqual({
    ...{ status: 400, code: 'invalid_value', param: 'input_file_id' },
  })
  expect(await api.refusal('POST', '/v1/batches', { ...own, input_file_id: 'file-0' })).toEqual({
    ...{ status: 404, code: 'not_found', param: 'input_file_id' },
  })
  expect(
    await api.refusal('POST', '/v1/batches', { ...own, input_file_id, endpoint: '/v1/models' }),
  ).toMatchObject({ status: 400, param: 'endpoint' })
})

test('questions are answered from vector stores, streams are refused', async () => {
  const { id: store } = await api.store({ 'hotel.md': 'Hotels cost at most 120 euros a night.' })
  const ask = (custom_id: string, rest: object = {}) =>
    toLine(
      custom_id,
      { model: store, messages: [{ role: 'user', content: 'What may a hotel cost?' }], ...rest },
      '/v1/chat/completions',
    )
  const { id } = await create([ask('a'), ask('b', { stream: true })], '/v1/chat/completions')
  const batch = await waitFor(id)
  const [answer] = await readResults(batch.output_file_id)
  expect(JSON.stringify(answer?.response?.body)).toContain('120 euros')
  expect(await readResults(batch.error_file_id)).toMatchObject([
    { custom_id: 'b', response: { status_code: 400, body: { error: { param: 'stream' } } } },
  ])
})

test('batches are listed and forgotten by no restart', async () => {
  const first = await create([embed('a')])
  const second = await create([embed('b')])
  await waitFor(first.id)
  await waitFor(second.id)
  const page = await api.json('GET', '/v1/batches?limit=1')
  expect(page).toMatchObject({ data: [{ id: second.id }], has_more: true })
  const rest = await api.json('GET', `/v1/batches?after=${second.id}`)
  expect(rest).toMatchObject({ data: [{ id: first.id }], has_more: false })
  const third = await create([embed('c')])
  const listIds = async (query: string) => {
    const { data, has_more } = await api.json('GET', `/v1/batches?${query}`)
    return [...(data as { id: string }[]).map(({ id }) => id), has_more]
  }
  expect(await listIds('order=asc&limit=2')).toEqual([first.id, second.id, true])
  expect(await listIds(`before=${first.id}&limit=1`)).toEqual([second.id, true])
  expect(await listIds(`before=${third.id}&order=asc`)).toEqual([first.id, second.id, false])
  expect(await listIds(`after=${third.id}&before=${first.id}`)).toEqual([second.id, false])
  for (const param of ['after', 'before'])
    expect(await api.refusal('GET', `/v1/batches?${param}=batch_0`)).toMatchObject({ param })
})

test('a batch states its model, and the tokens of what is answered', async () => {
  const { id } = await create([embed('a', 'One two.'), embed('wrong', []), embed('b', 'Three.')])
  const batch = await waitFor(id)
  const output = await readResults(batch.output_file_id)
  const tokens = output.map(result => getTokens(result, 'total_tokens'))
  expect(tokens).toHaveLength(2)
  const total = tokens[0]! + tokens[1]!
  expect(total).toBeGreaterThan(2)
  expect(batch).toMatchObject({
    model: 'passim-embedder',
    usage: {
      ...{ input_tokens: total, output_tokens: 0, total_tokens: total },
      ...{ input_tokens_details: { cached_tokens: 0 } },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  })
})

test('tokens of a chat model are summed, whatever texts and tools say of usage', async () => {
  const usage = '{"usage":{"input_tokens":1000000}}'
  const model = await startScriptedModel(() => ({ text: [usage] }))
  await sandbox.close()
  const settings = { model: { url: model.url, name: 'scripted' } }
  api = new Api(await sandbox.open({ settings }))
  const ask = (id: string, metadata: object = {}) =>
    toLine(id, { input: 'Add two and two.', model: 'm', metadata, store: false }, '/v1/responses')
  const { id } = await create([ask('a'), ask('b', { usage })], '/v1/responses')
  const batch = await waitFor(id)
  const output = await readResults(batch.output_file_id)
  expect(JSON.stringify(output)).toContain('1000000')
  const sum = (name: string) => output.reduce((all, result) => all + getTokens(result, name), 0)
  expect(batch.usage).toMatchObject({
    ...{ input_tokens: sum('input_tokens'), output_tokens: sum('output_tokens') },
    total_tokens: sum('total_tokens'),
  })
  expect(sum('output_tokens')).toBeGreaterThan(0)
  await model.close()
})

/** A batch of questions to a model that answers when it is allowed to. */
async function startHeld() {
  let release = () => {}
  let asked = 0
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const model = await startScriptedModel(async () => {
    asked++
    await held
    return { text: ['Yes.'] }
  })
  return { model, release, countAsked: () => asked }
}

test('a cancelled batch keeps what was answered', async () => {
  const held = await startHeld()
  await sandbox.close()
  const settings = { model: { url: held.model.url, name: 'scripted' } }
  api = new Api(await sandbox.open({ settings }))
  const ask = (id: string) =>
    toLine(id, { input: 'What is two and two?', store: false }, '/v1/responses')
  const { id } = await create(
    [toLine('bad', { input: 5 }, '/v1/responses'), ask('a'), ask('b'), ask('c')],
    '/v1/responses',
  )
  await expect.poll(held.countAsked).toBe(2)
  const cancelled = await api.json('POST', `/v1/batches/${id}/cancel`)
  expect(cancelled.status).toBe('cancelling')
  const batch = await waitFor(id)
  expect(batch).toMatchObject({
    status: 'cancelled',
    request_counts: { total: 4, completed: 0, failed: 1 },
  })
  expect(await readResults(batch.error_file_id)).toHaveLength(1)
  expect(await api.refusal('POST', `/v1/batches/${id}/cancel`)).toMatchObject({ status: 409 })
  held.release()
  await held.model.close()
})

test('lines without an answer expire with the completion window', async () => {
  const held = await startHeld()
  await sandbox.close()
  const settings = { model: { url: held.model.url, name: 'scripted' } }
  const passim = await sandbox.open({ settings })
  api = new Api(passim)
  const ask = (id: string) =>
    toLine(id, { input: 'What is two and two?', store: false }, '/v1/responses')
  const { id } = await create([ask('a'), ask('b'), ask('c')], '/v1/responses')
  await expect.poll(held.countAsked).toBe(2)
  const now = Date.now()
  const realNow = Date.now
  Date.now = () => realNow() + 25 * 60 * 60 * 1000
  try {
    const batch = await waitFor(id)
    expect(batch).toMatchObject({
      status: 'expired',
      request_counts: { total: 3, completed: 0, failed: 3 },
    })
    expect(await readResults(batch.error_file_id)).toMatchObject(
      ['a', 'b', 'c'].map(custom_id => ({
        ...{ custom_id, response: null, error: { code: 'batch_expired' } },
      })),
    )
  } finally {
    Date.now = realNow
  }
  expect(Date.now()).toBeGreaterThanOrEqual(now)
  held.release()
  await held.model.close()
})

test('lines wait for requests of others', async () => {
  const held = await startHeld()
  await sandbox.close()
  const settings = { model: { url: held.model.url, name: 'scripted' } }
  api = new Api(await sandbox.open({ settings }))
  const body = { input: 'What is two and two?', store: false }
  const interactive = api.request('POST', '/v1/responses', body)
  await expect.poll(held.countAsked).toBe(1)
  const { id } = await create([toLine('a', body, '/v1/responses')], '/v1/responses')
  await waitFor(id, ['in_progress'])
  await new Promise(resolve => setTimeout(resolve, 300))
  expect(held.countAsked()).toBe(1)
  held.release()
  expect((await interactive).status).toBe(200)
  expect(await waitFor(id)).toMatchObject({ status: 'completed' })
  expect(held.countAsked()).toBe(2)
  await held.model.close()
})

test('a batch has the rights of its key, and ends with it', async () => {
  const held = await startHeld()
  const keyed = await openKeyed({}, {}, { url: held.model.url, name: 'scripted' })
  try {
    const { key, token } = await keyed.keys.create({
      ...{ name: 'test', tenant: 'acme', scope: 'write' },
    })
    const own = { endpoint: '/v1/responses', completion_window: '24h' }
    const upload = async (text: string) => {
      const form = new FormData()
      form.append('file', new File([text], 'requests.jsonl'))
      form.append('purpose', 'batch')
      const headers = { authorization: `Bearer ${token}` }
      const response = await keyed.app.request('/v1/files', { method: 'POST', body: form, headers })
      return ((await response.json()) as Body).id
    }
    const lines = ['a', 'b', 'c'].map(id =>
      JSON.stringify(toLine(id, { input: 'What is two and two?' }, own.endpoint)),
    )
    const body = { ...own, input_file_id: await upload(lines.join('\n')) }
    const reader = await keyed.token('acme', 'read')
    expect((await keyed.call(reader, 'POST', '/v1/batches', body)).status).toBe(403)
    const made = (await (await keyed.call(token, 'POST', '/v1/batches', body)).json()) as Body
    await expect.poll(held.countAsked).toBe(2)
    await keyed.keys.revoke(key.id)
    const other = await keyed.token('acme')
    const find = async (by: string) => {
      const response = await keyed.call(by, 'GET', `/v1/batches/${made.id}`)
      return { status: response.status, batch: (await response.json()) as Body }
    }
    await expect.poll(async () => (await find(other)).batch.status).toBe('completed')
    const { batch } = await find(other)
    expect(batch.request_counts).toEqual({ total: 3, completed: 0, failed: 3 })
    const path = `/v1/files/${batch.error_file_id}/content`
    const errors = await (await keyed.call(other, 'GET', path)).text()
    expect(errors.match(/"status_code":401/g)).toHaveLength(3)
    expect(held.countAsked()).toBe(2)
    expect((await find(await keyed.token('globex'))).status).toBe(404)
    const restricted = await keyed.keys.create({
      ...{ name: 'part', tenant: 'acme', scope: 'read', collections: ['none'] },
    })
    expect((await find(restricted.token)).status).toBe(404)
  } finally {
    held.release()
    await keyed.close()
    await held.model.close()
  }
})
