import type { Run } from '../agent/conversations/runs.ts'
import type { AgentEvent } from '../agent/event.ts'
import type { KeptTurns } from '../agent/kept-turns.ts'
import { textContent } from '../agent/message.ts'
import { AppError } from '../errors.ts'
import type { AskOptions } from './answering.ts'
import type { Conversing } from './conversing.ts'
import type { TurnContext } from './turn-options.ts'

type Keeper = Pick<Conversing, 'ask' | 'resume' | 'events' | 'stop'>

/** Keeps the turns of agents as those of questions are kept. */
export function keptTurns(conversing: Keeper): KeptTurns {
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
  conversing: Keeper,
  conversation: string,
  { signal, history, turn, approvals, found, callerTools, ...asked }: AskOptions,
  context: TurnContext = {},
): AsyncGenerator<AgentEvent> {
  const refused = Object.entries({ history, turn, approvals, found, callerTools }).find(
    ([, value]) => value !== undefined,
  )
  if (refused) throw new AppError('invalid_input', `${refused[0]} cannot be given with a conversation that is kept.`)
  if (asked.question.trim() === '') throw new AppError('invalid_input', 'The question is empty.')
  yield* turnEvents(conversing, await conversing.ask(asked, conversation, context), signal)
}

/** A turn as an agent tells of its run. Throws why there is no answer. Whoever leaves before the end stops it. */
export async function* turnEvents(
  conversing: Pick<Conversing, 'events' | 'stop'>,
  run: Run,
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<AgentEvent> {
  let isOver = false
  try {
    for await (const { event } of conversing.events(run.id, run.firstEvent, signal)) {
      isOver = event.type === 'finish' || event.type === 'failed' || event.type === 'stopped'
      if (event.type === 'failed') throw new AppError(event.failure.code, event.failure.message)
      if (event.type === 'stopped') throw new AppError('cancelled', event.message ?? 'The answer was stopped.')
      if (event.type === 'finish')
        return yield { type: 'finish', result: { ...event.result, conversation: run.conversationId } }
      if (event.type !== 'start') yield event
    }
  } finally {
    if (!isOver) await conversing.stop(run.id)
  }
}
