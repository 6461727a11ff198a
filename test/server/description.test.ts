import { createHash } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parseHTML } from 'linkedom'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Description } from '../../src/server/openapi/description.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'
import { eventsIn } from './sse.ts'

let sandbox: Sandbox
let model: ScriptedModel
let api: Api
let description: Description & { readonly components: { readonly schemas: object } }
let ajv: Ajv2020
let store: { id: string; fileIds: string[] }

beforeAll(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel([{ reasoning: ['Hm.'], text: ['At most 120 euros [1].'] }])
  api = new Api(await sandbox.open({ settings: { model: { url: model.url, name: 'scripted' } } }))
  store = await api.store({
    'hotel.md': 'Hotels cost at most 120 euros.',
    'prices.csv': 'city,price\nRome,120\nOslo,150\n',
  })
  description = (await api.json('GET', '/openapi.json')) as unknown as typeof description
  ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'passim', components: closeObjects(description.components) })
})
afterAll(async () => {
  await sandbox.remove()
  await model.close()
})

const operations = () =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      ...operation,
    })),
  )

/** Returns the schemas so that objects may only have the properties that they state. */
function closeObjects(schemas: object): object {
  return JSON.parse(JSON.stringify(schemas), (_, value) =>
    value?.type === 'object' && value.properties
      ? { additionalProperties: false, ...value }
      : value,
  )
}

type Field = {
  readonly description?: string | undefined
  readonly properties?: Readonly<Record<string, Field>>
  readonly items?: Field
  readonly anyOf?: readonly Field[]
  readonly oneOf?: readonly Field[]
  readonly default?: unknown
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

type PlacedField = Field & { readonly place: string }

/** Fields of a body, those inside of other fields included. */
function listFields(schema: Field, place: string): readonly PlacedField[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, field]) => [
    { ...field, place: `${place} .${key}` },
    ...listFields(field, `${place} .${key}`),
  ])
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...[schema.items ?? []].flat()]
  return [...own, ...inner.flatMap(each => listFields(each, place))]
}

/** Fewer words than these do not say what a parameter is. */
const MIN_WORDS = 6

function findGaps({ place, description = '', ...field }: PlacedField): readonly string[] {
  const isShort = description.split(/\s+/).length < MIN_WORDS
  const digits = description.replaceAll(',', '')
  const bounds = [field.maximum, field.maxLength, field.maxItems].filter(
    bound => bound !== undefined && bound < Number.MAX_SAFE_INTEGER,
  )
  const isUnbounded = bounds.some(bound => !digits.includes(String(bound)))
  const lacksDefault = field.default !== undefined && !/default/i.test(description)
  return isShort || isUnbounded || lacksDefault ? [`${place}: ${description}`] : []
}

type Done = { readonly content: Readonly<Record<string, { readonly schema: object }>> }

/** What is wrong with a value, by a schema of the description. */
function problems(schema: object, value: unknown): unknown {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"passim#/')))
  return validate(value) ? [] : validate.errors
}

describe('the description', () => {
  test('says of every route what it does, and what it answers', () => {
    const bare = operations().filter(({ name, summary, responses }) => {
      const done = (responses['200'] ?? responses['201']) as { content?: object }
      return summary === name || summary.startsWith(name.split(' ')[0]!) || !done.content
    })
    expect(bare.map(({ name }) => name)).toEqual([])
  })
  test('says of every parameter what it is, with its bounds and its default', () => {
    const fields = operations().flatMap(({ name, parameters = [], requestBody }) => [
      ...parameters.map(({ name: key, description, schema }) => ({
        ...(schema as Field),
        place: `${name} ?${key}`,
        description,
      })),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
        listFields(schema as Field, name),
      ),
    ])
    expect(fields.length).toBeGreaterThan(500)
    expect(fields.flatMap(findGaps)).toEqual([])
  })
  test('says that a document can be put as JSON, as a form, or as the bytes of a file', () => {
    const put = description.paths['/api/collections/{id}/documents/{externalId}']?.put
    expect(Object.keys(put?.requestBody?.content ?? {})).toEqual([
      'application/json',
      'multipart/form-data',
      'application/octet-stream',
    ])
  })
  test('has an example of every JSON body, which its schema lets pass', () => {
    const contents = operations().flatMap(({ name, requestBody }) => {
      const json = requestBody?.content['application/json']
      return json ? [{ name, ...json }] : []
    })
    for (const { name, schema, example } of contents)
      expect([name, problems(schema, example)]).toEqual([name, []])
  })
  test('names every operation once', () => {
    const ids = operations().map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z]\w+$/)
  })
  test('asks for no key where none is needed, and for one elsewhere', () => {
    const open = operations().filter(({ security }) => security?.length === 0)
    expect(open.map(({ name }) => name).filter(name => !name.endsWith(' /'))).toEqual(
      expect.arrayContaining(['GET /healthz', 'GET /readyz']),
    )
    expect(description.security).toEqual([{ key: [] }, {}])
  })
})

