import type { ChatModel, ModelEvent, ModelRequest, ToolCall } from '../../src/agent/model.ts'
import { openChatModel } from '../../src/app/chat-models.ts'
import { chosenProfile, type ModelProfile, startHabits } from './model-profiles.ts'
import type { StreamedAnswer } from './profile-stream.ts'

/** Model at the server of this process, and the answers that it streams, by a field of their requests. */
let served: Promise<{ readonly model: ChatModel; readonly answers: StreamedAnswer[] }> | undefined

async function serve(profile: ModelProfile) {
  const answers: StreamedAnswer[] = []
  const server = await startHabits(
    profile,
    ({ body }) => answers[Number(body.scripted_answer)] ?? { pieces: [] },
  )
  const settings = { url: server.url, name: 'thinker', key: 'secret', maxInputTokens: 0 }
  return { model: openChatModel(settings), answers }
}

/** Streams the events of a script, over HTTP in the form of the profile if one is chosen. */
export async function* streamByProfile(
  events: readonly ModelEvent[],
  request: ModelRequest,
  signal: AbortSignal | undefined,
): AsyncIterable<ModelEvent> {
  if (!chosenProfile) return yield* events
  served ??= serve(chosenProfile)
  const { model, answers } = await served
  const answer = { scripted_answer: answers.push(toAnswer(events)) - 1 }
  const extraBody = { ...request.config?.extraBody, ...answer }
  const sent = { ...request, config: { ...request.config, extraBody } }
  const hasPieces = events.some(({ type }) => type === 'tool-call-delta')
  for await (const event of model.stream(sent, signal)) {
    if (event.type === 'tool-call-delta' && !hasPieces) continue
    yield event.type === 'tool-call' ? { ...event, call: removeSeal(event.call) } : event
  }
}

/** Scripts know no signatures; those of others are sent instead. */
function removeSeal({ reasoningOrigin: _, ...call }: ToolCall): ToolCall {
  return call
}

const FINISH = { stop: 'stop', length: 'length', 'tool-calls': 'tool_calls' } as const

function toAnswer(events: readonly ModelEvent[]): StreamedAnswer {
  const finish = events.find(event => event.type === 'finish')
  const usage = events.find(event => event.type === 'usage')?.usage
  return {
    pieces: events.flatMap((event): StreamedAnswer['pieces'] => {
      if (event.type === 'text-delta') return [{ text: event.text }]
      return event.type === 'reasoning-delta' ? [{ thought: event.text }] : []
    }),
    calls: events.flatMap(event =>
      event.type === 'tool-call'
        ? [{ id: event.call.id, name: event.call.name, json: event.call.arguments }]
        : [],
    ),
    ...(usage && { tokens: [usage.promptTokens, usage.completionTokens], cost: usage.cost }),
    ...(finish?.reason !== undefined &&
      finish.reason !== 'content-filter' && { finish: FINISH[finish.reason] }),
  }
}
