import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api, type Body } from '../server/api.ts'
import { findContract, OpenAIContract } from './openai-contract.ts'

const file = findContract()

/** A request that is taken, with as much as it may have. */
type Sample = { readonly route: string; readonly ids?: readonly string[]; readonly body: Body }

/** Values that few parameters take, and some that many do. */
const ODD: readonly unknown[] = [
  ...[null, true, 'x', '', ' ', '\u0000', '\ud800', 'auto', 'x'.repeat(70_000)],
  ...[
    0,
    1,
    -1,
    0.5,
    1e308,
    2 ** 53,
    [],
    [null],
    [[]],
    ['x'],
    {},
    { x: 1 },
    { id: 'x' },
    { type: 'x' },
  ],
]

describe.skipIf(!file)('an odd value (needs ../shared/contract or $PASSIM_SHARED)', () => {
  let model: ScriptedModel
  let sandbox: Sandbox
  let api: Api
  let contract: OpenAIContract
  let samples: readonly Sample[]
  beforeAll(async () => {
    contract = new OpenAIContract(file!) // the suite is skipped without one
    model = await startScriptedModel([{ text: ['At most 120 euros [1].'] }])
    sandbox = await Sandbox.make()
    api = new Api(await sandbox.open({ settings: { model: { url: model.url, name: 'scripted' } } }))
    samples = await samplesOf(api)
  })
  afterAll(async () => {
    await sandbox.remove()
    await model.close()
  })

  const send = async ({ route, ids = [], body }: Sample) => {
    const [method = '', path = ''] = route.split(' ')
    const rest = [...ids]
    return await api.request(
      method,
      `/v1${path.replace(/\{\w+\}/g, () => rest.shift() ?? '')}`,
      body,
    )
  }
  /** What is wrong with how the server takes it; undefined where nothing is. `name` is what was changed. */
  const wrong = async (sample: Sample, name?: string): Promise<string | undefined> => {
    const { route, body } = sample
    const response = await send(sample)
    const text = await response.text()
    const said = `${route} ${name} ${JSON.stringify(body).slice(0, 300)}: ${response.status} ${text.slice(0, 300)}`
    if (response.status >= 500 || text.includes('"internal"')) return said
    if (response.status < 400) return undefined
    const { error } = JSON.parse(text) as { error: { message: string; param: string | null } } // the envelope
    const isNamed =
      name === undefined ||
      response.status === 404 ||
      `${error.param} ${error.message}`.includes(name) // an id that names nothing is told itself
    return error.message && isNamed ? undefined : said
  }

  test('of any parameter is taken, or refused by the name of the parameter', async () => {
    const found: (string | undefined)[] = []
    for (const sample of plain(samples)) {
      found.push(await wrong(sample))
      const [method = '', path = ''] = sample.route.split(' ')
      for (const name of contract.parameters(method, path)) {
        for (const value of ODD) {
          found.push(await wrong({ ...sample, body: { ...sample.body, [name]: value } }, name))
        }
      }
    }
    expect(found.filter(Boolean)).toEqual([])
    expect(api.log).toEqual([])
  }, 120_000)

  test('null is taken as the parameter is that is not there', async () => {
    for (const sample of plain(samples)) {
      const [method = '', path = ''] = sample.route.split(' ')
      for (const name of contract.parameters(method, path)) {
        const { [name]: _, ...without } = sample.body
        const { status } = await send({ ...sample, body: without })
        if (status >= 400) continue // it has to be there
        const withNull = await send({ ...sample, body: { ...without, [name]: null } })
        expect(withNull.status, `${sample.route} ${name}`).toBe(status)
      }
    }
  }, 120_000)

  test('anywhere deeper in a request is no fault of the server', async () => {
    const changed = fc
      .record({
        at: fc.nat(),
        step: fc.nat(),
        value: fc.oneof(fc.constantFrom(...ODD), fc.jsonValue({ maxDepth: 2 })),
      })
      .map(({ at, step, value }) => {
        const sample = samples[at % samples.length]! // there are some
        const places = placesIn(sample.body)
        return {
          ...sample,
          body: withValue(sample.body, places[step % places.length] ?? [], value) as Body,
        } // an object still
      })
    await fc.assert(
      fc.asyncProperty(changed, async sample => {
        expect(await wrong(sample)).toBeUndefined()
      }),
      { numRuns: 600 },
    )
    expect(api.log).toEqual([])
  }, 120_000)
})

