import { type Message, textContent } from '../message.ts'
import type { ModelRequest, ToolDefinition } from '../model.ts'

type WireCall = {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

type WireMessage = {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null
  readonly tool_calls?: readonly WireCall[]
  readonly tool_call_id?: string
}

/** The body of a request to /chat/completions, always streaming. */
export function requestBody(model: string, request: ModelRequest): Record<string, unknown> {
  const messages = request.messages.reduce<readonly WireMessage[]>(appendMessage, [])
  const body = { model, messages, stream: true, stream_options: { include_usage: true } }
  if (request.tools.length === 0) return body
  return { ...body, tools: request.tools.map(toWireTool), tool_choice: request.toolChoice }
}

/** The wire wants all calls of a turn in one assistant message; we have one message a call. */
function appendMessage(wire: readonly WireMessage[], message: Message): readonly WireMessage[] {
  const last = wire.at(-1)
  const call = toWireCall(message)
  if (!call || last?.role !== 'assistant') return [...wire, toWireMessage(message, call)]
  const content = [last.content, textContent(message)].filter(Boolean).join('\n') || null
  return [...wire.slice(0, -1), { ...last, content, tool_calls: [...(last.tool_calls ?? []), call] }]
}

function toWireMessage(message: Message, call: WireCall | undefined): WireMessage {
  const content = textContent(message)
  if (message.role === 'function') return { role: 'tool', content, tool_call_id: message.functionId ?? '' }
  if (call) return { role: 'assistant', content: content || null, tool_calls: [call] }
  return { role: message.role, content }
}

function toWireCall({ functionCall, functionId }: Message): WireCall | undefined {
  return functionCall && { id: functionId ?? '', type: 'function', function: functionCall }
}

function toWireTool({ name, description, parameters }: ToolDefinition) {
  return { type: 'function', function: { name, description, parameters } }
}