describe('an answer is what the description says', () => {
  /** Asks, and holds the JSON to the schema of the route. */
  async function check(method: string, route: string, path: string, body?: object) {
    const done = description.paths[route]?.[method.toLowerCase()]?.responses['200'] as
      | Done
      | undefined
    const schema = done?.content['application/json']?.schema ?? { not: {} }
    const response = await api.request(method, path, body)
    const json = await response.json()
    expect(response.status, JSON.stringify(json)).toBe(200)
    expect(problems(schema, json)).toEqual([])
    return json as Record<string, unknown>
  }
  const STORE = '/v1/vector_stores/{id}'

  test('of files and uploads', async () => {
    const id = store.fileIds[0]!
    await check('GET', '/v1/files', '/v1/files')
    await check('GET', '/v1/files/{id}', `/v1/files/${id}`)
    const upload = { filename: 'a.txt', purpose: 'user_data', bytes: 2, mime_type: 'text/plain' }
    const { id: uploadId } = await check('POST', '/v1/uploads', '/v1/uploads', upload)
    const form = new FormData()
    form.append('data', new Blob(['hi']))
    const part = (await (
      await api.app.request(`/v1/uploads/${uploadId}/parts`, { method: 'POST', body: form })
    ).json()) as { id: string } // an upload.part
    expect(problems({ $ref: '#/components/schemas/UploadPart' }, part)).toEqual([])
    const done = await check(
      'POST',
      '/v1/uploads/{id}/complete',
      `/v1/uploads/${uploadId}/complete`,
      {
        part_ids: [part.id],
      },
    )
    const fileId = (done.file as { id: string }).id
    await check('DELETE', '/v1/files/{id}', `/v1/files/${fileId}`)
  })
  test('of vector stores, their files and batches, and searches', async () => {
    const path = `/v1/vector_stores/${store.id}`
    const fileId = store.fileIds[0]!
    await check('GET', '/v1/vector_stores', '/v1/vector_stores')
    await check('GET', STORE, path)
    await check('GET', `${STORE}/files`, `${path}/files`)
    await check('GET', `${STORE}/files/{fileId}`, `${path}/files/${fileId}`)
    await check('GET', `${STORE}/files/{fileId}/content`, `${path}/files/${fileId}/content`)
    await check('POST', `${STORE}/search`, `${path}/search`, { query: 'hotels' })
    const made = await check('POST', '/v1/vector_stores', '/v1/vector_stores', { name: 'other' })
    const other = `/v1/vector_stores/${made.id}`
    const batch = await check('POST', `${STORE}/file_batches`, `${other}/file_batches`, {
      file_ids: [fileId],
    })
    await check('GET', `${STORE}/file_batches/{batchId}`, `${other}/file_batches/${batch.id}`)
    await check(
      'GET',
      `${STORE}/file_batches/{batchId}/files`,
      `${other}/file_batches/${batch.id}/files`,
    )
    await check('DELETE', `${STORE}/files/{fileId}`, `${other}/files/${fileId}`)
    await check('DELETE', STORE, `${other}?now=true`)
  })
  test('of models and embeddings', async () => {
    await check('GET', '/v1/models', '/v1/models')
    await check('GET', '/v1/models/{model}', '/v1/models/passim-extractive')
    await check('POST', '/v1/embeddings', '/v1/embeddings', {
      model: 'passim-embedder',
      input: 'hi',
    })
  })
  test('of responses and chat completions, whole and streamed', async () => {
    const tools = [{ type: 'file_search', vector_store_ids: [store.id] }]
    const include = ['file_search_call.results']
    const response = await check('POST', '/v1/responses', '/v1/responses', {
      input: 'A price?',
      tools,
      include,
    })
    await check('GET', '/v1/responses/{id}', `/v1/responses/${response.id}`)
    await check('GET', '/v1/responses/{id}/input_items', `/v1/responses/${response.id}/input_items`)
    await check('DELETE', '/v1/responses/{id}', `/v1/responses/${response.id}`)
    await check('POST', '/v1/responses/input_tokens', '/v1/responses/input_tokens', {
      input: 'A price?',
    })
    const messages = [{ role: 'user', content: 'A price?' }]
    const chat = { model: store.id, messages }
    await check('POST', '/v1/chat/completions', '/v1/chat/completions', chat)
    for (const [path, body, name] of [
      ['/v1/responses', { input: 'A price?', tools }, 'ResponseEvent'],
      ['/v1/chat/completions', chat, 'ChatCompletionChunk'],
    ] as const) {
      const events = eventsIn(
        await (await api.request('POST', path, { ...body, stream: true })).text(),
      )
      expect(events.length).toBeGreaterThan(3)
      const schema = { $ref: `#/components/schemas/${name}` }
      for (const { data } of events) expect(problems(schema, data)).toEqual([])
    }
  })
  test('of conversations', async () => {
    const items = [{ role: 'user', content: 'A price?' }]
    const { id } = await check('POST', '/v1/conversations', '/v1/conversations', { items })
    const path = `/v1/conversations/${id}`
    await check('GET', '/v1/conversations/{id}', path)
    await check('POST', '/v1/conversations/{id}/items', `${path}/items`, { items })
    const { last_id } = await check('GET', '/v1/conversations/{id}/items', `${path}/items`)
    await check('GET', '/v1/conversations/{id}/items/{itemId}', `${path}/items/${last_id}`)
    await check('DELETE', '/v1/conversations/{id}', path)
  })
  test('of our own routes and the adapters', async () => {
    await check('POST', '/api/search', '/api/search', { query: 'hotels', collections: ['notes'] })
    await check('POST', '/api/ask', '/api/ask', {
      question: 'What do hotels cost?',
      collections: ['notes'],
    })
    const asked = { question: 'What do hotels cost?', collections: ['notes'], conversation: 'new' }
    const { conversation } = await check('POST', '/api/ask', '/api/ask', asked)
    const path = `/api/conversations/${conversation}`
    await check('GET', '/api/conversations', '/api/conversations')
    await check('GET', '/api/conversations/{id}', path)
    await check('PATCH', '/api/conversations/{id}', path, { title: 'Costs' })
    await check('POST', '/api/conversations/{id}/stop', `${path}/stop`)
    await check('DELETE', '/api/conversations/{id}', path)
    const { jobs } = (await check('GET', '/api/jobs', '/api/jobs')) as {
      jobs: { id: string; documentId: string }[]
    }
    await check('GET', '/api/jobs/{id}', `/api/jobs/${jobs[0]!.id}`)
    const document = `/api/documents/${jobs[0]!.documentId}`
    await check('GET', '/api/documents', '/api/documents?collection=notes')
    await check('GET', '/api/documents/{id}', document)
    await check('GET', '/api/documents/{id}/tables', `${document}/tables`)
    await check('GET', '/api/documents/{id}/blocks', `${document}/blocks`)
    await check('GET', '/api/documents/{id}/chunks', `${document}/chunks`)
    const citation = `/api/citations/${jobs[0]!.documentId}?start=0&end=5`
    await check('GET', '/api/citations/{id}', citation)
    await check('POST', '/v1/rerank', '/v1/rerank', {
      query: 'price',
      documents: ['120 euros', 'a fox'],
    })
    const retrieval = { knowledge_id: 'notes', query: 'price', retrieval_setting: { top_k: 2 } }
    await check('POST', '/retrieval', '/retrieval', retrieval)
    await check('GET', '/healthz', '/healthz')
    const error = await api.json('GET', '/v1/files/none')
    expect(problems({ $ref: '#/components/schemas/Error' }, error)).toEqual([])
  })
})