/** A request of each route that takes a body of JSON. */
async function samplesOf(api: Api): Promise<readonly Sample[]> {
  const { id, fileIds } = await api.store({
    'hotel.md': 'Hotels cost at most 120 euros a night.',
    'a.md': 'Apples.',
  })
  const fileId = fileIds[0]!
  const question = 'What do hotels cost?'
  const filters = { type: 'and', filters: [{ type: 'eq', key: 'a', value: 1 }] }
  const hybrid_search = { embedding_weight: 1, text_weight: 1 }
  const ranking_options = { ranker: 'auto', score_threshold: 0, hybrid_search }
  const search = {
    type: 'file_search',
    vector_store_ids: [id],
    max_num_results: 5,
    filters,
    ranking_options,
  }
  const look = {
    name: 'look_up',
    description: 'Looks up.',
    strict: true,
    parameters: { type: 'object', properties: {} },
  }
  const image = 'data:image/png;base64,iVBORw0KGgo='
  const json_schema = { name: 'price', schema: { type: 'object', properties: {} }, strict: true }
  const expires_after = { anchor: 'last_active_at', days: 1 }
  const chunking_strategy = {
    type: 'static',
    static: { max_chunk_size_tokens: 200, chunk_overlap_tokens: 50 },
  }
  const stored = await api.json('POST', '/v1/responses', { model: 'scripted', input: question })
  const conversation = await api.json('POST', '/v1/conversations', {})
  const call = { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{}' } }
  const messages = [
    { role: 'system', content: 'Be brief.', name: 'rules' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', content: 'open', tool_call_id: 'call_1' },
    {
      role: 'user',
      content: [
        { type: 'text', text: question },
        { type: 'image_url', image_url: { url: image, detail: 'low' } },
        { type: 'file', file: { file_id: fileId } },
      ],
    },
  ]
  const input = [
    { type: 'message', role: 'developer', content: 'Be brief.' },
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    { type: 'file_search_call', id: 'fs_1', queries: ['x'], status: 'completed', results: null },
    { type: 'function_call', call_id: 'call_1', name: 'look_up', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'open' },
    {
      role: 'user',
      content: [
        { type: 'input_text', text: question },
        { type: 'input_image', image_url: image, detail: 'low' },
        { type: 'input_file', filename: 'b.txt', file_data: 'QW4gYXBwbGUu' },
      ],
    },
  ]
  const tools = [search, { type: 'function', ...look }]
  const chat = {
    ...{
      model: 'scripted',
      messages,
      tools: [search, { type: 'function', function: look }],
      tool_choice: 'auto',
    },
    ...{
      stream_options: { include_usage: true },
      response_format: { type: 'json_schema', json_schema },
    },
    ...{
      metadata: { a: 'b' },
      logit_bias: { '1': 1 },
      stop: ['x'],
      prediction: { type: 'content', content: 'x' },
    },
  }
  const respond = {
    ...{
      model: 'scripted',
      input,
      tools,
      reasoning: { effort: 'low' },
      include: ['file_search_call.results'],
    },
    ...{
      text: { format: { type: 'json_schema', ...json_schema }, verbosity: 'low' },
      metadata: { a: 'b' },
    },
  }
  return [
    { route: 'POST /chat/completions', body: chat },
    { route: 'POST /chat/completions', body: { ...chat, stream: true } },
    { route: 'POST /responses', body: respond },
    { route: 'POST /responses', body: { ...respond, stream: true } },
    {
      route: 'POST /responses',
      body: { model: 'scripted', input: question, previous_response_id: stored.id },
    },
    { route: 'POST /responses/input_tokens', body: { model: 'scripted', input, tools } },
    {
      route: 'POST /embeddings',
      body: { model: 'passim-embedder', input: ['a'], encoding_format: 'float' },
    },
    {
      route: 'POST /uploads',
      body: { filename: 'a.txt', purpose: 'user_data', bytes: 4, mime_type: 'text/plain' },
    },
    {
      route: 'POST /vector_stores',
      body: {
        name: 'x',
        file_ids: [fileId],
        expires_after,
        chunking_strategy,
        metadata: { a: 'b' },
      },
    },
    {
      route: 'POST /vector_stores/{vector_store_id}',
      ids: [id],
      body: { name: 'x', expires_after, metadata: { a: 'b' } },
    },
    {
      route: 'POST /vector_stores/{vector_store_id}/search',
      ...{
        ids: [id],
        body: {
          query: [question],
          filters,
          ranking_options: { ranker: 'auto', score_threshold: 0 },
        },
      },
    },
    {
      route: 'POST /vector_stores/{vector_store_id}/files',
      ...{ ids: [id], body: { file_id: fileId, attributes: { a: 1 } } },
    },
    {
      route: 'POST /vector_stores/{vector_store_id}/files/{file_id}',
      ...{ ids: [id, fileId], body: { attributes: { a: 1, b: 'c', d: true } } },
    },
    {
      route: 'POST /vector_stores/{vector_store_id}/file_batches',
      ...{
        ids: [id],
        body: { files: [{ file_id: fileId, attributes: { a: 1 }, chunking_strategy }] },
      },
    },
    { route: 'POST /conversations', body: { metadata: { a: 'b' }, items: input.slice(0, 5) } },
    {
      route: 'POST /conversations/{conversation_id}',
      ids: [String(conversation.id)],
      body: { metadata: { a: 'b' } },
    },
    {
      route: 'POST /conversations/{conversation_id}/items',
      ids: [String(conversation.id)],
      body: { items: input },
    },
  ]
}

/** The same without files, sources and a history, for they take their time. */
function plain(samples: readonly Sample[]): readonly Sample[] {
  const question = 'What do hotels cost?'
  return samples.map(sample => {
    const { stream, previous_response_id } = sample.body
    const more = {
      stream: stream ?? false,
      ...(previous_response_id ? { previous_response_id } : {}),
    }
    const chat = { model: 'scripted', messages: [{ role: 'user', content: question }] }
    if (sample.route === 'POST /chat/completions') return { ...sample, body: { ...chat, ...more } }
    if (sample.route !== 'POST /responses') return sample
    return { ...sample, body: { model: 'scripted', input: question, ...more } }
  })
}

/** Where something stands in it, at whatever depth. */
function placesIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...placesIn(inner).map(place => [key, ...place]),
  ])
}

/** The same with another value in that place. */
function withValue(owner: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  const changed = Object.entries(owner as object).map(
    (
      [name, inner], // placesIn was there
    ) => (name === key ? [name, withValue(inner, rest, value)] : [name, inner]),
  )
  return Array.isArray(owner) ? changed.map(([, inner]) => inner) : Object.fromEntries(changed)
}
