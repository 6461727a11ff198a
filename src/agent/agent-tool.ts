import { z } from 'zod'
import type { Agent } from './agent.ts'
import type { Tool } from './tool.ts'
import { defineTool } from './tools/define-tool.ts'

type AgentToolOptions = {
  /** The agent's own when left out. */
  readonly name?: string
  /** What the agent is for: by it, whoever calls chooses among agents. */
  readonly description: string
}

/** An agent as a tool of another one, which so becomes a router. Its steps are told under its name. */
export function agentTool(agent: Agent, { name = agent.name, description }: AgentToolOptions): Tool {
  return defineTool({
    name,
    description,
    parameters: z.object({
      task: z.string().min(1).describe('What to do or to answer, with everything one has to know.'),
    }),
    call: async ({ task }, signal, tell) => {
      const run = agent.run(task, { signal })
      for await (const event of run.events) tell?.({ type: 'agent', name: agent.name, event })
      return (await run.result).text
    },
  })
}
