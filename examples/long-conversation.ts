/**
 * A conversation that may grow long. It needs a chat model (PASSIM_MODEL_URL, PASSIM_MODEL):
 *
 *   npx tsx examples/long-conversation.ts "My dog is called Rex." "I live in Ulm." "It rains." "Do you?" "What is my dog called?"
 *
 * In a program that has Passim installed, import from 'passim' instead of '../src/index.ts'.
 */
import type { Message, Passim } from '../src/index.ts'
import { runExample } from './run.ts'

/** What is said to each; of all but the last turns, the model sees what bears on the question. */
export async function talk(
  passim: Passim,
  questions: readonly string[],
): Promise<readonly string[]> {
  const agent = passim.agent({
    tools: ['retrieval'],
    memory: { searchesHistory: true, keepsFindings: true },
  })
  const said: Message[] = []
  const answers: string[] = []
  for (const content of questions) {
    said.push({ role: 'user', content })
    const { text, messages } = await agent.run(said).result
    said.push(...messages)
    answers.push(text)
  }
  return answers
}

await runExample({ file: import.meta.filename, usage: 'QUESTION' }, async (passim, questions) => {
  console.log((await talk(passim, questions)).join('\n'))
})
