import assert from 'node:assert/strict'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  DefaultChatTransport,
  generateText,
  type LanguageModel,
  readUIMessageStream,
  stepCountIs,
  streamText,
  type ToolSet,
  tool,
  type UIMessage,
  type UIMessageChunk,
} from 'ai'
import OpenAI from 'openai'
import { z } from 'zod'
import { eventsIn } from '../server/sse.ts'

/** Service with a vector store, whose model calls functions only if its server lets it. */
export type JourneyPlace = {
  readonly url: string
  readonly store: string
  readonly mayCall: boolean
}

type Journey = (place: JourneyPlace) => Promise<void>

/** What a client does with the service, as far as that serves its API. Each journey throws if it fails. */
export type ClientJourneys = {
  readonly client: string
  /** Asks, and gets the answer with its source. */
  readonly answer?: Journey
  /** Has a function called; the model answers without where its server has none. */
  readonly call?: Journey
  /** Leaves a stream after the first words, and gets the complete answer. */
  readonly cut?: Journey
  /** Has texts ranked, and is told what to use for what is not served. */
  readonly rank?: Journey
}

export const JOURNEY_QUESTION = 'What do hotels cost at most?'
export const JOURNEY_ANSWER = 'Hotels cost at most 120 euros a night [1].'

export const JOURNEY_SOURCE = 'hotel.md'
const FUNCTION = {
  name: 'look_up',
  description: 'Looks up a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
}
const lookUp = tool({
  description: FUNCTION.description,
  inputSchema: z.object({ place: z.string() }),
  execute: () => 'open',
})
const messages = [{ role: 'user' as const, content: JOURNEY_QUESTION }]

function openai({ url }: JourneyPlace): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 })
}

function fileSearch({ store }: JourneyPlace) {
  return { type: 'file_search' as const, vector_store_ids: [store] }
}

const chatCompletions: ClientJourneys = {
  client: 'openai, chat completions',
  async answer(place) {
    const { choices } = await openai(place).chat.completions.create({
      model: place.store,
      messages,
    })
    assert.equal(choices[0]?.message.content, JOURNEY_ANSWER)
    assert.equal(choices[0]?.message.annotations?.[0]?.url_citation.title, JOURNEY_SOURCE)
  },
  async call(place) {
    const tools = [{ type: 'function' as const, function: FUNCTION }]
    const { completions } = openai(place).chat
    const asked = await completions.create({ model: place.store, messages, tools })
    const message = asked.choices[0]?.message
    const [call] = message?.tool_calls ?? []
    assert.equal(call !== undefined, place.mayCall)
    if (!message || !call) return assert.equal(message?.content, JOURNEY_ANSWER)
    const result = { role: 'tool' as const, tool_call_id: call.id, content: 'open' }
    const answered = await completions.create({
      model: place.store,
      messages: [...messages, message, result],
      tools,
    })
    assert.equal(answered.choices[0]?.message.content, JOURNEY_ANSWER)
  },
  async cut(place) {
    const { completions } = openai(place).chat
    const asked = { model: place.store, messages }
    for await (const { choices } of await completions.create({ ...asked, stream: true }))
      if (choices[0]?.delta.content) break
    const again = await completions.stream(asked).finalChatCompletion()
    assert.equal(again.choices[0]?.message.content, JOURNEY_ANSWER)
  },
}

const responses: ClientJourneys = {
  client: 'openai, responses',
  async answer(place) {
    const { output, output_text } = await openai(place).responses.create({
      model: 'thinker',
      input: JOURNEY_QUESTION,
      tools: [fileSearch(place)],
    })
    assert.equal(output_text, JOURNEY_ANSWER)
    assert.ok(JSON.stringify(output).includes(`"filename":"${JOURNEY_SOURCE}"`))
  },
  async call(place) {
    const client = openai(place)
    const tools = [fileSearch(place), { type: 'function' as const, strict: false, ...FUNCTION }]
    const asked = { model: 'thinker', tools }
    const first = await client.responses.create({ ...asked, input: JOURNEY_QUESTION })
    const call = first.output.find(item => item.type === 'function_call')
    assert.equal(call !== undefined, place.mayCall)
    if (!call) return assert.equal(first.output_text, JOURNEY_ANSWER)
    const { output_text } = await client.responses.create({
      ...asked,
      input: [{ type: 'function_call_output', call_id: call.call_id, output: 'open' }],
      previous_response_id: first.id,
    })
    assert.equal(output_text, JOURNEY_ANSWER)
  },
  async cut(place) {
    const client = openai(place)
    const asked = { model: 'thinker', input: JOURNEY_QUESTION, tools: [fileSearch(place)] }
    let id = ''
    let seen = 0
    let text = ''
    for await (const event of await client.responses.create({
      ...asked,
      background: true,
      stream: true,
    })) {
      if (event.type === 'response.created') id = event.response.id
      seen = event.sequence_number
      if (event.type !== 'response.output_text.delta') continue
      text += event.delta
      break
    }
    for await (const event of await client.responses.retrieve(id, {
      stream: true,
      starting_after: seen,
    }))
      if (event.type === 'response.output_text.delta') text += event.delta
    assert.equal(text, JOURNEY_ANSWER)
  },
}

