import { z } from 'zod'
import type { ReasoningOrigin } from '../../agent/message.ts'
import { type Message, textContent } from '../../agent/message.ts'
import type { Item, ItemContent } from '../../conversations/items.ts'
import { toRunId } from '../../conversations/turn-items.ts'
import { measureLikelihood } from '../../search/searcher.ts'
import { createId } from '../../system/digest.ts'
import type {
  FileCitationJson,
  ItemJson,
  OutputItemJson,
  ReasoningPartJson,
  ResponseJson,
  TextPartJson,
} from '../../wire/response.ts'
import { toFileCitations } from '../generation/citation-notes.ts'
import type { RequestContext } from '../http/context.ts'

/** Prefix by OpenAI's contract. */
const PREFIX = 'resp_'

export function createResponseId(): string {
  return createId(PREFIX)
}

export function toResponseId(itemId: string): string {
  return toRunId(itemId, PREFIX)
}

export const SEARCH_RESULTS = 'file_search_call.results'

export const ENCRYPTED_THOUGHTS = 'reasoning.encrypted_content'

/** Values of `include` in OpenAI's API, which some clients always send. */
const INCLUDABLE = [
  SEARCH_RESULTS,
  ENCRYPTED_THOUGHTS,
  'message.output_text.logprobs',
  'message.input_image.image_url',
  'web_search_call.results',
  'web_search_call.action.sources',
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
] as const

export const includeSchema = z.array(z.enum(INCLUDABLE))

export const INCLUDE_NOTE =
  '`file_search_call.results` includes the results of searches, and `reasoning.encrypted_content` the origin of the reasoning of a new response. Other names are ignored.'

type Status = 'in_progress' | 'completed' | 'incomplete'

type Call = {
  readonly id: string
  readonly callId: string
  readonly name: string
  readonly arguments: string
}

export function toMessageItem(
  id: string,
  status: Status,
  content: readonly TextPartJson[],
): OutputItemJson {
  return { id, type: 'message', role: 'assistant', status, content }
}

export function toReasoningItem(
  id: string,
  status: Status,
  content: readonly ReasoningPartJson[],
): OutputItemJson {
  return { id, type: 'reasoning', summary: [], content, status }
}

export function toCallItem(
  { id, callId, name, arguments: text }: Call,
  status: Status,
): OutputItemJson {
  return { id, type: 'function_call', call_id: callId, name, arguments: text, status }
}

export function toSearchItem<Result>(
  id: string,
  query: string,
  status: Status,
  results: readonly Result[] = [],
) {
  const found = results.length > 0 ? results : null
  return { id, type: 'file_search_call', queries: [query], status, results: found } as const
}

export function toTextPart(
  text: string,
  annotations: readonly FileCitationJson[] = [],
): TextPartJson {
  return { type: 'output_text', text, annotations, logprobs: [] }
}

export function toReasoningPart(text: string): ReasoningPartJson {
  return { type: 'reasoning_text', text }
}

type StoredItem = ItemContent & Pick<Item, 'id'>

/** Returns undefined without an OpenAI form, as for calls made here. */
export function toItemJson(
  c: RequestContext,
  item: StoredItem,
  { showsResults = false } = {},
): ItemJson | undefined {
  const { id } = item
  switch (item.kind) {
    case 'message':
      return toMessageJson(c, item)
    case 'reasoning':
      return toReasoningItem(id, 'completed', [toReasoningPart(item.text)])
    case 'search':
      return toSearchItem(id, item.query, 'completed', showsResults ? toResultsJson(item) : [])
    case 'call':
      return item.isCallers ? toCallItem({ ...item, id }, 'completed') : undefined
    case 'result': {
      if (!item.isCallers) return undefined
      const output = textContent(item)
      const type = 'function_call_output'
      return { id, type, call_id: item.callId, output, status: 'completed' }
    }
    case 'status':
      return undefined
  }
}

function toMessageJson(
  c: RequestContext,
  item: Extract<StoredItem, { kind: 'message' }>,
): ItemJson {
  const { role, content, isIncomplete, answer } = item
  const status = isIncomplete ? 'incomplete' : 'completed'
  if (role !== 'assistant')
    return { id: item.id, type: 'message', role, status, content: toInputParts(content) }
  const text = textContent(item)
  const annotations = answer ? toFileCitations(c, text, answer.citations) : []
  return toMessageItem(item.id, status, [toTextPart(text, annotations)])
}

function toInputParts(parts: Message['content']): readonly object[] {
  if (typeof parts === 'string') return [{ type: 'input_text', text: parts }]
  return parts.map(part => {
    if ('image' in part) return { type: 'input_image', image_url: part.image, detail: 'auto' }
    return 'file' in part
      ? { type: 'input_file', file_id: part.file }
      : { type: 'input_text', ...part }
  })
}

function toResultsJson({ results }: Extract<ItemContent, { kind: 'search' }>): readonly object[] {
  return results.flatMap(({ fileId, name: filename, attributes, ...found }) =>
    fileId === undefined
      ? []
      : [{ file_id: fileId, filename, score: measureLikelihood(found), attributes }],
  )
}

export function omitResults(response: ResponseJson): ResponseJson {
  return { ...response, output: response.output.map(omitItemResults) }
}

export function omitItemResults(item: OutputItemJson): OutputItemJson {
  return item.type === 'file_search_call' ? { ...item, results: null } : item
}

/** Precedes the digest of the thoughts' server and model. */
const THOUGHTS_OF = 'passim-thoughts-of-'

export function markThoughts(server: string): string {
  return `${THOUGHTS_OF}${server}`
}

export function readThoughtMark(mark: string | null | undefined): string | undefined {
  return mark?.startsWith(THOUGHTS_OF) ? mark.slice(THOUGHTS_OF.length) : undefined
}

/** Puts thoughts with an origin into the message or call after them. */
export function toOutputMessages(
  output: readonly OutputItemJson[],
  origins: ReadonlyMap<string, ReasoningOrigin>,
): readonly Message[] {
  return output.flatMap((item, index) => {
    const message = toMessage(item)
    if (!message) return []
    const before = output[index - 1]
    const seal = origins.get(item.id)
    const thought = before && origins.get(before.id)
    if (before?.type === 'reasoning' && thought) {
      const reasoningContent = joinTexts(before.content)
      return [{ ...message, reasoningContent, reasoningOrigin: { ...seal, ...thought } }]
    }
    return [seal ? { ...message, reasoningOrigin: seal } : message]
  })
}

function toMessage(item: OutputItemJson): Message | undefined {
  if (item.type === 'message') return { role: 'assistant', content: joinTexts(item.content) }
  if (item.type !== 'function_call') return undefined
  const { name, arguments: text, call_id: functionId } = item
  return { role: 'assistant', content: '', functionCall: { name, arguments: text }, functionId }
}

function joinTexts(parts: readonly { readonly text: string }[]): string {
  return parts.map(part => part.text).join('\n')
}
