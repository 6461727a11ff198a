import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptedReply } from '../../fakes/scripted-model-server.ts'
import { startTravel, type Travel } from '../travel.ts'

const script: ScriptedReply[] = [{ text: ['Yes.'] }]
let travel: Travel

beforeAll(async () => {
  travel = await startTravel(script)
})
afterAll(() => travel.close())

const messages = [{ role: 'user' as const, content: 'Why?' }]
const lastAsked = async () => (await travel.model.request(travel.model.requests.length - 1)).body

test('what only a model understands goes to it as it came, from chat completions', async () => {
  const settings = {
    ...{ reasoning_effort: 'high' as const, verbosity: 'low' as const, max_completion_tokens: 99 },
    ...{ frequency_penalty: 0.5, presence_penalty: -0.5, logit_bias: { 42: -100 } },
    prediction: { type: 'content' as const, content: 'Yes.' },
  }
  await travel.client.chat.completions.create({
    model: 'scripted',
    messages,
    modalities: ['text'],
    ...settings,
  })
  const asked = await lastAsked()
  expect(asked).toMatchObject(settings)
  expect(asked.max_tokens).toBeUndefined()
})
test('what only a model understands goes to it in its own words, from responses', async () => {
  const response = await travel.client.responses.create({
    ...{ model: 'scripted', input: 'Why?', max_tool_calls: 2 },
    reasoning: { effort: 'low', summary: 'auto' },
    text: { verbosity: 'high' },
  })
  expect(await lastAsked()).toMatchObject({ reasoning_effort: 'low', verbosity: 'high' })
  expect(response).toMatchObject({
    reasoning: { effort: 'low' },
    max_tool_calls: 2,
    text: { verbosity: 'high' },
  })
})
test('what clients ask to be included of their own accord is accepted, and changes nothing', async () => {
  const { output, output_text } = await travel.client.responses.create({
    ...{ model: 'scripted', input: 'Why?', store: false, top_logprobs: 5 },
    include: [
      'reasoning.encrypted_content',
      'message.output_text.logprobs',
      'web_search_call.action.sources',
    ],
  })
  expect(output_text).toBe('Yes.')
  expect(output).toMatchObject([{ content: [{ logprobs: [] }] }])
  const { id } = await travel.client.responses.create({ model: 'scripted', input: 'Why?' })
  const stored = await travel.client.responses.retrieve(id, {
    include: ['reasoning.encrypted_content'],
  })
  expect(stored.id).toBe(id)
})
test('parameters that only servers of open models have reach the model, and no others do', async () => {
  const local = {
    top_k: 20,
    min_p: 0.05,
    repetition_penalty: 1.1,
    num_ctx: 8_192,
    chat_template_kwargs: { a: [1] },
  }
  const sent = { ...local, reasoning_style: 'x', 'größe\r\n': 1, min_tokens: null }
  const chat = { model: 'scripted', messages, ...sent, stream: true as const }
  const completion = await travel.client.chat.completions.create(chat).asResponse()
  await completion.text()
  expect(await lastAsked()).toMatchObject(local)
  expect(completion.headers.get('x-passim-ignored')).toBe('reasoning_style, gr%C3%B6%C3%9Fe%0D%0A')
  const asked = {
    model: 'scripted',
    input: 'Why?',
    ...sent,
    reasoning: { effort: 'low' as const, enabled: true },
  }
  const { response } = await travel.client.responses.create(asked).withResponse()
  expect(await lastAsked()).toMatchObject({ ...local, reasoning_effort: 'low' })
  expect(await lastAsked()).not.toHaveProperty('reasoning_style')
  expect(response.headers.get('x-passim-ignored')).toContain('reasoning.enabled')
})
test('nothing is added to an answer that its caller holds to a grammar', async () => {
  const from = travel.model.requests.length
  script.push(...Array.from({ length: from - script.length }, () => ({ text: ['Yes.'] }))) // one reply a request
  script.push({ text: ['{"price": "At most 120 euros a night"}'] })
  const { choices } = await travel.client.chat.completions.create({
    ...{ model: travel.store, messages: [{ role: 'user', content: 'What do hotels cost?' }] },
    ...{ guided_json: { type: 'object' } },
  })
  expect(choices[0]?.message.content).toBe('{"price": "At most 120 euros a night"}')
})
test('strict functions and the names of who speaks reach the model', async () => {
  const look = { name: 'look_up', strict: true, parameters: { type: 'object', properties: {} } }
  await travel.client.chat.completions.create({
    model: 'scripted',
    messages: [
      { role: 'system', name: 'rules', content: 'Be brief.' },
      { role: 'user', name: 'ann', content: 'Hello.' },
      { role: 'assistant', name: 'bob', content: 'Hello, Ann.' },
      ...messages.map(message => ({ ...message, name: 'ann' })),
    ],
    tools: [{ type: 'function', function: look }],
  })
  const asked = await lastAsked()
  expect(asked.tools).toMatchObject([{ function: look }])
  expect(asked.messages.map(({ name }) => name)).toEqual(['rules', 'ann', 'bob', 'ann'])
})
test('a bound of tool calls ends the searches of the model', async () => {
  const from = travel.model.requests.length
  const search = { calls: [{ name: 'search', arguments: { query: 'price of a night' } }] }
  script.push(...Array.from({ length: from - script.length }, () => ({ text: ['Yes.'] })), search) // one reply a request
  script.push({ text: ['At most 120 euros [1].'] })
  await travel.client.responses.create({
    ...{ model: 'scripted', input: 'What do hotels cost?', max_tool_calls: 1 },
    tools: [{ type: 'file_search', vector_store_ids: [travel.store] }],
  })
  const asked = travel.model.requests.slice(from).map(({ body }) => body.tool_choice)
  expect(asked).toEqual(['auto', 'none'])
})
test('what is not done is refused by name, with what to do instead', async () => {
  const refusal = async (body: object) => {
    const asked = travel.client.chat.completions.create({ model: 'scripted', messages, ...body })
    return await asked.then(
      () => undefined,
      ({ status, code, param, message }) => ({ status, code, param, message }),
    )
  }
  const unsupported = { status: 400, code: 'unsupported_parameter' }
  expect(await refusal({ functions: [] })).toMatchObject({
    ...unsupported,
    param: 'functions',
    message: expect.stringContaining('use `tools`'),
  })
  expect(await refusal({ audio: { voice: 'x' } })).toMatchObject({ ...unsupported, param: 'audio' })
  expect(await refusal({ modalities: ['audio'] })).toMatchObject({
    status: 400,
    param: 'modalities.0',
  })
  const prompt = travel.client.responses.create({ model: 'scripted', prompt: { id: 'pmpt_1' } }) // and no input
  await expect(prompt).rejects.toMatchObject({ ...unsupported, param: 'prompt' })
})
test('an answer by quotation takes functions that it need not call, and says so', async () => {
  const tools = [{ type: 'function' as const, function: { name: 'get_time' } }]
  const ask = (more: object) =>
    travel.client.chat.completions.create({
      ...{ model: 'passim-extractive', tools, ...more },
      messages: [{ role: 'user', content: 'What do hotels cost?' }],
    })
  const { data, response } = await ask({}).withResponse()
  expect(data.choices[0]).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant' } })
  expect(response.headers.get('x-passim-ignored')).toBe('tools')
  for (const tool_choice of ['required', { type: 'function', function: { name: 'get_time' } }])
    await expect(ask({ tool_choice })).rejects.toMatchObject({ status: 400, param: 'tool_choice' })
})
test('several file_search tools search all their stores', async () => {
  const { client, store } = travel
  const { id } = await client.vectorStores.create({ name: 'trains' })
  await client.vectorStores.files.uploadAndPoll(
    id,
    new File(['Trains to Graz cost 45 euros.'], 'trains.md'),
  )
  const search = (vectorStore: string, more: object = {}) => ({
    ...{ type: 'file_search' as const, vector_store_ids: [vectorStore], ...more },
  })
  const ask = (tools: ReturnType<typeof search>[]) =>
    client.responses.create({
      model: 'passim-extractive',
      input: 'What do trains to Graz cost?',
      tools,
    })
  expect((await ask([search(store), search(id)])).output_text).toContain('45 euros')
  await expect(ask([search(store), search(id, { max_num_results: 1 })])).rejects.toMatchObject({
    param: 'tools',
  })
})
test('allowed tools are the only ones that the model is told of', async () => {
  const tool = (name: string) => ({
    type: 'function' as const,
    name,
    parameters: {},
    strict: false,
  })
  const allowed = { mode: 'required' as const, tools: [{ type: 'function', name: 'two' }] }
  await travel.client.responses.create({
    ...{ model: 'scripted', input: 'Why?', tools: [tool('one'), tool('two')] },
    tool_choice: { type: 'allowed_tools', ...allowed },
  })
  const asked = await lastAsked()
  expect([asked.tool_choice, asked.tools]).toMatchObject([
    'required',
    [{ function: { name: 'two' } }],
  ])
  await travel.client.chat.completions.create({
    ...{ model: 'scripted', messages },
    tools: ['one', 'two'].map(name => ({ type: 'function', function: { name } })),
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'one' } }] },
    },
  })
  const chat = await lastAsked()
  expect([chat.tool_choice, chat.tools]).toMatchObject(['auto', [{ function: { name: 'one' } }]])
})
test('what was found is shown with a stored response where a client asks for it', async () => {
  const tools = [{ type: 'file_search' as const, vector_store_ids: [travel.store] }]
  const { id, output } = await travel.client.responses.create({
    model: 'passim-extractive',
    input: 'What do hotels cost?',
    tools,
  })
  expect(output[0]).toMatchObject({ type: 'file_search_call', results: null })
  const found = await travel.client.responses.retrieve(id, {
    include: ['file_search_call.results'],
  })
  expect(found.output[0]).toMatchObject({ results: [{ filename: 'hotel.md' }] })
  expect((await travel.client.responses.retrieve(id)).output[0]).toMatchObject({ results: null })
})