function createAiJourneys(
  client: string,
  open: (place: JourneyPlace) => { readonly model: LanguageModel; readonly search?: ToolSet },
  findSource: (result: { readonly sources: readonly object[]; readonly body: unknown }) => boolean,
): ClientJourneys {
  return {
    client,
    async answer(place) {
      const { model, search } = open(place)
      const { text, sources, response } = await generateText({
        model,
        prompt: JOURNEY_QUESTION,
        maxRetries: 0,
        ...(search && { tools: search }),
      })
      assert.equal(text, JOURNEY_ANSWER)
      assert.ok(findSource({ sources, body: response.body }))
    },
    async call(place) {
      const { model, search } = open(place)
      const { text, steps } = await generateText({
        model,
        prompt: JOURNEY_QUESTION,
        maxRetries: 0,
        tools: { ...search, look_up: lookUp },
        stopWhen: stepCountIs(3),
      })
      assert.equal(text, JOURNEY_ANSWER)
      const outputs = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output))
      assert.equal(outputs.includes('open'), place.mayCall)
    },
    async cut(place) {
      const { model, search } = open(place)
      const asked = {
        model,
        prompt: JOURNEY_QUESTION,
        maxRetries: 0,
        ...(search && { tools: search }),
      }
      for await (const piece of streamText(asked).textStream) if (piece !== '') break
      assert.equal(await streamText(asked).text, JOURNEY_ANSWER)
    },
  }
}

const aiCompatible = createAiJourneys(
  'ai, @ai-sdk/openai-compatible',
  ({ url, store }) => ({
    model: createOpenAICompatible({ name: 'passim', baseURL: `${url}/v1` })(store),
  }),
  ({ body }) => JSON.stringify(body).includes(`"title":"${JOURNEY_SOURCE}"`),
)

const aiOpenAI = createAiJourneys(
  'ai, @ai-sdk/openai',
  ({ url, store }) => {
    const provider = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
    const file_search = provider.tools.fileSearch({ vectorStoreIds: [store] })
    return {
      model: provider('thinker'),
      search: { file_search } as unknown as ToolSet, // of another copy of its types
    }
  },
  ({ sources }) => JSON.stringify(sources).includes(JOURNEY_SOURCE),
)

function langchain({ url, store }: JourneyPlace, useResponsesApi = false): ChatOpenAI {
  return new ChatOpenAI({
    model: useResponsesApi ? 'thinker' : store,
    apiKey: 'none',
    maxRetries: 0,
    useResponsesApi,
    configuration: { baseURL: `${url}/v1` },
  })
}

const langChain: ClientJourneys = {
  client: '@langchain/openai',
  async answer(place) {
    const model = langchain(place, true).bindTools([fileSearch(place)])
    const message = await model.invoke(JOURNEY_QUESTION)
    assert.equal(message.text, JOURNEY_ANSWER)
    assert.ok(JSON.stringify(message.content).includes(JOURNEY_SOURCE))
  },
  async call(place) {
    const model = langchain(place).bindTools([{ type: 'function' as const, function: FUNCTION }])
    const asked = new HumanMessage(JOURNEY_QUESTION)
    const called = await model.invoke([asked])
    const [call] = called.tool_calls ?? []
    assert.equal(call !== undefined, place.mayCall)
    if (!call) return assert.equal(called.text, JOURNEY_ANSWER)
    const result = new ToolMessage({ content: 'open', tool_call_id: call.id ?? '' })
    assert.equal((await model.invoke([asked, called, result])).text, JOURNEY_ANSWER)
  },
  async cut(place) {
    const model = langchain(place)
    for await (const { text } of await model.stream(JOURNEY_QUESTION)) if (text) break
    let said = ''
    for await (const { text } of await model.stream(JOURNEY_QUESTION)) said += text
    assert.equal(said, JOURNEY_ANSWER)
  },
}

function createTransport({ url, store }: JourneyPlace) {
  return new DefaultChatTransport({ api: `${url}/api/chat`, body: { collections: [store] } })
}

async function sendChat(place: JourneyPlace, chatId: string, text: string) {
  const asked: UIMessage = { id: '1', role: 'user', parts: [{ type: 'text', text }] }
  return await createTransport(place).sendMessages({
    chatId,
    messages: [asked],
    trigger: 'submit-message',
    messageId: undefined,
    abortSignal: undefined,
  })
}

async function readParts(stream: ReadableStream<UIMessageChunk>): Promise<UIMessage['parts']> {
  let parts: UIMessage['parts'] = []
  for await (const message of readUIMessageStream({ stream })) parts = message.parts
  return parts
}

