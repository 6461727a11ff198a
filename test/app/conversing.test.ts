import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { Conversations } from '../../src/conversations/conversations.ts'
import { toFailure } from '../../src/errors.ts'
import type { Statements } from '../../src/ingest/store/catalog.ts'
import { createId } from '../../src/system/digest.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await Sandbox.make()
})
afterAll(() => sandbox.remove())

const question = 'What do hotels cost?'
const FINISH: AgentEvent = {
  type: 'finish',
  result: {
    ...{
      question,
      text: 'Forty.',
      abstained: false,
      mode: 'model',
      citations: [],
      unsupported: [],
      finishReason: 'stop',
    },
    messages: [],
  },
}

test('an answer is whole together with what belongs to that, or neither is', async () => {
  const passim = await sandbox.open()
  const begin = async (
    conversationId: string,
    onComplete: (inside: Statements) => Promise<void>,
  ) => {
    const { id } = await passim.conversationService.start({
      ...{
        id: createId('run_'),
        conversationId,
        question,
        request: {},
        failureOf: toFailure,
        onComplete,
      },
      items: [{ kind: 'message', role: 'user', content: question }],
      events: async function* () {
        yield { type: 'text-delta', text: 'Forty.' }
        yield FINISH
      },
    })
    const types: string[] = []
    for await (const { event } of passim.conversationService.readEvents(
      id,
      0,
      AbortSignal.timeout(10_000),
    ))
      types.push(event.type)
    return { run: await passim.conversationService.findRun(id), types }
  }
  const { id } = await passim.conversations.create()
  const refused = await begin(id, async inside => {
    await new Conversations(inside).create({ id: 'conv_along' })
    throw new Error('The disk is gone.')
  })
  expect([refused.run?.status, refused.types.at(-1)]).toEqual(['failed', 'failed'])
  expect(refused.types).not.toContain('finish')
  const whole = await begin(id, async inside => {
    await new Conversations(inside).update(id, { title: 'Answered' })
  })
  expect([whole.run?.status, whole.types.at(-1)]).toEqual(['completed', 'finish'])
  expect((await passim.conversations.get(id)).title).toBe('Answered')
})

test('of two that want the last room at once one is refused, and nothing of it is kept', async () => {
  const passim = await sandbox.open()
  const begin = async (conversationId: string) =>
    await passim.conversationService.start({
      ...{ id: createId('run_'), conversationId, question, request: {}, failureOf: toFailure },
      items: [{ kind: 'message', role: 'user', content: question }],
      events: async function* (signal) {
        if (!signal.aborted) await once(signal, 'abort')
        yield FINISH
      },
    })
  for (let begun = 0; begun < 31; begun++) await begin((await passim.conversations.create()).id)
  const ids = [(await passim.conversations.create()).id, (await passim.conversations.create()).id]
  const outcomes = await Promise.allSettled(ids.map(begin))
  expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'rate_limited' } }])
  expect(
    await Promise.all(ids.map(async id => (await passim.conversations.get(id)).turns)),
  ).toEqual([1, 0])
  const count = async () => (await passim.conversations.list({ limit: 1_000 })).length
  const before = await count()
  await expect(passim.conversationService.ask({ question }, 'new')).rejects.toMatchObject({
    code: 'rate_limited',
  })
  expect(await count()).toBe(before)
})
