/**
 * A group chat: agents that speak in turn, until everybody had a say. It needs a chat model (PASSIM_MODEL_URL, PASSIM_MODEL):
 *
 *   npx tsx examples/group-chat.ts "Should we sign the contract?"
 *
 * In a program that has Passim installed, import from 'passim' instead of '../src/index.ts'.
 */
import { type AgentResult, groupChat, type Passim } from '../src/index.ts'
import { runExample } from './run.ts'

/** Each hears the others by name; `@critic` would call upon that one. */
export async function discuss(passim: Passim, question: string): Promise<AgentResult> {
  const optimist = passim.agent({
    name: 'optimist',
    instructions: 'You look for the good in it. Two sentences.',
  })
  const critic = passim.agent({
    name: 'critic',
    instructions: 'You look for the risks. Two sentences.',
    citations: true,
  })
  return await groupChat([optimist, critic], { maxRounds: 2 }).run(question).result
}

await runExample(
  { file: import.meta.filename, usage: 'QUESTION' },
  async (passim, [question = '']) => {
    const { text } = await discuss(passim, question)
    console.log(text)
  },
)
