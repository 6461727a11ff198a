import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MODEL_PROFILES, startProfile } from '../fakes/model-profiles.ts'
import type { ScriptedModel } from '../fakes/scripted-model-server.ts'
import { type Running, startServer } from './running.ts'

/** Refuses `reasoning_effort` with tools, and a temperature. */
const profile = MODEL_PROFILES.find(({ name }) => name === 'OpenAI')!

let model: ScriptedModel
let server: Running
let client: OpenAI

beforeAll(async () => {
  model = await startProfile(profile, () => ({ text: 'At most 120 euros.' }))
  const settings = { model: { url: model.url, name: 'scripted', key: 'secret' } }
  server = await startServer({ settings })
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
})
afterAll(async () => {
  await server.close()
  await model.close()
})

const parameters = { type: 'object', properties: {} }
const chat = {
  model: 'scripted',
  messages: [{ role: 'user' as const, content: 'What do hotels cost?' }],
  tools: [{ type: 'function' as const, function: { name: 'book', parameters } }],
  reasoning_effort: 'high' as const,
  temperature: 0.2,
}
const turn = {
  model: 'scripted',
  input: 'What do hotels cost?',
  tools: [{ type: 'function' as const, name: 'book', parameters, strict: false }],
  reasoning: { effort: 'high' as const },
  temperature: 0.2,
}

const spans = { 'x-passim-spans': '1' }
const chinese = { ...spans, 'accept-language': 'zh-CN,zh;q=0.9' }

const toWarnings = (...messages: readonly RegExp[]) => ({
  passim_warnings: messages.map(message => ({
    code: 'setting_refused',
    message: expect.stringMatching(message),
  })),
})
const ENGLISH = toWarnings(
  /^The server of the model scripted .*: reasoning_effort is sent as none with tools\.$/,
  /^The server of the model scripted .*: temperature is left out\.$/,
)
const CHINESE = toWarnings(/^模型 scripted .*reasoning_effort/, /^模型 scripted .*temperature/)

const LANGUAGES = [
  ['English', spans, ENGLISH],
  ['Chinese', chinese, CHINESE],
] as const

async function readAll<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
const getChunks = async (headers: Readonly<Record<string, string>>) => {
  const usage = { stream: true, stream_options: { include_usage: true } } as const
  const stream = await client.chat.completions.create({ ...chat, ...usage }, { headers })
  return await readAll(stream)
}
const getLast = async (headers: Readonly<Record<string, string>>) =>
  (await getChunks(headers)).at(-2)?.choices[0]?.delta
const prompt = { model: 'scripted', prompt: 'What do hotels cost?', temperature: 0.2 }
const getPieces = async (headers: Readonly<Record<string, string>>) =>
  await readAll(await client.completions.create({ ...prompt, stream: true }, { headers }))

describe('settings that the server of the model refuses', () => {
  test.each(LANGUAGES)(
    'are warnings in %s of a chat completion, plain or streamed',
    async (_, headers, warnings) => {
      const { choices } = await client.chat.completions.create(chat, { headers })
      expect(choices[0]?.message).toMatchObject(warnings)
      expect(await getLast(headers)).toMatchObject(warnings)
    },
  )

  test.each(LANGUAGES)(
    'are warnings in %s of a text completion, plain or streamed',
    async (_, headers, { passim_warnings }) => {
      const warnings = { passim_warnings: passim_warnings.slice(1) }
      const { choices } = await client.completions.create(prompt, { headers })
      expect(choices[0]).toMatchObject(warnings)
      expect((await getPieces(headers)).at(-1)?.choices[0]).toMatchObject(warnings)
    },
  )

  test.each(LANGUAGES)(
    'are warnings in %s of a response, plain, streamed or stored',
    async (_, headers, warnings) => {
      const response = await client.responses.create(turn, { headers })
      expect(response).toMatchObject(warnings)
      expect(await client.responses.stream(turn, { headers }).finalResponse()).toMatchObject(
        warnings,
      )
      expect(await client.responses.retrieve(response.id, {}, { headers })).toMatchObject(warnings)
    },
  )

  test('are codes in the metadata without the header', async () => {
    const metadata = { passim_warnings: 'setting_refused' }
    const completion = await client.chat.completions.create(chat)
    expect(completion).toMatchObject({ metadata })
    const responses = [
      await client.responses.create({ ...turn, metadata: { mine: '1' } }),
      await client.responses.stream({ ...turn, metadata: { mine: '1' } }).finalResponse(),
    ]
    for (const response of responses) {
      expect(response.metadata).toEqual({ mine: '1', ...metadata })
      expect(response).not.toHaveProperty('passim_warnings')
    }
    for (const shown of [completion.choices[0]?.message, await getLast({})])
      expect(shown).not.toHaveProperty('passim_warnings')
  })

  test('are codes at the end of a stream and of a text completion without the header', async () => {
    const metadata = { passim_warnings: 'setting_refused' }
    const chunks = await getChunks({})
    expect(chunks.filter(chunk => 'metadata' in chunk)).toEqual([chunks.at(-2)])
    expect(chunks.at(-2)).toMatchObject({ metadata, choices: [{ finish_reason: 'stop' }] })
    const pieces = await getPieces({})
    expect(pieces.filter(piece => 'metadata' in piece)).toEqual([pieces.at(-1)])
    for (const completion of [pieces.at(-1), await client.completions.create(prompt)]) {
      expect(completion).toMatchObject({ metadata })
      expect(completion?.choices[0]).not.toHaveProperty('passim_warnings')
    }
  })

  test('an answer without a refusal has no warnings', async () => {
    const { messages } = chat
    const completion = await client.chat.completions.create(
      { model: 'scripted', messages },
      { headers: spans },
    )
    expect(completion).toMatchObject({ metadata: {} })
    expect(completion.choices[0]?.message).not.toHaveProperty('passim_warnings')
    const { model: name, input } = turn
    const response = await client.responses.create({ model: name, input }, { headers: spans })
    expect(response).not.toHaveProperty('passim_warnings')
    expect(response.metadata).toEqual({})
    const { prompt: question } = prompt
    const text = await client.completions.create({ model: name, prompt: question })
    expect(text).not.toHaveProperty('metadata')
  })
})
