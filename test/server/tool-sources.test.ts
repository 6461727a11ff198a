import { type UIMessage, uiMessageChunkSchema } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildMcpServer } from '../fakes/mcp-server-command.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { type Running, startServer } from './running.ts'
import { eventsIn } from './sse.ts'

const TOLD = 'On Monday, Bern has heavy rain.'
const question = 'What do hotels cost, and how is the weather in Bern?'
const WRITTEN = 'Hotels cost at most 120 euros a night [1]. Bern has heavy rain on Monday.'
const CHECKED = 'Hotels cost at most 120 euros a night [1]. Bern has heavy rain on Monday [2].'
const cited = {
  marker: 2,
  tool: 'sky-say',
  arguments: '{"times":1}',
  text: TOLD,
  support: 'stated',
}

let server: Running
let model: ScriptedModel
let client: OpenAI
let store: string
beforeAll(async () => {
  const call = { calls: [{ name: 'sky-say', arguments: { times: 1 } }] }
  model = await startScriptedModel(({ body: { messages } }) =>
    messages.at(-1)?.role === 'tool' ? { text: [WRITTEN] } : call,
  )
  const sky = { ...(await buildMcpServer()), env: { SAYS: TOLD } }
  server = await startServer({
    settings: {
      model: { url: model.url, name: 'scripted' },
      agent: { mcpServers: { sky }, mcpConnectMs: 60_000 },
    },
  })
  await server.sandbox.write({ 'hotel.md': '# Travel\n\nHotels cost at most 120 euros a night.' })
  await server.passim.index([server.sandbox.path('')])
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
  for await (const { id } of client.vectorStores.list()) store = id
})
afterAll(async () => {
  await server.close()
  await model.close()
})

const post = async (path: string, body: object) =>
  await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
const checked = {
  answer: CHECKED,
  citations: [{ doc: 'hotel.md', marker: 1 }],
  toolCitations: [cited],
}

describe('what a tool answered is a source', () => {
  test('of an answer, whole or streamed', async () => {
    expect(await (await post('/api/ask', { question })).json()).toMatchObject(checked)
    const streamed = eventsIn(await (await post('/api/ask', { question, stream: true })).text())
    expect(streamed.findLast(({ event }) => event === 'answer')?.data).toMatchObject(checked)
  })

  test('of a turn that is kept', async () => {
    const response = await post('/api/ask', { question, conversation: 'new' })
    const { conversation } = (await response.json()) as { conversation: string }
    const kept = await fetch(`${server.url}/api/conversations/${conversation}`)
    expect(await kept.json()).toMatchObject({ turns: [checked] })
  })

  test('of a message of a chat, as it is made and as it is kept', async () => {
    const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: question }] }
    const text = await (await post('/api/chat', { id: 'sky', messages: [message] })).text()
    const chunks = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json ?? ''))
    expect(chunks.at(-1)).toMatchObject({
      messageMetadata: { answer: CHECKED, toolCitations: [cited] },
    })
    expect(await uiMessageChunkSchema().validate?.(chunks.at(-1))).toMatchObject({ success: true })
    const { messages } = (await (await fetch(`${server.url}/api/chat/sky`)).json()) as {
      messages: UIMessage[]
    }
    expect(messages.at(-1)?.metadata).toMatchObject({ toolCitations: [cited] })
  })
})

describe('for a client of OpenAI, whose annotations are of files and addresses alone', () => {
  const messages = [{ role: 'user' as const, content: question }]
  const headers = { 'x-passim-spans': '1' }
  const respond = async (options: object = {}) => {
    const tools = [{ type: 'file_search' as const, vector_store_ids: [store] }]
    return await client.responses.create({ model: 'scripted', tools, input: question }, options)
  }

  test('it has no marker that would point nowhere', async () => {
    const { choices } = await client.chat.completions.create({ model: store, messages })
    expect(choices[0]?.message).toMatchObject({
      content: WRITTEN,
      annotations: [{ type: 'url_citation' }],
    })
    expect(choices[0]?.message).not.toHaveProperty('passim_tool_citations')
    expect((await respond()).output_text).toBe(WRITTEN)
    const stream = client.chat.completions.stream({ model: store, messages })
    expect((await stream.finalChatCompletion()).choices[0]?.message.content).toBe(WRITTEN)
  })

  test('it is told with its marker where the client asks for more', async () => {
    const { choices } = await client.chat.completions.create(
      { model: store, messages },
      { headers },
    )
    expect(choices[0]?.message).toMatchObject({ content: CHECKED, passim_tool_citations: [cited] })
    const { output } = await respond({ headers })
    expect(output.at(-1)).toMatchObject({
      content: [{ text: CHECKED, passim_tool_citations: [cited] }],
    })
  })

  test('it may be of a function that the client ran', async () => {
    const called = { name: 'sky', arguments: '{}' }
    const turn = [
      {
        role: 'assistant' as const,
        content: null,
        tool_calls: [{ id: 'a', type: 'function' as const, function: called }],
      },
      { role: 'tool' as const, tool_call_id: 'a', content: TOLD },
    ]
    const tools = [
      { type: 'function' as const, function: { name: 'sky', parameters: { type: 'object' } } },
    ]
    const request = { model: store, messages: [...messages, ...turn], tools }
    const { choices } = await client.chat.completions.create(request, { headers })
    expect(choices[0]?.message).toMatchObject({
      content: CHECKED,
      passim_tool_citations: [{ marker: 2, tool: 'sky', callId: 'a' }],
    })
    expect(choices[0]?.message).not.toHaveProperty('passim_unsupported')
    expect((await client.chat.completions.create(request)).choices[0]?.message.content).toBe(
      WRITTEN,
    )
  })
})
