import { textContent } from '../../agent/message.ts'
import type { Item, NewItem } from '../../conversations/items.ts'
import { measureLikelihood } from '../../search/searcher.ts'
import { fileCitations } from '../generation/citation-notes.ts'
import { toContent } from '../generation/content-parts.ts'
import type { RequestContext } from '../http/context.ts'
import { type Input, type InputItem, inputParts } from './response-input.ts'

/** What an input adds to a conversation. */
export function toNewItems(input: Input): readonly NewItem[] {
  if (typeof input === 'string') return [{ kind: 'message', role: 'user', content: input }]
  return input.flatMap(item => toNewItem(item) ?? [])
}

function toNewItem(item: InputItem): NewItem | undefined {
  if ('role' in item) return { kind: 'message', role: item.role, content: toContent(item.content) }
  switch (item.type) {
    case 'function_call': {
      const { call_id: callId, name, arguments: text } = item
      return { kind: 'call', callId, name, arguments: text, isCallers: true }
    }
    case 'function_call_output':
      return {
        kind: 'result',
        callId: item.call_id,
        content: toContent(item.output),
        isCallers: true,
      }
    case 'file_search_call':
      return { kind: 'search', query: item.queries?.[0] ?? '', results: [] }
    case 'reasoning': {
      const said = [...(item.summary ?? []), ...(item.content ?? [])].map(({ text }) => text)
      return { kind: 'reasoning', text: said.join('\n') }
    }
    default:
      return undefined // references were replaced by what they name
  }
}

/** An item as OpenAI's surface shows it; undefined for what that has no form for, as what was called here. */
export function itemJson(c: RequestContext, item: Item, { showsResults = false } = {}) {
  const { id } = item
  const status = 'completed'
  switch (item.kind) {
    case 'message':
      return messageJson(c, item)
    case 'reasoning':
      return {
        id,
        type: 'reasoning',
        summary: [],
        content: [{ type: 'reasoning_text', text: item.text }],
        status,
      }
    case 'search':
      return {
        id,
        type: 'file_search_call',
        status,
        queries: [item.query],
        results: resultsJson(item, showsResults),
      }
    case 'call':
      if (!item.isCallers) return undefined
      return {
        id,
        type: 'function_call',
        call_id: item.callId,
        name: item.name,
        arguments: item.arguments,
        status,
      }
    case 'result':
      if (!item.isCallers) return undefined
      return {
        id,
        type: 'function_call_output',
        call_id: item.callId,
        output: textContent(item),
        status,
      }
    case 'status':
      return undefined
  }
}

function messageJson(c: RequestContext, item: Extract<Item, { kind: 'message' }>) {
  const { id, role, content, isIncomplete, answer } = item
  const shape = {
    id,
    type: 'message',
    role,
    status: isIncomplete ? 'incomplete' : 'completed',
  } as const
  if (role !== 'assistant') return { ...shape, content: inputParts(content) }
  const text = textContent(item)
  const annotations = answer ? fileCitations(c, text, answer.citations) : []
  return { ...shape, content: [{ type: 'output_text', text, annotations, logprobs: [] }] }
}

function resultsJson({ results }: Extract<Item, { kind: 'search' }>, areShown: boolean) {
  if (!areShown || results.length === 0) return null
  return results.flatMap(({ fileId, name: filename, attributes, ...found }) =>
    fileId === undefined
      ? []
      : [{ file_id: fileId, filename, score: measureLikelihood(found), attributes }],
  )
}
