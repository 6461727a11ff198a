import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '../../fakes/store.ts'
import { Api } from '../api.ts'

let sandbox: Sandbox
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
})
afterAll(() => sandbox.remove())

type Embeddings = {
  readonly data: readonly { readonly index: number; readonly embedding: number[] | string }[]
}

test('embeddings are unit vectors, the same as numbers and as base64', async () => {
  const input = ['a quick fox', '狐狸']
  const floats = (await api.json('POST', '/v1/embeddings', {
    input,
    model: 'passim-embedder',
  })) as unknown as Embeddings
  const encoded = await api.json('POST', '/v1/embeddings', {
    input,
    model: 'passim-embedder',
    encoding_format: 'base64',
  })
  const decoded = (encoded as unknown as Embeddings).data.map(({ embedding }) => {
    const bytes = Buffer.from(String(embedding), 'base64')
    return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
  })
  expect(decoded).toEqual(floats.data.map(({ embedding }) => embedding))
  expect(decoded.map(vector => Math.hypot(...vector).toFixed(3))).toEqual(['1.000', '1.000'])
  expect(encoded).toMatchObject({ object: 'list', usage: { prompt_tokens: expect.any(Number) } })
})
test('a text alone is one input', async () => {
  expect(
    await api.json('POST', '/v1/embeddings', { input: 'fox', model: 'passim-embedder' }),
  ).toMatchObject({
    data: [{ index: 0 }],
  })
})
test('tokens of OpenAI’s embedding models are the text that they stand for', async () => {
  const vectorsOf = async (input: unknown) => {
    const { data } = (await api.json('POST', '/v1/embeddings', {
      input,
      model: 'passim-embedder',
    })) as unknown as Embeddings
    return data.map(({ embedding }) => embedding)
  }
  const [hello, tired] = await vectorsOf(['Hello world', ' tired'])
  expect(await vectorsOf([9_906, 1_917])).toEqual([hello])
  expect(await vectorsOf([[9_906, 1_917], [19_781]])).toEqual([hello, tired])
})
test('what cannot be embedded is refused by name', async () => {
  const refusal = (body: object) =>
    api.refusal('POST', '/v1/embeddings', { model: 'passim-embedder', ...body })
  expect(await refusal({ input: [[9_906], [4_000_000_000]] })).toMatchObject({
    status: 400,
    param: 'input.1.0',
  })
  expect(await refusal({ input: 'x', dimensions: 3 })).toMatchObject({
    code: 'unsupported_parameter',
    param: 'dimensions',
  })
  for (const input of ['', [], [''], undefined])
    expect(await refusal({ input })).toMatchObject({ status: 400 })
})
test('more than may be embedded at once is refused with the bound that it exceeds', async () => {
  const refusal = async (input: unknown) =>
    (await api.json('POST', '/v1/embeddings', { model: 'passim-embedder', input })).error?.message
  const many = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item)
  expect(await refusal(many(2_049, 'a'))).toMatch(/^input .*2048/)
  expect(await refusal(many(2_049, [9_906]))).toMatch(/^input .*2048/)
  expect(await refusal(many(8_193, 9_906))).toMatch(/^input .*8192/)
  expect(await refusal(['a', 5])).toBe('input.1 has to be a string.')
  expect(await refusal(true)).toMatch(/^input has to be a string or a list/)
})
test('a parameter that no embedding has is ignored by name', async () => {
  const response = await api.request('POST', '/v1/embeddings', {
    model: 'passim-embedder',
    input: 'fox',
    truncate: 'END',
  })
  expect([response.status, response.headers.get('x-passim-ignored')]).toEqual([200, 'truncate'])
})

test('another model is refused by name with the way out, or mapped by a setting', async () => {
  const body = { model: 'text-embedding-3-small', input: 'fox' }
  const { error } = await api.json('POST', '/v1/embeddings', body)
  expect(error).toMatchObject({ code: 'model_not_found', param: 'model' })
  for (const word of ['text-embedding-3-small', 'hashing-64@1', 'server.embeddingAliases'])
    expect(error?.message).toContain(word)
  for (const model of ['hashing-64@1', 'hashing-64'])
    expect(await api.json('POST', '/v1/embeddings', { ...body, model })).toMatchObject({
      model: 'hashing-64@1',
    })
  const other = await Sandbox.make()
  try {
    const settings = { server: { embeddingAliases: [body.model] } }
    const mapped = new Api(await other.open({ settings }))
    expect(await mapped.json('POST', '/v1/embeddings', body)).toMatchObject({
      model: 'hashing-64@1',
    })
  } finally {
    await other.remove()
  }
})
