import assert from 'node:assert/strict'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import { embedMany, generateText, stepCountIs, streamText, type ToolSet, tool } from 'ai'
import OpenAI, { toFile } from 'openai'
import { z } from 'zod'

/** Where the clients find the service, and a vector store that says what hotels cost. */
export type Place = {
  readonly baseURL: string
  readonly store: string
  readonly fetch: typeof fetch
}

type Scenario = (place: Place) => Promise<void>

const ANSWER = 'At most 120 euros [1].'
const question = 'What do hotels cost?'
const messages = [{ role: 'user' as const, content: question }]
const place = z.object({ place: z.string() })
const lookUp = tool({ description: 'Looks up a place.', inputSchema: place, execute: () => 'open' })
const functionTool = {
  name: 'look_up',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
}
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='

function openai({ baseURL, fetch }: Place): OpenAI {
  return new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0, fetch })
}

async function rejects(calling: Promise<unknown>, status: number): Promise<void> {
  await assert.rejects(calling, (error: { status?: number; statusCode?: number }) => {
    return (error.status ?? error.statusCode) === status
  })
}

/** What openai for Node does with files, uploads, vector stores and their searches. */
const stores: Scenario = async at => {
  const client = openai(at)
  const file = await client.files.create({
    file: await toFile(Buffer.from('A cello.'), 'c.txt'),
    purpose: 'assistants',
  })
  assert.equal((await client.files.retrieve(file.id)).filename, 'c.txt')
  assert.equal(await (await client.files.content(file.id)).text(), 'A cello.')
  for await (const _ of client.files.list({ limit: 50 }));
  const upload = await client.uploads.create({
    ...{ filename: 'd.txt', purpose: 'user_data', bytes: 4, mime_type: 'text/plain' },
  })
  const part = await client.uploads.parts.create(upload.id, {
    data: await toFile(Buffer.from('drum'), 'd'),
  })
  const whole = await client.uploads.complete(upload.id, { part_ids: [part.id] })
  const store = await client.vectorStores.create({ name: 'music', metadata: { kind: 'test' } })
  await client.vectorStores.fileBatches.createAndPoll(store.id, {
    file_ids: [file.id, whole.file?.id ?? ''],
  })
  assert.equal(
    (await client.vectorStores.search(store.id, { query: 'cello', max_num_results: 1 })).data
      .length,
    1,
  )
  await client.vectorStores.files.update(file.id, {
    vector_store_id: store.id,
    attributes: { year: 2026 },
  })
  const filters = { type: 'eq' as const, key: 'year', value: 2026 }
  const found = await client.vectorStores.search(store.id, { query: ['cello', 'drum'], filters })
  assert.deepEqual(
    found.data.map(({ filename }) => filename),
    ['c.txt'],
  )
  assert.equal(
    (await client.vectorStores.files.content(file.id, { vector_store_id: store.id })).data.length,
    1,
  )
  for await (const _ of client.vectorStores.files.list(store.id, { filter: 'completed' }));
  await client.vectorStores.update(store.id, { name: 'more', expires_after: null })
  await client.vectorStores.files.delete(file.id, { vector_store_id: store.id })
  await client.vectorStores.delete(store.id)
  for (const { id } of [file, whole.file!]) await client.files.delete(id)
  await rejects(client.files.retrieve(file.id), 404)
  await rejects(client.vectorStores.search(at.store, { query: 'x', max_num_results: 51 }), 400)
}

/** What openai for Node does with models, embeddings and chat. */
const chat: Scenario = async at => {
  const client = openai(at)
  const { data } = await client.models.list()
  assert.equal((await client.models.retrieve(data[0]!.id)).object, 'model')
  assert.equal(
    (await client.embeddings.create({ model: 'passim-embedder', input: ['a', 'b'] })).data.length,
    2,
  )
  const optional = {
    temperature: null,
    stop: null,
    seed: null,
    response_format: undefined,
    user: undefined,
  }
  const whole = await client.chat.completions.create({ model: at.store, messages, ...optional })
  assert.equal(whole.choices[0]?.message.content, ANSWER)
  const stream = client.chat.completions.stream({
    model: at.store,
    messages,
    stream_options: { include_usage: true },
  })
  assert.equal((await stream.finalChatCompletion()).choices[0]?.message.content, ANSWER)
  const tools = [{ type: 'function' as const, function: { ...functionTool, strict: true } }]
  const asked = [
    { role: 'user' as const, name: 'ann', content: [{ type: 'text' as const, text: question }] },
  ]
  const called = await client.chat.completions.create({
    ...{ model: 'scripted', messages: asked, tools, reasoning_effort: 'low', verbosity: 'low' },
    ...{
      max_completion_tokens: 100,
      frequency_penalty: 0.1,
      logit_bias: { '1': 1 },
      modalities: ['text'],
    },
  })
  assert.equal(called.choices[0]?.finish_reason, 'tool_calls')
  const image = [{ type: 'image_url' as const, image_url: { url: PICTURE } }]
  await client.chat.completions.create({
    ...{ model: 'scripted', messages: [...messages, { role: 'user', content: image }] },
  })
  await rejects(client.chat.completions.create({ model: 'scripted', messages, n: 2 }), 400)
}

