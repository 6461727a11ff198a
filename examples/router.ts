/**
 * A router: it passes the question to the agent that knows. It needs a chat model (PASSIM_MODEL_URL, PASSIM_MODEL):
 *
 *   npx tsx examples/router.ts "How long is the notice period?"
 *
 * In a program that has Passim installed, import from 'passim' instead of '../src/index.ts'.
 */
import type { AgentRun, Passim } from '../src/index.ts'
import { runExample } from './run.ts'

/** Each agent says what it is for; the answer, its citations and cost are those of the run. */
export function askRouter(passim: Passim, question: string): AgentRun {
  const lawyer = passim.agent({
    name: 'lawyer',
    description: 'Knows the contracts.',
    citations: true,
  })
  const writer = passim.agent({ name: 'writer', description: 'Says things in plain words.' })
  return passim.router([lawyer, writer]).run(question)
}

await runExample(
  { file: import.meta.filename, usage: 'QUESTION' },
  async (passim, [question = '']) => {
    const run = askRouter(passim, question)
    for await (const text of run.textStream) process.stdout.write(text)
    const { messages, citations } = await run.result
    console.log(`\n${messages.at(-1)?.name}, with ${citations.length} citations.`)
  },
)
