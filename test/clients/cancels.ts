import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ChatOpenAI } from '@langchain/openai'
import { generateText, type LanguageModel, streamText } from 'ai'
import OpenAI from 'openai'
import type { Place } from './clients.ts'

/** Asks, and is cancelled by the signal; `hear` is called with the first words, which only streams have before the end. */
type Cancelled = (place: Place, signal: AbortSignal, hear: () => void) => Promise<unknown>

const question = 'What do hotels cost?'
const messages = [{ role: 'user' as const, content: question }]

function openai({ baseURL, fetch }: Place): OpenAI {
  return new OpenAI({ baseURL, apiKey: 'none', fetch })
}

async function generated(model: LanguageModel, abortSignal: AbortSignal): Promise<unknown> {
  return await generateText({ model, prompt: question, abortSignal })
}

async function streamed(
  model: LanguageModel,
  abortSignal: AbortSignal,
  hear: () => void,
): Promise<void> {
  const { fullStream } = streamText({ model, prompt: question, abortSignal, onError: () => {} })
  for await (const { type } of fullStream) if (type === 'text-delta') hear()
}

function compatible({ baseURL, fetch }: Place): LanguageModel {
  return createOpenAICompatible({ name: 'passim', baseURL, fetch })('scripted')
}

function aiOpenAI({ baseURL, fetch }: Place) {
  return createOpenAI({ baseURL, apiKey: 'none', fetch })
}

function langchain({ baseURL, fetch }: Place, useResponsesApi: boolean): ChatOpenAI {
  return new ChatOpenAI({
    model: 'scripted',
    apiKey: 'none',
    useResponsesApi,
    configuration: { baseURL, fetch },
  })
}

async function spoken(model: ChatOpenAI, signal: AbortSignal, hear: () => void): Promise<void> {
  for await (const { text } of await model.stream(question, { signal })) if (text) hear()
}

/** How the unmodified clients cancel what they ask, with the retries that they have by default. */
export const CANCELS: Readonly<Record<string, Cancelled>> = {
  'openai: a completion': (at, signal) =>
    openai(at).chat.completions.create({ model: 'scripted', messages }, { signal }),
  'openai: a streamed completion': async (at, signal, hear) => {
    const options = { model: 'scripted', messages, stream: true } as const
    const stream = await openai(at).chat.completions.create(options, { signal })
    for await (const { choices } of stream) if (choices[0]?.delta.content) hear()
  },
  'openai: a response': (at, signal) =>
    openai(at).responses.create({ model: 'scripted', input: question }, { signal }),
  'openai: a streamed response': async (at, signal, hear) => {
    const stream = openai(at).responses.stream({ model: 'scripted', input: question }, { signal })
    for await (const { type } of stream) if (type === 'response.output_text.delta') hear()
  },
  'openai: a response in the background': async (at, signal) => {
    const { id } = await openai(at).responses.create({
      model: 'scripted',
      input: question,
      background: true,
    })
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
    await openai(at).responses.cancel(id)
  },
  'ai with @ai-sdk/openai-compatible: a completion': (at, signal) =>
    generated(compatible(at), signal),
  'ai with @ai-sdk/openai-compatible: a streamed completion': (at, signal, hear) =>
    streamed(compatible(at), signal, hear),
  'ai with @ai-sdk/openai: a completion': (at, signal) =>
    generated(aiOpenAI(at).chat('scripted'), signal),
  'ai with @ai-sdk/openai: a streamed completion': (at, signal, hear) =>
    streamed(aiOpenAI(at).chat('scripted'), signal, hear),
  'ai with @ai-sdk/openai: a response': (at, signal) => generated(aiOpenAI(at)('scripted'), signal),
  'ai with @ai-sdk/openai: a streamed response': (at, signal, hear) =>
    streamed(aiOpenAI(at)('scripted'), signal, hear),
  '@langchain/openai: a completion': (at, signal) =>
    langchain(at, false).invoke(question, { signal }),
  '@langchain/openai: a streamed completion': (at, signal, hear) =>
    spoken(langchain(at, false), signal, hear),
  '@langchain/openai: a response': (at, signal) => langchain(at, true).invoke(question, { signal }),
  '@langchain/openai: a streamed response': (at, signal, hear) =>
    spoken(langchain(at, true), signal, hear),
}
