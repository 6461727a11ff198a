import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '../../fakes/store.ts'
import { Api, type Body } from '../api.ts'
import { openKeyed } from '../keyed.ts'

let sandbox: Sandbox
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
})
afterAll(() => sandbox.remove())

const check = async (
  [method, path, body]: readonly [method: string, path: string, body?: unknown],
  expected: object,
) => expect((await api.json(method, path, body)).error).toMatchObject(expected)

const QUESTION = { model: 'passim-extractive', messages: [{ role: 'user', content: 'Hotels?' }] }
const CHAT = '/v1/chat/completions'
const type = 'invalid_request_error'

test('a missing parameter has the code of OpenAI', () =>
  check(['POST', CHAT, { model: 'x' }], {
    type,
    code: 'missing_required_parameter',
    param: 'messages',
  }))

test('an unknown parameter has the code of OpenAI', () =>
  check(['POST', '/v1/vector_stores', { colour: 'red' }], {
    type,
    code: 'unknown_parameter',
    param: 'colour',
  }))

test('a parameter of another type has the code of OpenAI', () =>
  check(['POST', CHAT, { ...QUESTION, stream: 'yes' }], {
    type,
    code: 'invalid_type',
    param: 'stream',
  }))

test('a value that is not allowed has the code of OpenAI', () =>
  check(['POST', CHAT, { ...QUESTION, temperature: 3 }], {
    type,
    code: 'invalid_value',
    param: 'temperature',
  }))

test('a refused parameter has the code of OpenAI', () =>
  check(['POST', CHAT, { ...QUESTION, audio: { voice: 'x' } }], {
    type,
    code: 'unsupported_parameter',
    param: 'audio',
  }))

test('an unknown model has the code of OpenAI', () =>
  check(['GET', '/v1/models/gpt-9'], { type, code: 'model_not_found', param: 'model' }))

test('a wrong method has the code of OpenAI', () =>
  check(['PUT', '/v1/files'], { type, code: 'method_not_supported', param: null }))

test('what fails inside has the code of OpenAI', async () => {
  const passim = Object.create(api.passim, {
    files: { get: () => ({ get: () => Promise.reject(new Error('no such column')) }) },
  })
  const { error } = await new Api(passim).json('GET', '/v1/files/file-1')
  expect(error).toMatchObject({ type: 'server_error', code: 'server_error', param: null })
})

test('routes of Passim keep its own codes', async () => {
  const refused: readonly (readonly [string, string, unknown, object])[] = [
    ['POST', '/api/search', {}, { type, code: 'invalid_input', param: 'query' }],
    ['PUT', '/api/search', undefined, { type, code: 'method_not_allowed' }],
  ]
  for (const [method, path, body, expected] of refused)
    expect(((await api.json(method, path, body)) as Body).error).toMatchObject(expected)
})

test('a wrong key and too many requests have the codes of OpenAI', async () => {
  const keyed = await openKeyed({ requestsPerMinute: 1 })
  const errorOf = async (key: string, path: string) =>
    ((await (await keyed.call(key, 'GET', path)).json()) as Body).error
  try {
    const token = await keyed.token('office')
    expect(await errorOf('pk_wrong', '/v1/models')).toMatchObject({ type, code: 'invalid_api_key' })
    expect(await errorOf('pk_wrong', '/api/jobs')).toMatchObject({ type, code: 'unauthorized' })
    await keyed.call(token, 'GET', '/v1/models')
    expect(await errorOf(token, '/v1/models')).toMatchObject({
      type: 'requests',
      code: 'rate_limit_exceeded',
    })
    expect(await errorOf(token, '/api/jobs')).toMatchObject({ type, code: 'rate_limited' })
  } finally {
    await keyed.close()
  }
})