describe('its page', () => {
  const page = async () => {
    const response = await api.request('GET', '/docs')
    return {
      html: await response.text(),
      policy: response.headers.get('content-security-policy') ?? '',
    }
  }

  test('loads nothing, and lets no script run but its own', async () => {
    const { html, policy } = await page()
    expect(html).not.toMatch(/\bsrc=|<link|@import|url\(/)
    const script = /<script>([\s\S]*)<\/script>/.exec(html)?.[1] ?? ''
    expect(policy).toContain(
      `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    )
    expect(policy).toMatch(/default-src 'none'.*connect-src 'self'/)
    expect(script).not.toMatch(/localStorage|sessionStorage|cookie|innerHTML/)
  })
  test('tries a call with the key that is typed in', async () => {
    const { html } = await page()
    const { document, Event } = parseHTML(html)
    const form = document.querySelector('form[data-path="/v1/files/{id}"][data-method="GET"]')
    const field = (name: string) => form.querySelector(`[name="${name}"]`)
    document.querySelector('#key').value = 'a-key'
    field('id').value = store.fileIds[0]
    const asked: { url: string; headers: Record<string, string> }[] = []
    const fetched = async (
      url: string,
      init: { method: string; headers: Record<string, string> },
    ) => {
      asked.push({ url, headers: init.headers })
      return await api.app.request(new URL(url, 'http://localhost/docs'), init)
    }
    const script = document.querySelector('script').textContent
    new Function('document', 'fetch', script)(document, fetched)
    form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
    const output = form.querySelector('output')
    await expect
      .poll(() => output.textContent, { timeout: 20_000 })
      .toContain('"filename":"hotel.md"')
    expect(asked).toEqual([
      { url: `./v1/files/${store.fileIds[0]}`, headers: { authorization: 'Bearer a-key' } },
    ])
  })
})
