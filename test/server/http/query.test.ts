import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { checkTexts } from '../../../src/server/http/query.ts'
import { Sandbox } from '../../fakes/store.ts'
import { Api } from '../api.ts'

let sandbox: Sandbox
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
})
afterAll(() => sandbox.remove())

type Parameter = {
  readonly in: string
  readonly name: string
  readonly required: boolean
  readonly schema: { readonly type?: string | readonly string[] }
}
type Operation = { readonly parameters?: readonly Parameter[] }

/** Every query parameter of a route that reads, as `/v1/files?limit`. */
async function queryParameters(): Promise<readonly (Parameter & { readonly path: string })[]> {
  const { paths } = await api.json('GET', '/openapi.json')
  return Object.entries(paths as Record<string, { readonly get?: Operation }>).flatMap(
    ([path, { get }]) =>
      (get?.parameters ?? [])
        .filter(parameter => parameter.in === 'query')
        .map(parameter => ({ ...parameter, path: path.replace(/\{\w+\}/g, '1') })),
  )
}

const SAMPLES: Readonly<Record<string, string>> = { boolean: 'true', integer: '64', number: '64' }

/** Whether the parameter itself is what the route refuses. */
async function isRefused(path: string, name: string, value: string): Promise<boolean> {
  const response = await api.request('GET', `${path}?${name}=${value}`)
  if (response.status !== 400) return false
  const { error } = (await response.json()) as { error: { param: string | null } } // the envelope
  return error.param === name
}

test('every parameter of a query may be empty, and is then absent', async () => {
  const optional = (await queryParameters()).filter(({ required }) => !required)
  const refused = await Promise.all(
    optional.map(async ({ path, name }) => await isRefused(path, name, '')),
  )
  expect(
    optional.filter((_, at) => refused[at]).map(({ path, name }) => `${path}?${name}=`),
  ).toEqual([])
  expect(optional.length).toBeGreaterThan(30)
})
test('every boolean and number of a query is read from its text', async () => {
  const typed = (await queryParameters()).map(parameter => {
    const [type = ''] = [parameter.schema.type ?? []].flat()
    return { ...parameter, value: SAMPLES[type] ?? '' }
  })
  const refused = await Promise.all(
    typed.map(async ({ path, name, value }) => await isRefused(path, name, value)),
  )
  const isSampled = ({ value }: { readonly value: string }) => value !== ''
  expect(
    typed
      .filter((one, at) => isSampled(one) && refused[at])
      .map(({ path, name }) => `${path}?${name}`),
  ).toEqual([])
})
test('a list of a query is written once or several times, with brackets or without', async () => {
  const { id } = await api.json('POST', '/v1/conversations', {})
  const results = 'file_search_call.results'
  const written = [
    `include=${results}`,
    `include[]=${results}`,
    `include=${results}&include=reasoning.encrypted_content`,
  ]
  for (const query of written)
    expect((await api.request('GET', `/v1/conversations/${id}/items?${query}`)).status).toBe(200)
})
test('a text that is nothing of what is expected is named with it', async () => {
  const { error } = await api.json('GET', '/v1/files?limit=many')
  expect(error).toMatchObject({ param: 'limit', message: 'limit has to be a number, not "many".' })
  expect(await api.refusal('GET', '/v1/responses/resp_1?stream=perhaps')).toMatchObject({
    param: 'stream',
  })
})

const schema = z.strictObject({
  flag: z.boolean().optional(),
  count: z.int().nullish(),
  names: z.array(z.string()).optional(),
  after: z.strictObject({ seconds: z.number() }).optional(),
})

test.each([
  [
    { flag: 'True', count: '7' },
    { flag: true, count: 7 },
  ],
  [
    { flag: '0', names: 'a' },
    { flag: false, names: ['a'] },
  ],
  [{ names: '["a","b"]' }, { names: ['a', 'b'] }],
  [{ after: '{"seconds": 60}' }, { after: { seconds: 60 } }],
  [{ after: { seconds: '60' } }, { after: { seconds: 60 } }],
])('texts %j become what is expected in their places', (texts, expected) => {
  expect(checkTexts(schema, texts)).toEqual(expected)
})
