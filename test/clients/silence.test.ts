import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ChatOpenAI } from '@langchain/openai'
import { type LanguageModel, streamText } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { type Running, startServer } from '../server/running.ts'

/** The model says nothing until this resolves. */
let spoken: Promise<void>
let speak = () => {}
let model: ScriptedModel
let server: Running

beforeAll(async () => {
  model = await startScriptedModel(async () => {
    await spoken
    return { text: ['Once ', 'more.'] }
  })
  server = await startServer({
    settings: { model: { url: model.url, name: 'scripted' }, server: { keepAliveMs: 5 } },
  })
})
afterAll(async () => {
  await server.close()
  await model.close()
})

/** The model is let speak once a stream has begun and was kept alive twice; nothing is changed on the way. */
const watched = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
  spoken = new Promise(resolve => {
    speak = resolve
  })
  const response = await fetch(input, init)
  let text = ''
  const look = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      text += Buffer.from(chunk).toString()
      if (text.startsWith('event: response.created') || text.startsWith('data: {')) {
        if (text.split(': keep-alive\n').length > 2) speak()
      }
      controller.enqueue(chunk)
    },
  })
  return new Response(response.body?.pipeThrough(look), {
    status: response.status,
    headers: response.headers,
  })
}

const prompt = 'Say it once more.'
const at = () => ({ baseURL: `${server.url}/v1`, apiKey: 'none', fetch: watched })

async function bySDK(model: LanguageModel): Promise<string> {
  return await streamText({ model, prompt, maxRetries: 0 }).text
}

async function byLangChain(useResponsesApi: boolean): Promise<string> {
  const options = {
    model: 'scripted',
    apiKey: 'none',
    maxRetries: 0,
    useResponsesApi,
    configuration: at(),
  }
  let text = ''
  for await (const piece of await new ChatOpenAI(options).stream(prompt)) text += piece.text
  return text
}

const CLIENTS: Readonly<Record<string, () => Promise<string | null | undefined>>> = {
  'openai: a completion': async () => {
    const messages = [{ role: 'user' as const, content: prompt }]
    const stream = new OpenAI(at()).chat.completions.stream({ model: 'scripted', messages })
    return (await stream.finalChatCompletion()).choices[0]?.message.content
  },
  'openai: a response': async () => {
    const stream = new OpenAI(at()).responses.stream({ model: 'scripted', input: prompt })
    return (await stream.finalResponse()).output_text
  },
  'ai with @ai-sdk/openai-compatible': () =>
    bySDK(createOpenAICompatible({ name: 'passim', ...at() })('scripted')),
  'ai with @ai-sdk/openai: a completion': () => bySDK(createOpenAI(at()).chat('scripted')),
  'ai with @ai-sdk/openai: a response': () => bySDK(createOpenAI(at())('scripted')),
  '@langchain/openai: a completion': () => byLangChain(false),
  '@langchain/openai: a response': () => byLangChain(true),
}

test.each(Object.entries(CLIENTS))(
  '%s begins while the model says nothing, is kept alive, and goes on once it speaks',
  async (_, ask) => {
    expect(await ask()).toBe('Once more.')
  },
)
