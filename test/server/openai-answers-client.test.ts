import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ScriptedModel,
  type ScriptedReply,
  silentAfter,
} from '../fakes/scripted-model-server.ts'
import type { Running } from './running.ts'
import { startTravel, type Travel } from './travel.ts'

const script: ScriptedReply[] = []
let model: ScriptedModel
let server: Running
let client: OpenAI
let store: string
let travel: Travel

beforeAll(async () => {
  travel = await startTravel(script)
  ;({ model, server, client, store } = travel)
})
afterAll(() => travel.close())

/** The number of the first request that gets one of these replies. */
const answerWith = (...replies: readonly ScriptedReply[]) =>
  script.push(...replies) - replies.length
const search = () => ({ type: 'file_search' as const, vector_store_ids: [store] })
const input = 'What do hotels cost?'
const lookUp = {
  name: 'look_up',
  parameters: { type: 'object', properties: { place: { type: 'string' } } },
}
const functionTool = { type: 'function' as const, ...lookUp, strict: false }

describe('responses', () => {
  test('answer from a vector store, with annotations where the markers stand', async () => {
    answerWith({ text: ['At most 120 euros [1].'] })
    const response = await client.responses.create({
      ...{ model: 'scripted', input, tools: [search()], include: ['file_search_call.results'] },
    })
    expect(response).toMatchObject({ status: 'completed', output_text: 'At most 120 euros [1].' })
    const [call, message] = response.output
    expect(call).toMatchObject({
      type: 'file_search_call',
      queries: [input],
      results: [{ filename: 'hotel.md' }],
    })
    expect(message).toMatchObject({
      content: [{ annotations: [{ type: 'file_citation', filename: 'hotel.md', index: 18 }] }],
    })
    expect(response.usage).toMatchObject({ input_tokens: 10, output_tokens: 5, total_tokens: 15 })
  })
  test('say where the words stand to a client that asks', async () => {
    answerWith({ text: ['At most 120 euros [1].'] })
    const headers = { 'x-passim-spans': '1' }
    const { output } = await client.responses.create(
      { model: 'scripted', input, tools: [search()] },
      { headers },
    )
    const place = { char_start: 0, char_end: 38, quote: 'Hotels cost at most 120 euros a night.' }
    const checks = { quote_verified: true, verified: true, support: 'stated' }
    expect(output[1]).toMatchObject({ content: [{ annotations: [{ ...place, ...checks }] }] })
  })
  test('stream every event in order, and add up to the same response', async () => {
    answerWith(
      { calls: [{ name: 'search', arguments: { query: 'price of a night' } }] },
      { text: ['At most ', '120 euros [1].'] },
    )
    const stream = client.responses.stream({ model: 'scripted', input, tools: [search()] })
    const types: string[] = []
    const numbers: number[] = []
    for await (const event of stream) {
      types.push(event.type)
      numbers.push(event.sequence_number)
    }
    const searched = [
      'output_item.added',
      'file_search_call.in_progress',
      'file_search_call.searching',
    ]
    const found = [...searched, 'file_search_call.completed', 'output_item.done']
    const said = [
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
    ]
    const done = [
      'output_text.annotation.added',
      'output_text.done',
      'content_part.done',
      'output_item.done',
    ]
    const all = ['created', 'in_progress', ...found, ...found, ...said, ...done, 'completed']
    expect(types).toEqual(all.map(name => `response.${name}`))
    expect(numbers).toEqual(numbers.map((_, at) => at))
    const final = await stream.finalResponse()
    expect(final.output_text).toBe('At most 120 euros [1].')
    expect(await client.responses.retrieve(final.id)).toMatchObject({
      output_text: final.output_text,
    })
  })
  test('go on from one another', async () => {
    answerWith({ text: ['120 euros [1].'] }, { text: ['A night.'] })
    const first = await client.responses.create({ model: 'scripted', input, tools: [search()] })
    const second = await client.responses.create({
      ...{
        model: 'scripted',
        input: 'Per what?',
        instructions: 'Be brief.',
        previous_response_id: first.id,
      },
    })
    const asked = await model.request(script.length - 1)
    expect(asked.body.messages.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'Be brief.'],
      ['user', input],
      ['assistant', '120 euros [1].'],
      ['user', 'Per what?'],
    ])
    await client.responses.delete(first.id)
    await expect(client.responses.retrieve(first.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
    const next = { model: 'scripted', input: 'And?', previous_response_id: second.id }
    await expect(client.responses.create(next)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })
  test('call a function of the client, and go on with its result', async () => {
    answerWith(
      { calls: [{ name: 'look_up', arguments: { place: 'Rome' } }] },
      { text: ['It is open.'] },
    )
    const tools = [search(), functionTool]
    const first = await client.responses.create({
      model: 'scripted',
      input,
      tools,
      tool_choice: 'required',
    })
    expect((await model.request(script.length - 2)).body.tool_choice).toBe('required')
    const call = first.output.find(item => item.type === 'function_call')
    expect(call).toMatchObject({
      name: 'look_up',
      arguments: '{"place":"Rome"}',
      status: 'completed',
    })
    const output = {
      type: 'function_call_output' as const,
      call_id: call?.call_id ?? '',
      output: 'open',
    }
    const second = await client.responses.create({
      ...{ model: 'scripted', tools, input: [output], previous_response_id: first.id },
    })
    expect(second.output_text).toBe('It is open.')
    const asked = await model.request(script.length - 1)
    expect(asked.body.messages.slice(1)).toMatchObject([
      { role: 'user', content: input },
      { role: 'assistant', tool_calls: [{ id: call?.call_id, function: { name: 'look_up' } }] },
      { role: 'tool', tool_call_id: call?.call_id, content: 'open' },
    ])
    const items = []
    for await (const item of client.responses.inputItems.list(second.id)) items.push(item)
    expect(items).toMatchObject([
      { type: 'function_call_output', call_id: call?.call_id, output: 'open' },
    ])
  })
  test('are not kept when the client does not want it', async () => {
    answerWith({ text: ['Gone.'] })
    const { id } = await client.responses.create({ model: 'scripted', input, store: false })
    await expect(client.responses.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })
  test('made in the background are fetched, or cancelled', async () => {
    answerWith({ text: ['At last.'] })
    const made = await client.responses.create({ model: 'scripted', input, background: true })
    expect(made.status).toBe('in_progress')
    let found = made
    while (found.status === 'in_progress') found = await client.responses.retrieve(made.id)
    expect(found).toMatchObject({ status: 'completed', output_text: 'At last.' })
    const at = answerWith({ hang: true })
    const hanging = await client.responses.create({ model: 'scripted', input, background: true })
    const asked = await model.request(at)
    expect(await client.responses.cancel(hanging.id)).toMatchObject({ status: 'cancelled' })
    await asked.closed
    expect(await client.responses.retrieve(hanging.id)).toMatchObject({ status: 'cancelled' })
  })
  test('whose client leaves stop the model', async () => {
    const at = answerWith(silentAfter('Hotels '))
    const stream = client.responses.stream({ model: 'scripted', input, tools: [search()] })
    stream.on('event', event => {
      if (event.type === 'response.output_text.delta') stream.abort()
    })
    await expect(stream.done()).rejects.toBeInstanceOf(OpenAI.APIUserAbortError)
    await (await model.request(at)).closed
  })
  test('that fail are tried again by the client', async () => {
    const at = answerWith({ status: 500 }, { text: ['Better.'] })
    const patient = client.withOptions({ maxRetries: 1 })
    expect((await patient.responses.create({ model: 'scripted', input })).output_text).toBe(
      'Better.',
    )
    expect(model.requests).toHaveLength(at + 2)
  })
  test('quote where the quoting model is named, and say so', async () => {
    const response = await client.responses.create({
      model: 'passim-extractive',
      input,
      tools: [search()],
    })
    expect(response.metadata).toEqual({ passim_mode: 'extractive' })
    expect(response.output_text).toContain('Hotels cost at most 120 euros')
  })
  test('show one search where there is no answer, though the other language was searched, too', async () => {
    const { id } = await client.vectorStores.create({ name: 'both' })
    const files = [
      new File(['A hotel is dear.'], 'hotel.md'),
      new File(['酒店每晚最多一百二十欧元。'], '酒店.md'),
    ]
    await client.vectorStores.fileBatches.uploadAndPoll(id, { files })
    const tools = [{ ...search(), vector_store_ids: [id] }]
    const asked = { model: 'passim-extractive', input: 'Who wrote the anthem of Wales?', tools }
    const { output } = await client.responses.create({
      ...asked,
      include: ['file_search_call.results'],
    })
    expect(output.map(({ type }) => type)).toEqual(['file_search_call', 'message'])
    const names = output.flatMap(item =>
      item.type === 'file_search_call' ? (item.results ?? []) : [],
    )
    expect(names.map(({ filename }) => filename).toSorted()).toEqual(['hotel.md', '酒店.md'])
  })
  test('look only where their filters let them', async () => {
    const filters = { type: 'eq' as const, key: 'kind', value: 'train' }
    const tools = [{ ...search(), filters }]
    const response = await client.responses.create({ model: 'passim-extractive', input, tools })
    expect(response.output_text).not.toContain('120 euros')
  })
  test('weigh words and meaning as their ranking options say', async () => {
    const { id } = await client.vectorStores.create({ name: 'prices' })
    const files = [
      new File(['Breakfast.'], 'short.md'),
      new File(['Hotels here cost 120 euros a night.'], 'two-words.md'),
    ]
    await client.vectorStores.fileBatches.uploadAndPoll(id, { files })
    const first = async (embedding_weight: number, text_weight: number) => {
      const hybrid_search = { embedding_weight, text_weight }
      const tools = [{ ...search(), vector_store_ids: [id], ranking_options: { hybrid_search } }]
      const include = ['file_search_call.results' as const]
      const asked = { model: 'passim-extractive', input: 'hotels euros breakfast', tools, include }
      const { output } = await client.responses.create(asked)
      return output.flatMap(item =>
        item.type === 'file_search_call' ? (item.results ?? []) : [],
      )[0]?.filename
    }
    expect(await first(1, 0)).toBe('short.md') // nearest as a vector
    expect(await first(0, 1)).toBe('two-words.md')
    await expect(first(0, 0)).rejects.toMatchObject({
      status: 400,
      param: 'tools.ranking_options.hybrid_search',
    })
  })
  test('refuse what they would pass over', async () => {
    const refused = async (body: object, param: string) => {
      const sent = client.responses.create({
        model: 'scripted',
        input,
        ...body,
      } as OpenAI.Responses.ResponseCreateParams)
      await expect(sent).rejects.toMatchObject({ status: 400, param })
    }
    await refused({ tools: [{ type: 'web_search' }] }, 'tools.0.type')
    await refused({ text: { format: { type: 'grammar' } } }, 'text.format.type')
    const none = client.responses.create({
      model: 'scripted',
      input,
      tools: [{ ...search(), vector_store_ids: ['vs_1'] }],
    })
    await expect(none).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })
})

describe('chat completions', () => {
  const messages = [{ role: 'user' as const, content: input }]

  test('take a vector store for a model', async () => {
    answerWith({ text: ['At most 120 euros [1].'] })
    const completion = await client.chat.completions.create({ model: store, messages })
    expect(completion.choices[0]).toMatchObject({
      ...{ finish_reason: 'stop', message: { content: 'At most 120 euros [1].' } },
    })
    const citation = completion.choices[0]?.message.annotations?.[0]?.url_citation
    expect(citation).toMatchObject({ title: 'hotel.md', start_index: 18, end_index: 21 })
    expect(await (await fetch(citation?.url ?? '')).json()).toMatchObject({
      text: expect.stringContaining('120 euros'),
    })
  })
  test('stream, and add up to a whole', async () => {
    answerWith({ text: ['At most ', '120 euros [1].'] })
    const stream = client.chat.completions.stream({
      ...{ model: store, messages, stream_options: { include_usage: true } },
    })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe('At most 120 euros [1].')
    expect(await stream.finalChatCompletion()).toMatchObject({
      ...{
        choices: [{ message: { content: text }, finish_reason: 'stop' }],
        usage: { total_tokens: 15 },
      },
    })
  })
  test('say in a stream what quoting cost, which is nothing', async () => {
    const stream = await client.chat.completions.create({
      ...{ model: 'passim-extractive', messages, tools: [search()] as never, stream: true },
      stream_options: { include_usage: true },
    })
    const chunks = []
    for await (const chunk of stream) chunks.push(chunk)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 0 } })
  })
  test('call functions of the client until there is an answer', async () => {
    answerWith(
      { calls: [{ name: 'look_up', arguments: { place: 'Rome' } }] },
      { text: ['It is open.'] },
    )
    const runner = client.chat.completions.runTools({
      ...{ model: 'scripted', messages },
      tools: [
        {
          type: 'function',
          function: { ...lookUp, function: () => 'open', parse: JSON.parse, description: '' },
        },
      ],
    })
    expect(await runner.finalContent()).toBe('It is open.')
    const asked = await model.request(script.length - 1)
    expect(asked.body.messages.at(-1)).toMatchObject({ role: 'tool', content: 'open' })
  })
  test('hand the model what the client sets', async () => {
    const at = answerWith({ text: ['Yes.'] })
    await client.chat.completions.create({
      ...{
        model: 'other',
        messages,
        temperature: 0.5,
        top_p: 0.9,
        max_tokens: 7,
        stop: ['x'],
        seed: 3,
      },
    })
    expect((await model.request(at)).body).toMatchObject({
      ...{ model: 'other', temperature: 0.5, top_p: 0.9, max_tokens: 7, stop: ['x'], seed: 3 },
    })
  })
  test('that fail in the middle say so to the client', async () => {
    const piece = JSON.stringify({
      choices: [{ index: 0, delta: { content: 'Hotels ' }, finish_reason: null }],
    })
    answerWith({ raw: `data: ${piece}\n\n`, ending: 'drop' })
    const stream = await client.chat.completions.create({ model: store, messages, stream: true })
    const reading = (async () => {
      for await (const _ of stream);
    })()
    await expect(reading).rejects.toBeInstanceOf(OpenAI.APIError)
  })
})
test('of all this the operator is told that the model failed, and nothing else', () =>
  expect(server.log).toEqual([
    expect.stringMatching(/ POST \/v1\/responses: The model scripted .* answered 500/),
    expect.stringMatching(
      / POST \/v1\/chat\/completions: The model scripted .* closed the connection in the middle of its answer/,
    ),
  ]))
