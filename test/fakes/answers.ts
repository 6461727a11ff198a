import type { Agent, RunOptions } from '../../src/agent/agent.ts'
import type { AgentEvent } from '../../src/agent/event.ts'
import type { Message } from '../../src/agent/message.ts'
import type { AgentRun } from '../../src/agent/run.ts'
import { toAnswerJson } from '../../src/app/answer-json.ts'
import type { AnswerJson } from '../../src/wire/answer.ts'

export type Answer = AnswerJson

/** What came of a run, as the faces show it. */
export async function collectAnswer(run: AgentRun): Promise<Answer> {
  return toAnswerJson(await run.result)
}

/** What a run adds to its conversation. */
export async function messagesOf(
  agent: Agent,
  input: string | readonly Message[],
  options?: RunOptions,
) {
  return (await agent.run(input, options).result).messages
}

/** Every step of a run. */
export async function eventsOf(run: AgentRun): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of run.events) events.push(event)
  return events
}
