import type OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScriptedReply } from '../fakes/scripted-model-server.ts'
import { startTravel, type Travel } from './travel.ts'

const script: ScriptedReply[] = []
let client: OpenAI
let store: string
let travel: Travel

beforeAll(async () => {
  travel = await startTravel(script)
  client = travel.client
  store = travel.store
})
afterAll(() => travel.close())

const HELD = 'At most 120 euros [1].'
const FALSE = 'A hotel costs at most 450 euros a night.'
const INVENTED = 'The company was founded by seven retired sailors [1].'
const BARE = 'The company was founded by seven retired sailors.'
const written = { text: [`${HELD} ${FALSE} `, INVENTED] }
const checked = `${HELD} ${FALSE} ${INVENTED}`
const open = { passim_unsupported: [FALSE], passim_unconfirmed: [BARE] }

const input = 'What do hotels cost?'
const messages = [{ role: 'user' as const, content: input }]
const headers = { 'x-passim-spans': '1' }
const asked = () => ({
  model: 'scripted',
  tools: [{ type: 'file_search' as const, vector_store_ids: [store] }],
})

describe('claims that sources contradict or do not confirm', () => {
  test('are fields of a completion, and nothing is put under its text', async () => {
    script.push(written)
    const completion = await client.chat.completions.create({ model: store, messages }, { headers })
    expect(completion).toMatchObject({
      choices: [{ message: { content: checked, ...open } }],
      metadata: { passim_unsupported: '1', passim_unconfirmed: '1' },
    })
  })
  test('come with the last piece of a stream', async () => {
    script.push(written)
    const streamed = { model: store, messages, stream: true as const }
    const deltas: Partial<OpenAI.ChatCompletionChunk.Choice.Delta>[] = []
    for await (const { choices } of await client.chat.completions.create(streamed, { headers }))
      deltas.push(...choices.map(({ delta }) => delta))
    expect(deltas.map(({ content }) => content ?? '').join('')).toBe(checked)
    expect(deltas.at(-1)).toMatchObject(open)
  })
  test('are fields of a response, streamed or not, and nothing is put under its text', async () => {
    script.push(written, written)
    for (const response of [
      await client.responses.create({ ...asked(), input }, { headers }),
      await client.responses.stream({ ...asked(), input }, { headers }).finalResponse(),
    ]) {
      expect(response).toMatchObject({
        output_text: checked,
        metadata: { passim_unsupported: '1' },
      })
      expect(response.output.at(-1)).toMatchObject({ content: [open] })
    }
  })
  test('are told apart in the JSON of a question and in a chat of the AI SDK', async () => {
    const post = async (path: string, body: object) =>
      await (
        await fetch(new URL(path, client.baseURL), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).text()
    script.push(written, written)
    const answer = JSON.parse(await post('/api/ask', { question: input }))
    expect(answer).toMatchObject({ answer: checked, unsupported: [FALSE], unconfirmed: [BARE] })
    const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: input }] }
    const chat = await post('/api/chat', { id: 'c1', messages: [message] })
    expect(chat).toContain(
      `"unsupported":${JSON.stringify([FALSE])},"unconfirmed":${JSON.stringify([BARE])}`,
    )
  })
  test('JSON that is asked for by prompt is as the model wrote it', async () => {
    const json =
      '{ "hotels": ["A hotel costs at most 450 euros a night.", "Seen in [7]"], "ids": [9] }'
    for (const content of [
      json,
      `Here it is:\n\`\`\`json\n${json}\n\`\`\``,
      `Action: search\nAction Input: ${json}`,
    ]) {
      script.push({ text: [content] }, { text: [...content] })
      const { choices } = await client.chat.completions.create({ model: store, messages })
      expect(choices[0]?.message.content).toBe(content)
      const stream = client.chat.completions.stream({ model: store, messages })
      expect((await stream.finalChatCompletion()).choices[0]?.message.content).toBe(content)
    }
  })
  test('are no part of an answer in JSON', async () => {
    script.push({ text: [`{"founders": "${BARE}"}`] })
    const response_format = { type: 'json_object' as const }
    const { choices } = await client.chat.completions.create({
      model: store,
      messages,
      response_format,
    })
    expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual({ founders: BARE })
  })
})

test('what was said before a search is no part of a checked answer, and comes before a call of the client', async () => {
  const searching = { name: 'search', arguments: { query: 'night' } }
  script.push({ text: ['One moment.'], calls: [searching] }, { text: [HELD] })
  const { choices } = await client.chat.completions.create({ model: store, messages })
  expect(choices[0]?.message.content).toBe(HELD)
  script.push({ text: ['One moment.'], calls: [{ name: 'book', arguments: {} }] })
  const book = {
    type: 'function' as const,
    name: 'book',
    parameters: { type: 'object' },
    strict: false,
  }
  const { output } = await client.responses.create({
    ...asked(),
    tools: [...asked().tools, book],
    input,
  })
  expect(output.map(({ type }) => type)).toEqual(['file_search_call', 'message', 'function_call'])
})
