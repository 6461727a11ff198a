import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Description, JsonSchema } from '../../../src/server/openapi/description.ts'
import { Sandbox } from '../../fakes/store.ts'
import { Api } from '../api.ts'

type Refused = { readonly error: { readonly message: string } }

let sandbox: Sandbox
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
})
afterAll(() => sandbox.remove())

async function message(path: string, body: unknown): Promise<string | undefined> {
  const response = await api.request('POST', path, body)
  if (!response.ok) return ((await response.json()) as Refused).error.message
  await response.body?.cancel()
  return undefined
}

test('no message is written by the schema library', async () => {
  const response = await api.request('GET', '/openapi.json')
  const { paths } = (await response.json()) as Description // described by the service
  const messages: string[] = []
  for (const [path, { post }] of Object.entries(paths)) {
    const content = post?.requestBody?.content['application/json']
    if (!content || path.includes('{')) continue
    const { example = {}, schema } = content
    for (const name of listChecked(schema))
      for (const wrong of [{ nonsense: {} }, [[{}]], '', -1])
        messages.push((await message(path, { ...example, [name]: wrong })) ?? '')
  }
  expect(messages.length).toBeGreaterThan(200)
  const library =
    /invalid input|received|expected \w+ to|too (?:big|small)|unrecognized|invalid option/i
  expect(messages.filter(text => library.test(text))).toEqual([])
})

/** Parameters that the chat model's server checks are left out. */
function listChecked({ properties = {} }: JsonSchema): readonly string[] {
  return Object.keys(properties).filter(
    name => !properties[name]?.description?.startsWith('Passed on'),
  )
}

test('a fault inside a union is the one of the form that was meant', async () => {
  const ask = (input: unknown) => message('/v1/responses', { model: 'x', input })
  expect(await ask([{ role: 'robot', content: 'Hi' }])).toMatch(/^input\.0\.role/)
  expect(await ask([{ role: 'user' }])).toBe(
    'input.0.content is missing: it has to be a string or a list.',
  )
  expect(await ask([{ type: 'function_call', name: 'f' }])).toBe(
    'input.0.call_id is missing: it has to be a string.',
  )
  const format = { format: { type: 'xml' } }
  expect(await message('/v1/responses', { model: 'x', input: 'x', text: format })).toBe(
    'text.format.type has to be one of text, json_object, json_schema.',
  )
})

test('a message or tool that is no object is said to be none', async () => {
  const ask = (body: object) => message('/v1/chat/completions', { model: 'x', ...body })
  expect(await ask({ messages: ['Hi'] })).toBe('messages.0 has to be an object.')
  const messages = [{ role: 'user', content: 'Hi' }]
  expect(await ask({ messages, tools: ['search'] })).toBe('tools.0 has to be an object.')
  const tools = [{ type: 'function', function: { name: 'look up' } }]
  expect(await ask({ messages, tools })).toMatch(
    /^tools\.0\.function\.name has to match the pattern/,
  )
})

test('JSON that no quotation can be is refused under the name that the client sent', async () => {
  const refuse = (path: string, body: object) => api.refusal('POST', path, { model: 'x', ...body })
  const refused = { status: 400, code: 'unsupported_parameter' }
  await api.store({ 'hotel.md': 'Hotels cost at most 120 euros.' })
  expect(await refuse('/v1/completions', { prompt: 'x', guided_choice: ['a'] })).toEqual({
    ...refused,
    param: 'guided_choice',
  })
  expect(await refuse('/v1/responses', { input: 'x', structural_tag: 'x' })).toEqual({
    ...refused,
    param: 'structural_tag',
  })
  const text = { format: { type: 'json_object' } }
  expect(await refuse('/v1/responses', { input: 'x', text })).toEqual({
    ...refused,
    param: 'text.format',
  })
})
