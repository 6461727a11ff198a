import type OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptedModel, ScriptedReply } from '../fakes/scripted-model-server.ts'
import { startTravel, type Travel } from './travel.ts'

const schema = {
  type: 'object',
  properties: { prices: { type: 'array', items: { type: 'integer' } } },
}
const named = { name: 'prices', schema, strict: true }
const replies: ScriptedReply[] = [{ text: ['{"prices": ', '[1], "note": "“none”"}'] }]
const written = { prices: [1], note: '“none”' }

let model: ScriptedModel
let client: OpenAI
let store: string
let travel: Travel

beforeAll(async () => {
  travel = await startTravel(replies)
  ;({ model, client, store } = travel)
})
afterAll(() => travel.close())

const messages = [{ role: 'user' as const, content: 'What do hotels cost?' }]
const lastAsked = () => model.requests.at(-1)?.body as Record<string, unknown> | undefined

test('a completion is the JSON that its schema asks for, over sources or without, whole as the model wrote it', async () => {
  const response_format = { type: 'json_schema' as const, json_schema: named }
  for (const name of [store, 'scripted']) {
    const completion = await client.chat.completions.parse({
      model: name,
      messages,
      response_format,
    })
    expect(completion.choices[0]?.message.parsed).toEqual(written)
    expect(lastAsked()?.response_format).toEqual(response_format)
  }
  const stream = client.chat.completions.stream({ model: store, messages, response_format })
  const streamed = (await stream.finalChatCompletion()).choices[0]?.message.content
  expect(JSON.parse(streamed ?? '')).toEqual(written)
})
test('a response is, too, and says so', async () => {
  const format = { type: 'json_schema' as const, ...named }
  const tools = [{ type: 'file_search' as const, vector_store_ids: [store] }]
  const response = await client.responses.parse({
    ...{ model: 'scripted', input: 'What do hotels cost?', tools },
    text: { format },
  })
  expect(response.output_parsed).toEqual(written)
  expect(response.text?.format).toEqual(format)
  expect(lastAsked()?.response_format).toEqual({ type: 'json_schema', json_schema: named })
  expect(JSON.stringify(lastAsked()?.messages)).toContain('This time the answer is JSON')
})
test('any object will do where no schema is given', async () => {
  const response_format = { type: 'json_object' as const }
  const { choices } = await client.chat.completions.create({
    model: 'scripted',
    messages,
    response_format,
  })
  expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual(written)
  expect(lastAsked()?.response_format).toEqual(response_format)
})
test('quotations are no JSON', async () => {
  const response_format = { type: 'json_object' as const }
  const asked = client.chat.completions.create({
    model: 'passim-extractive',
    messages,
    response_format,
  })
  await expect(asked).rejects.toMatchObject({ status: 400, param: 'response_format' })
  const text = { format: response_format }
  const response = client.responses.create({ model: 'passim-extractive', input: 'Who?', text })
  await expect(response).rejects.toMatchObject({ status: 400 })
})
