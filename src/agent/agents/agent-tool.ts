import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { hashParts } from '../../system/digest.ts'
import { rewriteMarkers } from '../../text/markers.ts'
import type { Agent, AgentDeps, RunOptions } from '../agent.ts'
import type { AgentEvent } from '../event.ts'
import { requireKnownNames } from '../known-names.ts'
import type { Message } from '../message.ts'
import type { AgentRun } from '../run.ts'
import type { CitedText, Tool, ToolRun } from '../tool.ts'
import { defineTool, TOOL_NAME } from '../tools/define-tool.ts'

export type AnyAgent = Pick<Agent, 'name' | 'description' | 'run'> & {
  /** Agents that speak under their own names. */
  readonly members?: readonly string[] | undefined
}

export type AgentLabel = Pick<AgentDeps, 'name' | 'description'>
export const LABEL: Readonly<Record<keyof AgentLabel, true>> = { name: true, description: true }

type AgentToolOptions = AgentLabel & {
  /** Gives the agent the conversation, with pictures and files, before its task. */
  readonly conversation?: boolean | undefined
}

const OPTIONS: Readonly<Record<keyof AgentToolOptions, true>> = { ...LABEL, conversation: true }

export function agentTool(agent: AnyAgent, options: AgentToolOptions = {}): Tool {
  requireKnownNames('agentTool()', options, OPTIONS)
  const { name = agent.name, description = agent.description } = options
  if (description === undefined)
    throw new AppError(
      'invalid_input',
      `agentTool() needs a description of ${name}: what the agent is for.`,
    )
  return defineTool({
    ...toToolLabel(name, description),
    parameters: z.object({
      task: z.string().min(1).describe('What to do or to answer, with everything one has to know.'),
    }),
    call: async ({ task }, signal, how = {}) => {
      const { tell, conversation, messages = [] } = how
      const before = options.conversation ? messages.filter(isSpoken) : []
      const run = agent.run([...before, { role: 'user', content: task }], {
        signal,
        within: conversation && `${conversation}/${name}`,
      })
      for await (const event of wrapEvents(agent.name, run)) tell?.(event)
      const result = await run.result
      const { calls = [] } = result
      if (calls.length === 0) return await passCitations(result, how)
      const open = calls.map(call => call.name).join(', ')
      throw new AppError(
        'conflict',
        `${agent.name} stopped: nobody can approve its call of ${open}.`,
      )
    },
  })
}

/** Models call tools by Latin names only, so other names stand in the description. */
function toToolLabel(name: string, description: string): Pick<Tool, 'name' | 'description'> {
  if (TOOL_NAME.test(name)) return { name, description }
  return {
    name: `agent_${hashParts(name).slice(0, 8)}`,
    description: `${name}: ${description}`,
  }
}

/** Leaves out calls and results, whose tools the inner agent lacks. */
function isSpoken({ role, functionCall }: Message): boolean {
  return (role === 'user' || role === 'assistant') && !functionCall
}

async function passCitations(result: CitedText, { cite, adopt }: ToolRun): Promise<string> {
  const { text, citations, toolCitations = [] } = result
  if (!cite) return adopt?.(result) ?? text
  if (citations.length + toolCitations.length === 0) return text
  const found = await cite(
    citations.map(({ documentId, charStart, charEnd }) => ({ documentId, charStart, charEnd })),
  )
  const numbers = new Map<number, number>()
  for (const [index, { marker }] of citations.entries()) {
    const number = found[index]
    if (number !== undefined && !numbers.has(marker)) numbers.set(marker, number)
  }
  return rewriteMarkers(text, id => numbers.has(id), { getNumber: id => numbers.get(id) ?? id })
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
