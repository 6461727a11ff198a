import type OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScriptedModel, ScriptedReply } from '../fakes/scripted-model-server.ts'
import { startTravel, type Travel } from './travel.ts'

const script: ScriptedReply[] = []
let model: ScriptedModel
let client: OpenAI
let store: string
let travel: Travel

beforeAll(async () => {
  travel = await startTravel(script)
  ;({ model, client, store } = travel)
})
afterAll(() => travel.close())

const HELD = 'At most 120 euros [1].'
const INVENTED = 'The company was founded by seven retired sailors [1].'
const BARE = 'The company was founded by seven retired sailors.'
const NOTE = `\n\nNot found in the documents: “${BARE}”`
const written = { text: [`${HELD} `, INVENTED] }
const checked = `${HELD} ${BARE}${NOTE}`
const streamed = `${HELD} ${INVENTED}${NOTE}`

const input = 'What do hotels cost?'
const messages = [{ role: 'user' as const, content: input }]
const headers = { 'x-passim-spans': '1' }
const asked = () => ({ model: 'scripted', tools: [{ type: 'file_search' as const, vector_store_ids: [store] }] })

describe('a claim that no source holds', () => {
  test('has no marker in a completion, and is named in a last paragraph', async () => {
    script.push(written)
    const completion = await client.chat.completions.create({ model: store, messages })
    expect(completion).toMatchObject({
      choices: [{ message: { content: checked, annotations: [{ url_citation: { start_index: 18 } }] } }],
      metadata: { passim_unsupported: '1' },
    })
  })
  test('is named at the end of a stream, too', async () => {
    script.push(written)
    const stream = client.chat.completions.stream({ model: store, messages })
    expect((await stream.finalChatCompletion()).choices[0]?.message.content).toBe(streamed)
  })
  test('is told of apart to a client that asks for more', async () => {
    script.push(written)
    const { choices } = await client.chat.completions.create({ model: store, messages }, { headers })
    expect(choices[0]?.message).toMatchObject({ passim_unsupported: [BARE] })
    script.push(written)
    const { output } = await client.responses.create({ ...asked(), input }, { headers })
    expect(output.at(-1)).toMatchObject({ content: [{ passim_unsupported: [BARE] }] })
  })
  test('has no marker in a response, and is named there', async () => {
    script.push(written)
    const response = await client.responses.create({ ...asked(), input })
    expect(response).toMatchObject({ output_text: checked, metadata: { passim_unsupported: '1' } })
    expect(response.output.at(-1)).toMatchObject({ content: [{ annotations: [{ index: 18 }] }] })
    script.push(written)
    const final = await client.responses.stream({ ...asked(), input }).finalResponse()
    expect(final.output_text).toBe(streamed)
  })
  test('is named in the language of the question', async () => {
    script.push({ text: ['公司由七位退休水手创办[1]。'] })
    const question = [{ role: 'user' as const, content: '酒店的价格是多少？' }]
    const { choices } = await client.chat.completions.create({ model: store, messages: question })
    expect(choices[0]?.message.content).toBe('公司由七位退休水手创办。\n\n文档中未找到：“公司由七位退休水手创办。”')
  })
  test('is not named to the model again when the conversation goes on', async () => {
    script.push(written, { text: ['120 euros [1].'] })
    const first = await client.responses.create({ ...asked(), input })
    await client.responses.create({ ...asked(), input: 'Per what?', previous_response_id: first.id })
    const said = model.requests.at(-1)?.body.messages.find(({ role }) => role === 'assistant')
    expect(said?.content).toBe(`${HELD} ${BARE}`)
  })
  test('is no part of an answer in JSON', async () => {
    script.push({ text: [`{"founders": "${BARE}"}`] })
    const response_format = { type: 'json_object' as const }
    const { choices } = await client.chat.completions.create({ model: store, messages, response_format })
    expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual({ founders: BARE })
  })
})

test('what was said before a search is no part of a checked answer, and comes before a call of the client', async () => {
  const searching = { name: 'search', arguments: { query: 'night' } }
  script.push({ text: ['One moment.'], calls: [searching] }, { text: [HELD] })
  const { choices } = await client.chat.completions.create({ model: store, messages })
  expect(choices[0]?.message.content).toBe(HELD)
  script.push({ text: ['One moment.'], calls: [{ name: 'book', arguments: {} }] })
  const book = { type: 'function' as const, name: 'book', parameters: { type: 'object' }, strict: false }
  const { output } = await client.responses.create({ ...asked(), tools: [...asked().tools, book], input })
  expect(output.map(({ type }) => type)).toEqual(['file_search_call', 'message', 'function_call'])
})
