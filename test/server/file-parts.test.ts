import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, startServer } from './running.ts'

const model = 'passim-extractive'
let server: Running
let client: OpenAI
let store: string

beforeAll(async () => {
  server = await startServer()
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
  const made = await client.vectorStores.create({ name: 'travel' })
  const file = new File(['Hotels cost at most 120 euros a night.'], 'hotel.md')
  await client.vectorStores.files.uploadAndPoll(made.id, file)
  store = made.id
})
afterAll(() => server.close())

test('a response is answered from files that the conversation brings, then and later', async () => {
  const upload = (name: string, text: string) =>
    client.files.create({ file: new File([text], name), purpose: 'user_data' })
  const { id: file_id } = await upload('trains.md', 'Trains to Graz cost 45 euros.')
  const ask = (text: string, more: object = {}) =>
    client.responses.create({
      ...{ model, ...more },
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_file' as const, file_id },
            { type: 'input_text', text },
          ],
        },
      ],
    })
  const first = await ask('What do trains to Graz cost?')
  expect(first.output_text).toContain('45 euros')
  expect(JSON.stringify(first.output)).toContain(file_id)
  const { data } = await client.responses.inputItems.list(first.id)
  expect(data[0]).toMatchObject({ content: [{ type: 'input_file', file_id }, { type: 'input_text' }] })
  const later = await client.responses.create({
    ...{ model, previous_response_id: first.id, input: 'What do trains to Graz cost?' },
  })
  expect(later.output_text).toContain('45 euros')
  const both = await ask('What do hotels cost?', { tools: [{ type: 'file_search', vector_store_ids: [store] }] })
  expect(both.output_text).toContain('120 euros')
  expect((await client.vectorStores.list()).data.map(({ id }) => id)).toEqual([store])
})
test('a file that cannot be read, or is not there, is named', async () => {
  const ask = (file_id: string) =>
    client.responses.create({
      model,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_file', file_id },
            { type: 'input_text', text: 'Why?' },
          ],
        },
      ],
    })
  const empty = await client.files.create({ file: new File([''], 'void.md'), purpose: 'user_data' })
  await expect(ask(empty.id)).rejects.toMatchObject({ status: 422, message: expect.stringContaining('void.md') })
  await expect(ask('file-none')).rejects.toMatchObject({ status: 404 })
  const inline = { type: 'input_file' as const, file_data: 'data:text/plain;base64,eA==', filename: 'x.txt' }
  const sent = client.responses.create({ model, input: [{ role: 'user', content: [inline] }] })
  await expect(sent).rejects.toMatchObject({ status: 400, param: 'input.0.content.0.file_id' })
})
test('a chat completion is answered from a file of its messages', async () => {
  const { id: file_id } = await client.files.create({
    file: new File(['Ferries to Bari cost 60 euros.'], 'ferries.md'),
    purpose: 'user_data',
  })
  const text = 'What do ferries to Bari cost?'
  const completion = await client.chat.completions.create({
    model,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'file', file: { file_id } },
          { type: 'text', text },
        ],
      },
    ],
  })
  expect(completion.choices[0]?.message.content).toContain('60 euros')
})
