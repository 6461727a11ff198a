/**
 * An answer that takes several searches. It needs a chat model (PASSIM_MODEL_URL, PASSIM_MODEL):
 *
 *   npx tsx examples/deep-answer.ts "Compare the notice periods of all contracts"
 *
 * In a program that has Passim installed, import from 'passim' instead of '../src/index.ts'.
 */
import type { AgentResult, Passim } from '../src/index.ts'
import { runExample } from './run.ts'

type DeepAnswer = { readonly searches: readonly string[]; readonly answer: AgentResult }

/** The question is taken apart, its parts are searched for, and the draft is held against what was found. */
export async function answerDeeply(passim: Passim, question: string): Promise<DeepAnswer> {
  const run = passim.ask({ question, effort: 'high' })
  const searches: string[] = []
  for await (const event of run.events) if (event.type === 'retrieval') searches.push(event.query)
  return { searches, answer: await run.result }
}

await runExample(
  { file: import.meta.filename, usage: 'QUESTION' },
  async (passim, [question = '']) => {
    const { searches, answer } = await answerDeeply(passim, question)
    console.log(`${answer.text}\n\nSearched for: ${searches.join('; ')}`)
  },
)
