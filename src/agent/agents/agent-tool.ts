import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { Agent, AgentDeps, RunOptions } from '../agent.ts'
import type { AgentEvent } from '../event.ts'
import { requireKnownNames } from '../known-names.ts'
import type { AgentRun } from '../run.ts'
import type { Tool } from '../tool.ts'
import { defineTool } from '../tools/define-tool.ts'

export type AnyAgent = Pick<Agent, 'name' | 'description' | 'run'>

export type AgentLabel = Pick<AgentDeps, 'name' | 'description'>
export const LABEL: Readonly<Record<keyof AgentLabel, true>> = { name: true, description: true }

/** Makes an agent a tool of another one. Its steps carry its name. */
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
        `${agent.name} stopped: nobody can approve its call of ${open}.`,
      )
    },
  })
}

export function toInnerRun({ conversation, ...run }: RunOptions): RunOptions {
  return { within: conversation, ...run }
}

export async function* wrapEvents(
  name: string,
  run: AgentRun,
): AsyncGenerator<Extract<AgentEvent, { type: 'agent' }>> {
  for await (const event of run.events)
    if (event.type !== 'reasoning-end') yield { type: 'agent', name, event }
}
