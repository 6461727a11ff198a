import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chosenProfile } from '../fakes/model-profiles.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { type Running, startServer } from './running.ts'

let server: Running
let model: ScriptedModel
let client: OpenAI

beforeAll(async () => {
  model = await startScriptedModel([{ text: ['At most ', '120 euros [1].'] }])
  server = await startServer({ settings: { model: { url: model.url, name: 'scripted' } } })
  await server.sandbox.write({ 'hotel.md': 'Hotels cost at most 120 euros a night.' })
  await server.passim.index([server.sandbox.path('')], { collection: 'travel' })
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
})
afterAll(async () => {
  await server.close()
  await model.close()
})

const prompt = 'What do hotels cost at most?'

test('a prompt is answered from the collection that the model names', async () => {
  const { id, object, choices, usage } = await client.completions.create({
    model: 'travel',
    prompt: [prompt],
    temperature: 0.5,
    max_tokens: 100,
  })
  expect([id, object]).toEqual([expect.stringMatching(/^cmpl-/), 'text_completion'])
  expect(choices).toEqual([
    { index: 0, text: 'At most 120 euros [1].', logprobs: null, finish_reason: 'stop' },
  ])
  expect(usage?.total_tokens).toBeGreaterThan(0)
  const { body } = model.requests.at(-1)!
  if (!chosenProfile) expect(body).toMatchObject({ temperature: 0.5, max_tokens: 100 }) // servers refuse them
  expect(JSON.stringify(body.messages)).toContain('120 euros')
})

test('a stream has the same text in pieces, then the reason of its end and the usage', async () => {
  const stream = await client.completions.create({
    model: 'travel',
    prompt,
    stream: true,
    stream_options: { include_usage: true },
  })
  const pieces = []
  for await (const piece of stream) pieces.push(piece)
  expect(pieces.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe(
    'At most 120 euros [1].',
  )
  expect(pieces.at(-2)?.choices[0]?.finish_reason).toBe('stop')
  expect(pieces.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } })
})

test('what a text completion cannot have here is refused by name', async () => {
  const refusal = async (body: object) =>
    await client.completions.create({ model: 'travel', prompt, ...body }).then(
      () => undefined,
      (error: unknown) => error,
    )
  for (const [param, body] of [
    ['prompt', { prompt: ['a', 'b'] }],
    ['prompt.0', { prompt: [5] }],
    ['suffix', { suffix: 'x' }],
    ['logprobs', { logprobs: 2 }],
    ['best_of', { best_of: 3 }],
    ['echo', { echo: true }],
  ] as const)
    expect(await refusal(body)).toMatchObject({ status: 400, param })
  expect(await refusal({ prompt: ['a', 'b'] })).toMatchObject({
    message: expect.stringMatching(/prompt has to be at most 1 item long\.$/),
  })
})

test.each([
  ['/v1/responses/compact', 'previous_response_id'],
  ['/v2/embed', '/v1/embeddings'],
  ['/v1/messages', '/v1/chat/completions'],
  ['/chat/completions', 'let its base URL end in /v1'],
  ['/vector_stores/vs_1/search', 'let its base URL end in /v1'],
  ['/nothing', 'GET /openapi.json'],
])('%s is refused with what to use instead', async (path, instead) => {
  const response = await fetch(server.url + path, { method: 'POST', body: '{}' })
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining(instead)])
})