/** What openai for Node does with responses. */
const responses: Scenario = async at => {
  const client = openai(at)
  const tools = [{ type: 'file_search' as const, vector_store_ids: [at.store] }]
  const include = ['file_search_call.results' as const]
  const first = await client.responses.create({
    ...{
      model: 'scripted',
      input: question,
      tools,
      include,
      reasoning: { effort: 'low' },
      temperature: null,
    },
  })
  assert.equal(first.output_text, ANSWER)
  assert.ok(first.output.some(({ type }) => type === 'reasoning'))
  const stream = client.responses.stream({ model: 'scripted', input: question, tools })
  assert.equal((await stream.finalResponse()).output_text, ANSWER)
  await client.responses.retrieve(first.id, { include })
  for await (const _ of client.responses.inputItems.list(first.id));
  const message = first.output.find(({ type }) => type === 'message')
  await client.responses.create({
    model: 'scripted',
    input: [
      { type: 'item_reference', id: message?.id ?? '' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'And what is in this file?' },
          {
            type: 'input_file',
            filename: 'a.txt',
            file_data: Buffer.from('An apple.').toString('base64'),
          },
          { type: 'input_image', image_url: PICTURE, detail: 'auto' },
        ],
      },
    ],
  })
  const functions = [{ type: 'function' as const, strict: false, ...functionTool }]
  const calling = client.responses.stream({ model: 'scripted', input: question, tools: functions })
  const call = (await calling.finalResponse()).output.find(item => item.type === 'function_call')
  assert.equal(call?.arguments, '{"place":"Rome"}')
  const input = [{ type: 'function_call_output' as const, call_id: call.call_id, output: 'open' }]
  const previous_response_id = (await calling.finalResponse()).id
  await client.responses.create({
    model: 'scripted',
    input,
    tools: functions,
    previous_response_id,
  })
  await client.responses.inputTokens.count({ model: 'gpt-4o', input: question })
  await client.responses.delete(first.id)
  await rejects(client.responses.retrieve(first.id), 404)
}

/** What `ai` does through `@ai-sdk/openai-compatible`. */
const compatible: Scenario = async ({ baseURL, store, fetch }) => {
  const provider = createOpenAICompatible({ name: 'passim', baseURL, fetch, includeUsage: true })
  const { text, reasoningText } = await generateText({
    model: provider(store),
    prompt: question,
    maxRetries: 0,
  })
  assert.deepEqual([text, reasoningText], [ANSWER, 'Hotels, hm.'])
  const stream = streamText({
    ...{ model: provider('scripted'), prompt: question, maxRetries: 0 },
    ...{ tools: { look_up: lookUp }, stopWhen: stepCountIs(3) },
  })
  const kinds = new Set<string>()
  for await (const { type } of stream.fullStream) kinds.add(type)
  assert.ok(
    kinds.has('tool-input-delta') && kinds.has('tool-result') && kinds.has('reasoning-delta'),
  )
  assert.equal((await stream.usage).totalTokens, 15)
  const model = provider.textEmbeddingModel('passim-embedder')
  assert.equal((await embedMany({ model, values: ['a', 'b'], maxRetries: 0 })).embeddings.length, 2)
}

/** What `ai` does through `@ai-sdk/openai`: responses, which it asks by default, and chat completions. */
const aiOpenAI: Scenario = async ({ baseURL, store, fetch }) => {
  const provider = createOpenAI({ baseURL, apiKey: 'none', fetch })
  const search = provider.tools.fileSearch({
    vectorStoreIds: [store],
  }) as unknown as ToolSet[string] // of another copy of its types
  const { text, sources } = await generateText({
    ...{
      model: provider('scripted'),
      prompt: question,
      tools: { file_search: search },
      maxRetries: 0,
    },
  })
  assert.equal(text, ANSWER)
  assert.equal(sources.length, 1)
  const stream = streamText({
    ...{ model: provider('scripted'), prompt: question, maxRetries: 0 },
    ...{ tools: { look_up: lookUp }, stopWhen: stepCountIs(3) },
  })
  const kinds = new Set<string>()
  for await (const { type } of stream.fullStream) kinds.add(type)
  assert.ok(kinds.has('tool-input-delta') && kinds.has('tool-result'))
  const completion = await generateText({
    model: provider.chat(store),
    prompt: question,
    maxRetries: 0,
  })
  assert.equal(completion.text, ANSWER)
}

