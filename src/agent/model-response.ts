import { AppError } from '../errors.ts'
import type { Message } from './message.ts'
import type { ChatModel, FinishReason, ModelEvent, ModelRequest, ToolCall } from './model.ts'
import { addUsage, type Usage } from './usage.ts'

/** All that a model answered to one request. */
export type ModelResponse = {
  /** What it said, then one message for each call. */
  readonly messages: readonly Message[]
  readonly usage?: Usage
  readonly model: string
  readonly finishReason: FinishReason
  readonly responseId?: string
  /** Unix seconds. */
  readonly created?: number
}

/** The answer whole, for who does not stream. */
export async function collectResponse(
  model: ChatModel,
  request: ModelRequest,
  signal?: AbortSignal,
): Promise<ModelResponse> {
  let text = ''
  let reasoning = ''
  let usage: Usage | undefined
  let finish: Extract<ModelEvent, { type: 'finish' }> | undefined
  const calls: ToolCall[] = []
  for await (const event of model.stream(request, signal)) {
    if (event.type === 'text-delta') text += event.text
    else if (event.type === 'reasoning-delta') reasoning += event.text
    else if (event.type === 'tool-call') calls.push(event.call)
    else if (event.type === 'usage') usage = addUsage(usage, event.usage)
    else if (event.type === 'finish') finish = event // read to its end: who keeps answers does so after it
  }
  if (finish) {
    const { type: _, reason: finishReason, ...origin } = finish
    const messages = saidMessages({ text, reasoning, calls })
    return { messages, ...(usage && { usage }), model: model.id, finishReason, ...origin }
  }
  throw new AppError('model_unavailable', `The model ${model.id} ended its answer without saying so. Try again.`)
}

/** What was said, as messages of the assistant: its text with its thoughts, then each call. */
export function saidMessages(said: {
  readonly text: string
  readonly reasoning?: string
  readonly calls: readonly ToolCall[]
}): readonly Message[] {
  const { text, reasoning, calls } = said
  const thoughts = { ...(reasoning && { reasoningContent: reasoning }) }
  const spoken: Message = { role: 'assistant', content: text, ...thoughts }
  const made = calls.map(
    ({ id, name, arguments: args }): Message => ({
      role: 'assistant',
      content: '',
      functionCall: { name, arguments: args },
      functionId: id,
    }),
  )
  return text || reasoning ? [spoken, ...made] : made
}
