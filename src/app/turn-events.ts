import type { AgentEvent } from '../agent/event.ts'
import type { KeptTurns } from '../agent/kept-turns.ts'
import { requireQuestion, textContent } from '../agent/message.ts'
import type { NumberedEvent, Run } from '../conversations/runs.ts'
import { AppError } from '../errors.ts'
import type { AskOptions } from './ask-options.ts'
import type { ResumeOptions, TurnContext, TurnOptions } from './turn-options.ts'

/** Whoever has the runs of conversations. */
type RunKeeper = {
  events(runId: string, after: number, signal: AbortSignal): AsyncIterable<NumberedEvent>
  stop(runId: string): Promise<boolean>
}

type TurnKeeper = RunKeeper & {
  ask(asked: TurnOptions, conversation: string, context?: TurnContext): Promise<Run>
  resume(conversation: string, options: ResumeOptions): Promise<Run>
}

/** Keeps the turns of agents as those of questions are kept. */
export function keptTurns(conversing: TurnKeeper): KeptTurns {
  return {
    async *answer(conversation, agent, { approvals, signal }) {
      const { content } = agent
      const run =
        content === undefined
          ? await conversing.resume(conversation, { agent, approvals })
          : await conversing.ask({ question: textContent({ content }) }, conversation, { agent })
      yield* turnEvents(conversing, run, signal)
    },
  }
}

/** A question as the next turn of a conversation. Throws `invalid_input` for what a kept one cannot take. */
export async function* askedTurn(
  conversing: TurnKeeper,
  conversation: string,
  { signal, history, turn, approvals, found, callerTools, ...asked }: AskOptions,
  context: TurnContext = {},
): AsyncGenerator<AgentEvent> {
  const refused = Object.entries({ history, turn, approvals, found, callerTools }).find(
    ([, value]) => value !== undefined,
  )
  if (refused)
    throw new AppError(
      'invalid_input',
      `${refused[0]} cannot be given with a conversation that is kept.`,
    )
  requireQuestion(asked.question)
  yield* turnEvents(conversing, await conversing.ask(asked, conversation, context), signal)
}

/** A turn as an agent tells of its run. Throws why there is no answer. Whoever leaves before the end stops it. */
export async function* turnEvents(
  conversing: RunKeeper,
  run: Run,
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<AgentEvent> {
  let isOver = false
  try {
    for await (const { event } of conversing.events(run.id, run.firstEvent, signal)) {
      isOver = event.type === 'finish' || event.type === 'failed' || event.type === 'stopped'
      if (event.type === 'failed') throw new AppError(event.failure.code, event.failure.message)
      if (event.type === 'stopped')
        throw new AppError('cancelled', event.message ?? 'The answer was stopped.')
      if (event.type === 'finish')
        return yield {
          type: 'finish',
          result: { ...event.result, conversation: run.conversationId },
        }
      if (event.type !== 'start') yield event
    }
  } finally {
    if (!isOver) await conversing.stop(run.id)
  }
}
