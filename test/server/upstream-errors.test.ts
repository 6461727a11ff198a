import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { openKeyed } from './keyed.ts'

let service: Awaited<ReturnType<typeof openKeyed>>
let model: ScriptedModel
const script: ScriptedReply[] = []

beforeAll(async () => {
  model = await startScriptedModel(script)
  service = await openKeyed({}, {}, { url: model.url, name: 'scripted' })
})
afterAll(async () => {
  await service.close()
  await model.close()
})

/** What a tenant is told where the model's server answers so, and whether its client should try again. */
async function answerTo(status: number, headers: Record<string, string> = {}) {
  script.push({ status, headers, body: JSON.stringify({ error: { message: 'org-1 says no' } }) })
  const body = { model: 'scripted', messages: [{ role: 'user', content: 'Why?' }] }
  const response = await service.call(
    await service.token('acme'),
    'POST',
    '/v1/chat/completions',
    body,
  )
  const { error } = (await response.json()) as { error: { code: string; message: string } } // the envelope
  const told = Object.fromEntries(
    ['x-should-retry', 'retry-after', 'retry-after-ms'].map(name => [
      name,
      response.headers.get(name),
    ]),
  )
  return { status: response.status, ...error, ...told }
}

const REFUSED = /would refuse it again. Send a shorter or different request.*x-request-id/
const FOR_THE_OPERATOR = /does not know the model or refuses this service's key.*x-request-id/

test.each([
  [400, 'model_refused', REFUSED],
  [401, 'model_unauthorized', FOR_THE_OPERATOR],
  [403, 'model_unauthorized', FOR_THE_OPERATOR],
  [404, 'model_missing', FOR_THE_OPERATOR],
  [422, 'model_refused', REFUSED],
])('what a model refuses with %i is `%s`, and not tried again', async (status, code, message) => {
  const told = await answerTo(status)
  expect(told).toMatchObject({ status: 502, 'x-should-retry': 'false', 'retry-after': null })
  expect(told).toMatchObject({ type: 'server_error', param: null, code })
  expect(told.message).toMatch(message)
  expect(told.message).not.toContain('org-1')
  expect(service.log.at(-1)).toContain(`answered ${status}: org-1 says no`)
})

test.each([
  [429, 429],
  [503, 503],
])(
  'how long a model that answers %i asks to be left alone is handed on',
  async (upstream, status) => {
    const told = await answerTo(upstream, { 'retry-after': '30' })
    expect(told).toMatchObject({
      status,
      code: upstream === 429 ? 'rate_limit_exceeded' : 'model_unavailable',
      'x-should-retry': null,
      'retry-after': '30',
      'retry-after-ms': '30000',
    })
  },
)

test('a model that fails without saying for how long may be tried again', async () =>
  expect(await answerTo(500)).toMatchObject({
    status: 503,
    'x-should-retry': null,
    'retry-after': null,
  }))
