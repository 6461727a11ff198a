/**
 * A router: an agent whose tools are agents. It needs a chat model (PASSIM_MODEL_URL, PASSIM_MODEL):
 *
 *   npx tsx examples/router.ts "What does the contract say about notice, and what does that mean in plain words?"
 *
 * In a program that has Passim installed, import from 'passim' instead of '../src/index.ts'.
 */
import { type AgentRun, agentTool, open, type Passim } from '../src/index.ts'

/** Each agent says what it is for; the model chooses among them, and their steps and cost are those of the run. */
export function askRouter(passim: Passim, question: string): AgentRun {
  const lawyer = passim.agent({
    name: 'lawyer',
    description: 'Knows the contracts.',
    citations: true,
  })
  const writer = passim.agent({ name: 'writer', description: 'Says things in plain words.' })
  const router = passim.agent({ name: 'router', tools: [agentTool(lawyer), agentTool(writer)] })
  return router.run(question)
}

if (process.argv[1] === import.meta.filename) {
  const passim = await open()
  const run = askRouter(passim, process.argv[2] ?? '')
  for await (const event of run.events)
    if (event.type === 'agent') console.error(event.name, event.event.type)
  console.log((await run.result).text)
  await passim.close()
}
