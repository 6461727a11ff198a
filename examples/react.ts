/**
 * An agent for a model that writes its calls as text: a thought, an action, its input. It needs a chat model (PASSIM_MODEL_URL, PASSIM_MODEL):
 *
 *   npx tsx examples/react.ts "What does the contract cost in euros, if it says dollars?"
 *
 * In a program that has Passim installed, import from 'passim' instead of '../src/index.ts'.
 */
import type { AgentRun, Passim } from '../src/index.ts'
import { convert } from './own-tool.ts'
import { runExample } from './run.ts'

/** The same agent and the same tools as for any model: only how calls are written differs. */
export function askInSteps(passim: Passim, question: string): AgentRun {
  const agent = passim.agent({
    tools: ['retrieval', convert],
    config: { functionCalling: 'react' },
  })
  return agent.run(question)
}

await runExample(
  { file: import.meta.filename, usage: 'QUESTION' },
  async (passim, [question = '']) => {
    const run = askInSteps(passim, question)
    for await (const event of run.events)
      if (event.type === 'tool-call') console.error(event.call.name, event.call.arguments)
    console.log((await run.result).text)
  },
)
