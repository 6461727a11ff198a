import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptedReply } from '../fakes/scripted-model-server.ts'
import { startTravel, type Travel } from './travel.ts'

const script: ScriptedReply[] = [{ text: ['At most 120 euros [1].'] }]
let travel: Travel

beforeAll(async () => {
  travel = await startTravel(script)
})
afterAll(() => travel.close())

const lastAsked = async () =>
  (await travel.model.request(travel.model.requests.length - 1)).body.messages
const tools = () => [{ type: 'file_search' as const, vector_store_ids: [travel.store] }]
const image = 'data:image/png;base64,iVBORw0KGgo='
const user = (text: string) => ({ role: 'user' as const, content: text })

test('all that the user said last is the question', async () => {
  const { client } = travel
  const file = await client.files.create({
    file: new File(['Trains to Graz cost 45 euros.'], 'a.md'),
    purpose: 'user_data',
  })
  const input = [
    user('What do trains to Graz cost?'),
    { role: 'user' as const, content: [{ type: 'input_file' as const, file_id: file.id }] },
  ]
  const include = ['file_search_call.results' as const]
  const { output } = await client.responses.create({ model: 'passim-extractive', input, include })
  expect(output[0]).toMatchObject({
    queries: ['What do trains to Graz cost?'],
    results: [{ file_id: file.id }],
  })
  const earlier = [user('Hello.'), { role: 'assistant' as const, content: 'Hello!' }]
  const messages = [...earlier, user('I travel to Rome.'), user('What do hotels cost?')]
  await client.chat.completions.create({ model: travel.store, messages })
  expect((await lastAsked()).slice(1)).toMatchObject([
    ...earlier,
    user('I travel to Rome.\n\nWhat do hotels cost?'),
  ])
})
test('a question that is too long to be searched for is searched by its keywords', async () => {
  const { client, store } = travel
  const long = `${'We were thinking about this and that. '.repeat(2_000)} What do hotels cost a night?`
  const response = await client.responses.create({
    ...{ model: 'scripted', input: long, tools: tools(), include: ['file_search_call.results'] },
  })
  const [search] = response.output
  expect(search).toMatchObject({ type: 'file_search_call', results: [{ filename: 'hotel.md' }] })
  expect(JSON.stringify(search).length).toBeLessThan(10_000)
  expect((await lastAsked()).at(-1)).toEqual(user(long))
  const quoted = await client.responses.create({
    model: 'passim-extractive',
    input: long,
    tools: tools(),
  })
  expect(quoted.status).toBe('completed')
  expect(store).toMatch(/^vs_/)
})
test('images are shown to the model, from either surface', async () => {
  const { client } = travel
  const seen = { role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] }
  const response = await client.responses.create({
    ...{ model: 'scripted', tools: tools() },
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Is this what hotels cost?' },
          { type: 'input_image', image_url: image, detail: 'auto' },
        ],
      },
    ],
  })
  expect((await lastAsked()).slice(1)).toMatchObject([seen, user('Is this what hotels cost?')])
  const { data } = await client.responses.inputItems.list(response.id)
  expect(data[0]).toMatchObject({
    content: [{ type: 'input_text' }, { type: 'input_image', image_url: image }],
  })
  await client.chat.completions.create({
    model: 'scripted',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: image } },
        ],
      },
    ],
  })
  expect(await lastAsked()).toMatchObject([seen, user('What is it?')])
})
test('images are refused where no model looks at them, or none can be fetched', async () => {
  const ask = (model: string, image_url: string) =>
    travel.client.responses.create({
      ...{ model, tools: tools() },
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What?' },
            { type: 'input_image', image_url, detail: 'auto' },
          ],
        },
      ],
    })
  await expect(ask('passim-extractive', image)).rejects.toMatchObject({
    status: 400,
    code: 'unsupported_parameter',
  })
  await expect(ask('scripted', 'file:///etc/passwd')).rejects.toBeInstanceOf(OpenAI.BadRequestError)
})
test('a model is told to fetch no image at an address that is not public, however it is written', async () => {
  const { client, model } = travel
  const asked = model.requests.length
  const addresses = [
    '127.0.0.1/a.png',
    '169.254.169.254/latest',
    '[::ffff:10.0.0.1]/a.png',
    '0x7f.1/a',
    'localhost/a.png',
  ]
  for (const address of addresses) {
    const url = `http://${address}`
    const image = { type: 'input_image' as const, image_url: url, detail: 'auto' as const }
    const response = client.responses.create({
      model: 'scripted',
      input: [{ role: 'user', content: [image] }],
    })
    await expect(response).rejects.toMatchObject({
      status: 400,
      param: 'input.0.content.0.image_url',
    })
    const content = [{ type: 'image_url' as const, image_url: { url } }]
    const completion = client.chat.completions.create({
      model: 'scripted',
      messages: [{ role: 'user', content }],
    })
    await expect(completion).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('data URI'),
    })
  }
  expect(model.requests).toHaveLength(asked)
})
test('a model is given the address of an image as it was checked', async () => {
  const { client } = travel
  const shown = async (url: string) => {
    const content = [
      { type: 'image_url' as const, image_url: { url } },
      { type: 'text' as const, text: 'What is it?' },
    ]
    await client.chat.completions.create({
      model: 'scripted',
      messages: [{ role: 'user', content }],
    })
    return JSON.stringify(await lastAsked())
  }
  expect(await shown('http://93.184.215.14\\@127.0.0.1/a.png')).toContain(
    '"http://93.184.215.14/@127.0.0.1/a.png"',
  )
  expect(await shown('HTTP://93.184.55566/a.png#x')).toContain('"http://93.184.217.14/a.png"')
})
