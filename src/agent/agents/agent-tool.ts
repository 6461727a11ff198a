import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { Agent, AgentDeps, RunOptions } from '../agent.ts'
import type { AgentEvent } from '../event.ts'
import { requireKnownNames } from '../known-names.ts'
import type { AgentRun } from '../run.ts'
import type { Tool } from '../tool.ts'
import { defineTool } from '../tools/define-tool.ts'

/** An agent, or several that work as one. */
export type AnyAgent = Pick<Agent, 'name' | 'description' | 'run'>

/** What an agent is called among others, and what it is for: by that, whoever calls chooses among them. */
export type AgentLabel = Pick<AgentDeps, 'name' | 'description'>
export const LABEL: Readonly<Record<keyof AgentLabel, true>> = { name: true, description: true }

/** An agent as a tool of another one, which so becomes a router. Its steps are told under its name; it has its own label where none is given. */
export function agentTool(agent: AnyAgent, options: AgentLabel = {}): Tool {
  requireKnownNames('agentTool()', options, LABEL)
  const { name = agent.name, description = agent.description } = options
  if (description === undefined)
    throw new AppError(
      'invalid_input',
      `agentTool() needs a description of ${name}: what the agent is for.`,
    )
  return defineTool({
    name,
    description,
    parameters: z.object({
      task: z.string().min(1).describe('What to do or to answer, with everything one has to know.'),
    }),
    call: async ({ task }, signal, { tell, conversation } = {}) => {
      const run = agent.run(task, { signal, within: conversation && `${conversation}/${name}` })
      for await (const event of wrapEvents(agent.name, run)) tell?.(event)
      const { text, calls = [] } = await run.result
      if (calls.length === 0) return text
      const open = calls.map(call => call.name).join(', ')
      throw new AppError(
        'conflict',
        `${agent.name} stopped: nobody is there to approve of its call of ${open}.`,
      )
    },
  })
}

/** How a run inside of another one is made: it is no turn of the conversation, and what its tools keep belongs to that. */
export function toInnerRun({ conversation, ...run }: RunOptions): RunOptions {
  return { within: conversation, ...run }
}

/** The steps of a run inside of another one. */
export async function* wrapEvents(
  name: string,
  run: AgentRun,
): AsyncGenerator<Extract<AgentEvent, { type: 'agent' }>> {
  for await (const event of run.events)
    if (event.type !== 'reasoning-end') yield { type: 'agent', name, event }
}
