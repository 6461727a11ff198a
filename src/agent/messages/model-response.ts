import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { Message, ReasoningOrigin } from '../message.ts'
import type { ChatModel, FinishReason, ModelEvent, ModelRequest, ToolCall } from '../model.ts'
import { addUsage, type Usage } from '../model.ts'

export type ModelResponse = {
  /** Text first, then one message for each call. */
  readonly messages: readonly Message[]
  readonly usage?: Usage
  readonly model: string
  readonly finishReason: FinishReason
  readonly responseId?: string
  /** Unix seconds. */
  readonly created?: number
}

export async function collectResponse(
  model: ChatModel,
  request: ModelRequest,
  signal?: AbortSignal,
): Promise<ModelResponse> {
  let text = ''
  let reasoning = ''
  let usage: Usage | undefined
  let finish: Extract<ModelEvent, { type: 'finish' }> | undefined
  let calls: ToolCall[] = []
  for await (const event of model.stream(request, signal)) {
    if (event.type === 'text-delta') text += event.text
    else if (event.type === 'reasoning-delta') reasoning += event.text
    else if (event.type === 'text-as-reasoning')
      [text, reasoning, calls] = ['', reasoning + event.text, []]
    else if (event.type === 'tool-call') calls.push(event.call)
    else if (event.type === 'usage') usage = addUsage(usage, event.usage)
    else if (event.type === 'finish') finish = event // read to the end, because caches store after it
  }
  if (finish) {
    const { type: _t, reason: finishReason, reasoningOrigin, warnings: _w, ...origin } = finish
    const messages = toMessages({ text, reasoning, reasoningOrigin, calls })
    return { messages, ...(usage && { usage }), model: model.id, finishReason, ...origin }
  }
  throw new AppError(
    'model_unavailable',
    localizable`The model ${model.id} ended its answer without a finish reason. Try again.`,
  )
}

export function toMessages(response: {
  readonly text: string
  readonly reasoning?: string
  readonly reasoningOrigin?: ReasoningOrigin | undefined
  readonly calls: readonly ToolCall[]
}): readonly Message[] {
  const { text, reasoning, reasoningOrigin, calls } = response
  const form = reasoningOrigin && { reasoningOrigin }
  const spoken: Message = {
    role: 'assistant',
    content: text,
    ...(reasoning && { reasoningContent: reasoning }),
    ...form,
  }
  const made = calls.map(callMessage)
  return text || reasoning || reasoningOrigin ? [spoken, ...made] : made
}

function callMessage({ id, name, arguments: args, reasoningOrigin }: ToolCall): Message {
  const functionCall = { name, arguments: args }
  return {
    role: 'assistant',
    content: '',
    functionCall,
    functionId: id,
    ...(reasoningOrigin && { reasoningOrigin }),
  }
}
