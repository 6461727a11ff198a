import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecordedRequest, ScriptedReply } from '../fakes/scripted-model-server.ts'
import { startTravel, type Travel } from '../server/travel.ts'

let travel: Travel
let client: Travel['client']
/** What the model answers next, whatever it is asked or by that. */
let reply: ScriptedReply | ((request: RecordedRequest) => ScriptedReply)
const model = 'scripted'

beforeAll(async () => {
  travel = await startTravel(request => (typeof reply === 'function' ? reply(request) : reply))
  client = travel.client
})
afterAll(() => travel.close())

const tools = () => [{ type: 'file_search' as const, vector_store_ids: [travel.store] }]
const lastAsked = async () => (await travel.model.request(travel.model.requests.length - 1)).body

/** What the client shows of an answer, on either surface, whole and streamed. */
async function shown(question: string, tool_choice: 'auto' | 'none' = 'auto') {
  const messages = [{ role: 'user' as const, content: question }]
  const completion = { model: travel.store, messages, tool_choice }
  const response = { model, input: question, tools: tools(), tool_choice }
  const whole = await client.responses.create({ ...response, stream: false })
  const streamed = await client.responses.stream({ ...response, stream: true }).finalResponse()
  const chat = await client.chat.completions.create(completion)
  const chunks = await client.chat.completions.stream(completion).finalChatCompletion()
  return [
    whole.output_text,
    streamed.output_text,
    ...[chat, chunks].map(({ choices }) => choices[0]?.message.content),
  ]
}

describe('beside file_search', () => {
  test.each([
    ['Thank you!', "You're welcome!"],
    ['谢谢！', '不客气！'],
  ])('%s: small talk is no claim, and nothing is said of it', async (question, text) => {
    reply = { text: [text] }
    expect(await shown(question)).toEqual([text, text, text, text])
    const { metadata } = await client.responses.create({ model, input: question, tools: tools() })
    expect(metadata).toEqual({})
  })

  test('with tool_choice none nothing is searched, and what the model makes up is not held against anything', async () => {
    const haiku =
      'Grey waves fold and rest,\nSalt wind hums in empty shells,\nNight drinks up the shore.'
    reply = { text: [haiku] }
    const input = 'Write a haiku about what hotels cost.'
    expect(await shown(input, 'none')).toEqual([haiku, haiku, haiku, haiku])
    const answer = await client.responses.create({
      model,
      input,
      tools: tools(),
      tool_choice: 'none',
    })
    expect(answer.output.map(({ type }) => type)).toEqual(['message'])
    expect(answer.metadata).toEqual({})
    expect(JSON.stringify((await lastAsked()).messages)).not.toContain('120 euros')
    await client.responses.create({ model, input, tools: tools() })
    expect(JSON.stringify((await lastAsked()).messages)).toContain('120 euros')
  })

  test('quotations without a search are refused', async () => {
    const quoting = { model: 'passim-extractive', input: 'What do hotels cost?', tools: tools() }
    const refused = client.responses.create({ ...quoting, tool_choice: 'none' })
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: 'unsupported_parameter',
      param: 'tool_choice',
    })
  })
})

test('markers are counted from 1 in the order of the answer, while it streams, too', async () => {
  const { id } = await client.vectorStores.create({ name: 'many' })
  const prices = ['Hotels', 'Trains', 'Trams', 'Buses'].map(
    (what, at) => `${what} in Graz cost ${at + 31} euros.`,
  )
  for (const [at, text] of prices.entries()) {
    await client.vectorStores.files.uploadAndPoll(id, new File([text], `${at}.md`))
  }
  const question = 'What do hotels, trains, trams and buses in Graz cost?'
  const search = [{ type: 'file_search' as const, vector_store_ids: [id] }]
  reply = ({ body }) => {
    const text = JSON.stringify(body.messages)
    const before = (price: string) =>
      [...text.slice(0, text.indexOf(price)).matchAll(/\[(\d+)\]|id=\\?"(\d+)/g)].at(-1)
    const numbers = prices.map(before).map(found => found?.[1] ?? found?.[2]) // whatever order these likes of each other are found in
    const [, trains, , buses] = numbers
    if (new Set(numbers).size < prices.length)
      return { text: ['Not all prices have a number of their own.'] }
    const sentences = [
      `Buses in Graz cost 34 euros [${buses}].`,
      ` Trains in Graz cost 32 euros [${trains}].`,
    ]
    return { text: [...sentences, ` Buses in Graz cost 34 euros [${buses}].`] }
  }
  const expected = [
    'Buses in Graz cost 34 euros [1].',
    'Trains in Graz cost 32 euros [2].',
    'Buses in Graz cost 34 euros [1].',
  ]
  expect(
    (await client.responses.create({ model, input: question, tools: search })).output_text,
  ).toBe(expected.join(' '))
  let streamed = ''
  const stream = client.responses.stream({ model, input: question, tools: search })
  for await (const event of stream)
    if (event.type === 'response.output_text.delta') streamed += event.delta
  expect(streamed).toBe(expected.join(' '))
  const messages = [{ role: 'user' as const, content: question }]
  const chat = client.chat.completions.stream({ model: id, messages })
  expect((await chat.finalChatCompletion()).choices[0]?.message.content).toBe(expected.join(' '))
})

test('models are not deleted, and that is told once', async () => {
  const patient = client.withOptions({ maxRetries: 2 })
  await expect(patient.models.delete('scripted')).rejects.toMatchObject({
    status: 405,
    code: 'method_not_supported',
  })
})