/** What `@langchain/openai` does: chat completions, responses and embeddings. */
const langchain: Scenario = async ({ baseURL, store, fetch }) => {
  const configuration = { baseURL, fetch }
  const options = { apiKey: 'none', maxRetries: 0, configuration }
  const model = new ChatOpenAI({ model: store, ...options })
  assert.equal((await model.invoke(question)).text, ANSWER)
  let streamed = ''
  for await (const piece of await model.stream(question)) streamed += piece.text
  assert.equal(streamed, ANSWER)
  const tools = [{ type: 'function' as const, function: functionTool }]
  const bound = new ChatOpenAI({ model: 'scripted', ...options }).bindTools(tools)
  const asked = new HumanMessage(question)
  const called = await bound.invoke([asked])
  const [call] = called.tool_calls ?? []
  assert.deepEqual(call?.args, { place: 'Rome' })
  const result = new ToolMessage({ content: 'open', tool_call_id: call.id ?? '' })
  assert.equal((await bound.invoke([asked, called, result])).text, ANSWER)
  const schema = {
    title: 'price',
    type: 'object',
    properties: { price: { type: 'number' } },
    required: ['price'],
  }
  const structured = new ChatOpenAI({ model: 'scripted', ...options }).withStructuredOutput(
    schema,
    {
      method: 'jsonSchema',
    },
  )
  assert.deepEqual(await structured.invoke(question), { price: 120 })
  const search = { type: 'file_search', vector_store_ids: [store] }
  const responding = new ChatOpenAI({
    model: 'scripted',
    useResponsesApi: true,
    ...options,
  }).bindTools([search])
  assert.equal((await responding.invoke(question)).text, ANSWER)
  let spoken = ''
  for await (const piece of await responding.stream(question)) spoken += piece.text
  assert.equal(spoken, ANSWER)
  const embeddings = new OpenAIEmbeddings({ model: 'passim-embedder', ...options })
  assert.equal((await embeddings.embedDocuments(['a', 'b'])).length, 2)
}

/** What openai for Node does with batches. */
const batches: Scenario = async at => {
  const client = openai(at)
  const toLine = (custom_id: string, body: object) =>
    JSON.stringify({ custom_id, method: 'POST', url: '/v1/chat/completions', body })
  const lines = [toLine('a', { model: at.store, messages }), toLine('b', { model: at.store })]
  const { id: input_file_id } = await client.files.create({
    file: await toFile(Buffer.from(lines.join('\n')), 'requests.jsonl'),
    purpose: 'batch',
  })
  const own = { input_file_id, completion_window: '24h' } as const
  const { id } = await client.batches.create({
    ...{ ...own, endpoint: '/v1/chat/completions', metadata: { kind: 'test' } },
  })
  let batch = await client.batches.retrieve(id)
  while (batch.status !== 'completed') {
    assert.ok(['validating', 'in_progress', 'finalizing'].includes(batch.status))
    await new Promise(resolve => setTimeout(resolve, 50))
    batch = await client.batches.retrieve(id)
  }
  assert.deepEqual(batch.request_counts, { total: 2, completed: 1, failed: 1 })
  assert.deepEqual(batch.metadata, { kind: 'test' })
  const output = await (await client.files.content(batch.output_file_id ?? '')).text()
  assert.ok(output.includes('120 euros') && output.includes('"custom_id":"a"'))
  const errors = await (await client.files.content(batch.error_file_id ?? '')).text()
  assert.ok(errors.includes('"status_code":400') && errors.includes('"custom_id":"b"'))
  const listed: string[] = []
  for await (const found of client.batches.list({ limit: 1 })) listed.push(found.id)
  assert.ok(listed.includes(id))
  await rejects(client.batches.cancel(id), 409)
  await rejects(client.batches.retrieve('batch_none'), 404)
}

/** What the unmodified clients are run through, by client. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'openai: files and vector stores': stores,
  'openai: models, embeddings and chat': chat,
  'openai: responses': responses,
  'openai: batches': batches,
  'ai with @ai-sdk/openai-compatible': compatible,
  'ai with @ai-sdk/openai': aiOpenAI,
  '@langchain/openai': langchain,
}
