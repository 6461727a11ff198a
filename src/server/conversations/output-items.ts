import type { Message } from '../../agent/message.ts'
import type { ReasoningOrigin } from '../../agent/reasoning.ts'

/** One server-sent event of a response, without its number. */
export type WireEvent = { readonly type: string; readonly [key: string]: unknown }

/** A part of what a response says, as it is kept. */
export type OutputItem = { readonly type: string; readonly [key: string]: unknown }

/** A message, or a thought, that is not at its end yet. */
export type OpenText = { readonly id: string; readonly index: number; text: string }

/** A call whose arguments are being written, under the id that its result will name. */
export type OpenCall = OpenText & { readonly callId: string; readonly name: string }

/** A response with everything that may be asked to be included in it. */
export type KeptResponse = {
  readonly output: readonly OutputItem[]
  readonly [key: string]: unknown
}

/** What OpenAI's surface shows of a response where what was found is not to be included. */
export function withoutResults(response: KeptResponse): KeptResponse {
  return { ...response, output: response.output.map(withoutResult) }
}

export function withoutResult(item: OutputItem): OutputItem {
  return item.type === 'file_search_call' ? { ...item, results: null } : item
}

export function added(index: number, item: OutputItem): WireEvent {
  return { type: 'response.output_item.added', output_index: index, item }
}

export function placeOf({ id, index }: OpenText) {
  return { item_id: id, output_index: index, content_index: 0 }
}

export function callPlaceOf({ id, index }: OpenCall) {
  return { item_id: id, output_index: index }
}

export function callJson({ id, callId, name, text }: OpenCall, status: string) {
  return { id, type: 'function_call', call_id: callId, name, arguments: text, status }
}

export function thoughtJson({ id }: OpenText, status: string, content: readonly object[]) {
  return { id, type: 'reasoning', summary: [], content, status }
}

export function thoughtPart(text: string) {
  return { type: 'reasoning_text', text }
}

export function messageJson({ id }: OpenText, status: string, content: readonly object[]) {
  return { id, type: 'message', role: 'assistant', status, content }
}

export function textPart(text: string, annotations: readonly object[]) {
  return { type: 'output_text', text, annotations, logprobs: [] }
}

/** Begins the `encrypted_content` of thoughts: what follows is the digest of their server and model. */
const THOUGHTS_OF = 'passim-thoughts-of-'

/** Returns the `encrypted_content` of thoughts, by which they are known to be those of this server if a client sends them back. */
export function markThoughts(server: string): string {
  return `${THOUGHTS_OF}${server}`
}

/** Returns the server that thoughts with this `encrypted_content` came from; undefined if it is not ours. */
export function readThoughtMark(mark: string | null | undefined): string | undefined {
  return mark?.startsWith(THOUGHTS_OF) ? mark.slice(THOUGHTS_OF.length) : undefined
}

type Said = {
  readonly id?: string
  readonly type: string
  readonly content?: readonly { readonly text: string }[]
  readonly name?: string
  readonly arguments?: string
  readonly call_id?: string
}

/** Converts output items to messages for the model. Thoughts with an origin are returned with the message or call after them. */
export function toOutputMessages(
  output: readonly OutputItem[],
  origins: ReadonlyMap<unknown, ReasoningOrigin>,
): readonly Message[] {
  return output.flatMap((item, index) => {
    const message = toMessage(item as Said) // built by the functions above
    if (!message) return []
    const before = output[index - 1] as Said | undefined // built likewise
    const thought = before?.type === 'reasoning' ? origins.get(before.id) : undefined
    const seal = origins.get(item.id)
    if (thought)
      return [
        { ...message, reasoningContent: getText(before), reasoningOrigin: { ...seal, ...thought } },
      ]
    return [seal ? { ...message, reasoningOrigin: seal } : message]
  })
}

function toMessage(item: Said): Message | undefined {
  if (item.type === 'message') return { role: 'assistant', content: getText(item) }
  const { name, call_id: functionId, arguments: text } = item
  if (name === undefined || functionId === undefined) return undefined
  return {
    role: 'assistant',
    content: '',
    functionCall: { name, arguments: text ?? '' },
    functionId,
  }
}

function getText(item: Said | undefined): string {
  return (item?.content ?? []).map(part => part.text).join('\n')
}
