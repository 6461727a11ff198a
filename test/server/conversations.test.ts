import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'

let sandbox: Sandbox
let model: ScriptedModel
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel([{ text: ['Yes.'] }])
  const settings = {
    model: { url: model.url, name: 'scripted', maxInputTokens: 500 },
    server: { maxConversationBytes: 20_000 },
  }
  api = new Api(await sandbox.open({ settings }))
})
afterAll(async () => {
  await sandbox.remove()
  await model.close()
})

const respond = (input: string, previous_response_id?: string) =>
  api.json('POST', '/v1/responses', { model: 'scripted', input, previous_response_id })

/** The id of the last of so many turns of 3,000 characters. */
async function talk(turns: number): Promise<string> {
  let id: string | undefined
  for (let at = 0; at < turns; at++)
    id = String((await respond(`${at} ${'x'.repeat(3_000)}`, id)).id)
  return id!
}

test('a conversation is gone on from until it is larger than the setting says, and not after that', async () => {
  const id = await talk(7)
  const refused = await api.request('POST', '/v1/responses', {
    input: 'More?',
    previous_response_id: id,
    store: false,
  })
  expect([refused.status, await refused.json()]).toMatchObject([
    413,
    {
      error: {
        code: 'too_large',
        message: expect.stringMatching(/server\.maxConversationBytes.*previous_response_id/),
      },
    },
  ])
})

test('of a conversation only as many turns are read as a model can see', async () => {
  const id = await talk(5)
  const read = await api.passim.responses.readConversation(id, {
    maxBytes: 20_000,
    readBytes: 4_000,
  })
  const asked = read
    ?.filter(({ role }) => role === 'user')
    .map(({ content }) => String(content).split(' ')[0])
  expect(asked).toEqual(['3', '4'])
  expect(await respond('And?', id)).toMatchObject({ status: 'completed' })
  const { messages } = (await model.request(model.requests.length - 1)).body
  expect(messages.at(-1)).toMatchObject({ role: 'user', content: 'And?' })
})

test('a turn that was deleted is missed, also where it need not be read', async () => {
  const first = String((await respond('x'.repeat(3_000))).id)
  const second = String((await respond('y'.repeat(3_000), first)).id)
  const third = String((await respond('z'.repeat(3_000), second)).id)
  await api.request('DELETE', `/v1/responses/${first}`)
  const refused = await api.refusal('POST', '/v1/responses', {
    input: 'And?',
    previous_response_id: third,
  })
  expect(refused).toEqual({ status: 404, code: 'not_found', param: 'previous_response_id' })
})

test('a thousand turns are all that a conversation has', async () => {
  const { responses } = api.passim
  for (let at = 0; at < 1_001; at++) {
    const turn = { status: 'completed', messages: [], input: [], body: {} }
    await responses.save(
      { id: `resp_${at}`, ...(at > 0 && { previousId: `resp_${at - 1}` }), ...turn },
      'new',
    )
  }
  const refused = await api.refusal('POST', '/v1/responses', {
    input: 'And?',
    previous_response_id: 'resp_1000',
  })
  expect(refused).toEqual({ status: 413, code: 'too_large', param: null })
  expect(await respond('And?', 'resp_999')).toMatchObject({ status: 'completed' })
})

/** What this thread has read from files, in bytes; Linux only. */
const readBytes = () =>
  Number(/^rchar: (\d+)/.exec(readFileSync('/proc/thread-self/io', 'utf8'))?.[1])

test.skipIf(process.platform !== 'linux')(
  'the turns that are not needed are not read, nor any of a conversation that is too long',
  async () => {
    const { responses } = api.passim
    const text = 'x'.repeat(2_000_000)
    for (let at = 0; at < 20; at++) {
      const turn = {
        status: 'completed',
        messages: [{ role: 'user', content: text }],
        input: [text],
        body: { text },
      } as const
      await responses.save(
        { id: `resp_long${at}`, ...(at > 0 && { previousId: `resp_long${at - 1}` }), ...turn },
        'new',
      )
    }
    const before = readBytes()
    const read = await responses.readConversation('resp_long19', {
      maxBytes: 100_000_000,
      readBytes: 1_000,
    })
    expect(read).toHaveLength(1)
    const between = readBytes()
    expect(between - before).toBeLessThan(8_000_000) // one turn of twenty, whose row has 6 MB
    await expect(
      responses.readConversation('resp_long19', { maxBytes: 10_000_000, readBytes: 1_000 }),
    ).rejects.toThrow('server.maxConversationBytes')
    expect(readBytes() - between).toBeLessThan(500_000)
  },
)
