/**
 * Passim's retrieval inside an agent of Vercel's AI SDK (`npm install ai` and the package of a provider):
 *
 *   const { text } = await askAISDK(passim, openai('gpt-5'), 'What is the notice period?')
 *
 * In a program that has Passim installed, import from 'passim' instead of '../src/index.ts'.
 */
import { generateText, type LanguageModel, stepCountIs } from 'ai'
import { type Passim, toAISDK } from '../src/index.ts'

export async function askAISDK(
  passim: Passim,
  model: LanguageModel,
  prompt: string,
): Promise<{ text: string }> {
  const tools = await toAISDK(passim.tools())
  return await generateText({
    model,
    tools,
    prompt,
    system: 'Answer from the documents.',
    stopWhen: stepCountIs(5),
  })
}