function joinText(parts: UIMessage['parts']): string {
  return parts.map(part => (part.type === 'text' ? part.text : '')).join('')
}

const useChat: ClientJourneys = {
  client: 'ai, useChat',
  async answer(place) {
    const parts = await readParts(await sendChat(place, crypto.randomUUID(), JOURNEY_QUESTION))
    assert.equal(joinText(parts), JOURNEY_ANSWER)
    assert.ok(
      parts.some(part => part.type === 'source-document' && part.filename === JOURNEY_SOURCE),
    )
  },
  async call(place) {
    const parts = await readParts(
      await sendChat(place, crypto.randomUUID(), `Search: ${JOURNEY_QUESTION}`),
    )
    assert.equal(joinText(parts), JOURNEY_ANSWER)
    assert.equal(
      parts.some(({ type }) => type === 'dynamic-tool'),
      place.mayCall,
    )
  },
  async cut(place) {
    const chatId = crypto.randomUUID()
    const reader = (await sendChat(place, chatId, JOURNEY_QUESTION)).getReader()
    while ((await reader.read()).value?.type !== 'text-delta');
    await reader.cancel()
    const rest = await createTransport(place).reconnectToStream({ chatId })
    if (rest) return assert.equal(joinText(await readParts(rest)), JOURNEY_ANSWER)
    const kept = await (await fetch(`${place.url}/api/chat/${chatId}`)).json()
    assert.equal(
      joinText((kept as { messages: UIMessage[] }).messages.at(-1)?.parts ?? []),
      JOURNEY_ANSWER,
    )
  },
}

async function askOverMcp(place: JourneyPlace, question: string, signal?: AbortSignal) {
  const client = new Client(
    { name: 'journey', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const address = new URL(`${place.url}/mcp?collection=${place.store}`)
  await client.connect(new StreamableHTTPClientTransport(address))
  try {
    const call = { name: 'ask', arguments: { question } }
    const { structuredContent } = await client.callTool(call, signal && { signal })
    return structuredContent as { answer: string; citations: readonly { name: string }[] }
  } finally {
    await client.close()
  }
}

const mcp: ClientJourneys = {
  client: '@modelcontextprotocol/client',
  async answer(place) {
    const { answer, citations } = await askOverMcp(place, JOURNEY_QUESTION)
    assert.equal(answer, JOURNEY_ANSWER)
    assert.equal(citations[0]?.name, JOURNEY_SOURCE)
  },
  async call(place) {
    assert.equal((await askOverMcp(place, `Search: ${JOURNEY_QUESTION}`)).answer, JOURNEY_ANSWER)
  },
  async cut(place) {
    const left = new AbortController()
    const asked = askOverMcp(place, JOURNEY_QUESTION, left.signal).catch(() => undefined)
    left.abort()
    await asked
    assert.equal((await askOverMcp(place, JOURNEY_QUESTION)).answer, JOURNEY_ANSWER)
  },
}

async function ask(place: JourneyPlace, body: object, signal?: AbortSignal): Promise<Response> {
  return await fetch(`${place.url}/api/ask`, {
    method: 'POST',
    body: JSON.stringify({ question: JOURNEY_QUESTION, collections: [place.store], ...body }),
    ...(signal && { signal }),
  })
}

const native: ClientJourneys = {
  client: 'fetch, /api/ask',
  async answer(place) {
    const { answer, citations } = (await (await ask(place, {})).json()) as {
      answer: string
      citations: readonly { doc: string }[]
    }
    assert.deepEqual([answer, citations[0]?.doc], [JOURNEY_ANSWER, JOURNEY_SOURCE])
  },
  async call(place) {
    const question = `Search: ${JOURNEY_QUESTION}`
    const events = eventsIn(await (await ask(place, { question, stream: true })).text())
    assert.equal(events.at(-1)?.data.answer, JOURNEY_ANSWER)
    assert.equal(
      events.some(({ event }) => event === 'tool_result'),
      place.mayCall,
    )
  },
  async cut(place) {
    const left = new AbortController()
    const { body } = await ask(place, { conversation: 'new', stream: true }, left.signal)
    const { value } = (await body?.pipeThrough(new TextDecoderStream()).getReader().read()) ?? {}
    left.abort()
    const [, conversation] = /"conversation":"(\w+)"/.exec(value ?? '') ?? []
    const [, id] = /^id: (\d+)$/m.exec(value ?? '') ?? []
    const rest = await fetch(`${place.url}/api/conversations/${conversation}/events?after=${id}`)
    const events = eventsIn(await rest.text())
    assert.equal(events.at(-1)?.data.answer, JOURNEY_ANSWER)
  },
}

export const CLIENT_JOURNEYS: readonly ClientJourneys[] = [
  chatCompletions,
  responses,
  aiCompatible,
  aiOpenAI,
  langChain,
  useChat,
  mcp,
  native,
]
