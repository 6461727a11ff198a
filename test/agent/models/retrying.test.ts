import { afterEach, expect, test } from 'vitest'
import type { ModelRequest } from '../../../src/agent/model.ts'
import { OpenAIModel } from '../../../src/agent/models/openai/openai.ts'
import { RetryingModel, type RetryOptions } from '../../../src/agent/models/retrying.ts'
import { collect } from '../../fakes/scripted-chat-model.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../../fakes/scripted-model-server.ts'

const REQUEST: ModelRequest = {
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [],
  toolChoice: 'auto',
}
const PIECE = 'data: {"choices":[{"delta":{"content":"one"}}]}\n\n'
const DONE: ScriptedReply = { text: ['done'] }

const open: ScriptedModel[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(server => server.close()))
})

/** A model with three retries over a server with this script, and the waits that it made. */
async function start(script: readonly ScriptedReply[], options: Partial<RetryOptions> = {}) {
  const server = await startScriptedModel(script)
  open.push(server)
  const waits: number[] = []
  const wait = async (delayMs: number) => void waits.push(delayMs)
  const inner = new OpenAIModel({ url: server.url, name: 'scripted' })
  const model = new RetryingModel(inner, { maxRetries: 3, random: () => 0, wait, ...options })
  return { server, waits, model }
}

/** The answer comes after these waits, in milliseconds. */
async function checkWaits(script: readonly ScriptedReply[], expected: readonly number[]) {
  const { model, waits } = await start(script)
  expect((await collect(model.stream(REQUEST)))[0]).toEqual({ type: 'text-delta', text: 'done' })
  expect(waits).toEqual(expected)
}

/** The failure is told after the first try. */
async function checkNotRetried(reply: ScriptedReply, options?: Partial<RetryOptions>) {
  const { model, server } = await start([reply, DONE], options)
  await expect(collect(model.stream(REQUEST))).rejects.toMatchObject({ name: 'AppError' })
  expect(server.requests).toHaveLength(1)
}

test('a failing server is tried again after 1, 2 and 4 s', () =>
  checkWaits([{ status: 500 }, { status: 503 }, { status: 502 }, DONE], [1000, 2000, 4000]))
test('a server that names a time to wait gets it', () =>
  checkWaits([{ status: 429, headers: { 'retry-after': '7' } }, DONE], [7000]))
test('a server that names a date to wait for is left alone until then', async () => {
  const date = new Date(Date.now() + 60_000).toUTCString()
  const { model, waits } = await start([{ status: 503, headers: { 'retry-after': date } }, DONE])
  await collect(model.stream(REQUEST))
  expect(waits).toHaveLength(1)
  expect(waits[0]).toBeGreaterThan(50_000)
  expect(waits[0]).toBeLessThanOrEqual(60_000)
})
test('a connection that drops before the first word is tried again', () =>
  checkWaits([{ raw: '', ending: 'drop' }, DONE], [1000]))
test('what is no event of a model is tried again', () =>
  checkWaits([{ raw: 'data: {oops\n\n' }, DONE], [1000]))
test('after the first word nothing is tried again: it cannot be taken back', () =>
  checkNotRetried({ raw: PIECE, ending: 'drop' }))
test('a refused request is not tried again', () => checkNotRetried({ status: 400, body: 'bad' }))
test('a refusal that comes as a piece of the answer is not tried again', () =>
  checkNotRetried({ raw: 'data: {"error":{"code":400,"message":"bad"}}\n\n' }))
test('a refused key is not tried again', () => checkNotRetried({ status: 401 }))
test.each([
  'data_inspection_failed',
  'This model has a maximum context length of 9 tokens',
  'Inappropriate content',
])('"%s" is final, whatever its status', reason =>
  checkNotRetried({ status: 500, body: JSON.stringify({ error: { message: reason } }) }),
)
test('a server that asks for more than the longest wait is not tried again', () =>
  checkNotRetried({ status: 429, headers: { 'retry-after': '301' } }))
test('by default only a busy server is tried again, twice and not for long', async () => {
  await checkNotRetried({ status: 500 }, { maxRetries: undefined })
  await checkNotRetried(
    { status: 429, headers: { 'retry-after': '60' } },
    { maxRetries: undefined },
  )
  const { model, waits } = await start([{ status: 503 }], { maxRetries: undefined })
  await expect(collect(model.stream(REQUEST))).rejects.toMatchObject({ code: 'model_unavailable' })
  expect(waits).toEqual([1000, 2000])
})

test('waits are spread by chance and never over the longest', async () => {
  const { model, waits } = await start([{ status: 500 }], { maxRetries: 12, random: () => 0.5 })
  await expect(collect(model.stream(REQUEST))).rejects.toMatchObject({ code: 'model_unavailable' })
  expect(waits.slice(0, 2)).toEqual([1500, 3000])
  expect(waits.at(-1)).toBe(300_000)
})

test('an abort ends the wait', async () => {
  const controller = new AbortController()
  const server = await startScriptedModel([{ status: 500 }])
  open.push(server)
  const inner = new OpenAIModel({ url: server.url, name: 'scripted' })
  const model = new RetryingModel(inner, {
    maxRetries: 1,
    firstDelayMs: 3_600_000,
    maxDelayMs: 3_600_000,
  })
  const reading = collect(model.stream(REQUEST, controller.signal))
  await (await server.request(0)).closed
  controller.abort()
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
})
