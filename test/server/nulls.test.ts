import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptedReply } from '../fakes/scripted-model-server.ts'
import { startTravel, type Travel } from './travel.ts'

const script: ScriptedReply[] = [{ text: ['Yes.'] }]
let travel: Travel

beforeAll(async () => {
  travel = await startTravel(script)
})
afterAll(() => travel.close())

const none = (...names: readonly string[]) => Object.fromEntries(names.map(name => [name, null]))

test('null stands for a parameter that is not there, whether the route knows it or not', async () => {
  const { client, store } = travel
  const response = await client.responses.create({
    ...{ model: 'scripted', input: 'Why?', tools: [] },
    ...none(
      'conversation',
      'prompt',
      'reasoning',
      'max_tool_calls',
      'moderation',
      'top_logprobs',
      'include',
      'text',
    ),
  })
  expect(response.output_text).toBe('Yes.')
  const completion = await client.chat.completions.create({
    ...{ model: 'scripted', messages: [{ role: 'user', content: 'Why?', name: null as never }] },
    ...none(
      'audio',
      'modalities',
      'logit_bias',
      'prediction',
      'function_call',
      'store',
      'web_search_options',
      'n',
    ),
  })
  expect(completion.choices[0]?.message.content).toBe('Yes.')
  const found = await client.vectorStores.search(store, {
    query: 'hotels',
    ...none('filters', 'ranking_options'),
  })
  expect(found.data).toHaveLength(1)
  const made = await client.vectorStores.create(
    none('name', 'file_ids', 'expires_after', 'chunking_strategy'),
  )
  const batch = await client.vectorStores.fileBatches.create(made.id, {
    ...{ file_ids: [(await client.files.list()).data[0]?.id ?? ''] },
    ...none('files', 'attributes'),
  })
  expect(batch.file_counts.total).toBe(1)
  const embedded = await client.embeddings.create({
    model: 'passim-embedder',
    input: 'a',
    ...none('dimensions', 'user'),
  })
  expect(embedded.data).toHaveLength(1)
})
test('null deep in a body is absent, too, and kept where it is a value', async () => {
  const { client, model } = travel
  const parameters = { type: 'object', properties: { kind: { enum: ['a', null] } } }
  await client.responses
    .create({
      ...{ model: 'scripted' },
      input: [
        { role: 'user', id: null, content: [{ type: 'input_file', file_id: null }] },
      ] as never,
    })
    .catch((error: unknown) =>
      expect(error).toMatchObject({ status: 400, param: 'input.0.content.0.file_id' }),
    )
  await client.responses.create({
    ...{
      model: 'scripted',
      input: [{ type: 'message', role: 'user', id: null, content: 'Why?' }] as never,
    },
    tools: [{ type: 'function', name: 'look_up', description: null, strict: null, parameters }],
  })
  const asked = await model.request(model.requests.length - 1)
  expect(asked.body.tools).toMatchObject([{ function: { parameters } }])
})
test('null for what is needed is as if it were not there', async () => {
  const asked = travel.client.responses.create({ model: 'scripted', input: null as never })
  await expect(asked).rejects.toBeInstanceOf(OpenAI.BadRequestError)
  await expect(asked).rejects.toMatchObject({ param: 'input' })
})
