import { type AgentEvent, type AgentResult, getCutReason } from '../../agent/event.ts'
import type { ToolCall, ToolCallDelta, Usage } from '../../agent/model.ts'
import { readResult } from '../../agent/run.ts'
import { getNotice } from '../../errors/localizable.ts'
import { createId } from '../../system/digest.ts'
import type {
  ChatCompletionChunkJson,
  ChatCompletionJson,
  FinishReasonJson,
  FunctionCallJson,
  TokenUsageJson,
  UrlCitationJson,
} from '../../wire/chat-completion.ts'
import { placeCitations } from '../generation/citation-notes.ts'
import { getModelName, toAskOptions } from '../generation/generation.ts'
import { addCitationNotes } from '../generation/metadata.ts'
import {
  hasSpansHeader,
  toSupportJson,
  toWarningsJson,
  withResolvableMarkers,
} from '../generation/passim-fields.ts'
import { localize, type RequestContext } from '../http/context.ts'
import { reportError } from '../http/errors.ts'
import { type SentEvent, streamEvents } from '../http/event-stream.ts'
import { readBody } from '../http/input.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import {
  type ChatRequest,
  chatRequestSchema,
  toFunctions,
  toGeneration,
  toMessages,
} from './chat-request.ts'

export const NO_TOKENS: Usage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 }

export const chatCompletionRoutes: Routes = {
  'POST /v1/chat/completions': {
    summary: 'Create a chat completion',
    description:
      'Name the vector stores to answer from in a `file_search` tool, or name one as the model. With `stream: true` the answer is sent in chunks.',
    body: chatRequestSchema,
    example: {
      model: 'vs_0123456789abcdef0123456789abcdef',
      messages: [{ role: 'user', content: 'What may a hotel cost?' }],
    },
    headers: ['spans'],
    answer: 'ChatCompletion',
    events: 'ChatCompletionChunk',
    mayFailUpstream: true,
    reply: completeChat,
  },
}

async function completeChat(c: RequestContext): Promise<Response> {
  const request = await readBody(c, chatRequestSchema)
  const options = await toAskOptions(c, {
    ...toGeneration(request),
    names: { conversation: 'messages', format: 'response_format' },
    messages: await toMessages(c, request),
  })
  const signal = c.get('signal')
  const events = withResolvableMarkers(c, c.get('passim').ask({ ...options, signal }).onlyEvents)
  if (request.stream) return await streamChat(c, request, withOneText(events))
  const thoughts: string[] = []
  const answer = await readResult(separateThoughts(events, thoughts))
  return streamJson(c, await toCompletionJson(c, request, answer, thoughts.join('')))
}

async function* separateThoughts(
  events: AsyncIterable<AgentEvent>,
  thoughts: string[],
): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    if (event.type === 'reasoning-delta') thoughts.push(event.text)
    else yield event
  }
}

/** Joins a model's texts around our tool calls. */
export async function* withOneText(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent> {
  let hasSpoken = false
  let isBroken = false
  for await (const event of events) {
    if (event.type === 'tool-result') isBroken = hasSpoken
    if (event.type === 'text-delta') {
      if (isBroken) yield { type: 'text-delta', text: '\n\n' }
      isBroken = false
      hasSpoken = true
    }
    yield event
  }
}

async function toCompletionJson(
  c: RequestContext,
  request: ChatRequest,
  answer: AgentResult,
  thoughts: string,
): Promise<ChatCompletionJson> {
  const { text, calls = [] } = answer
  const annotations = toUrlCitations(c, text, answer)
  return {
    ...(await toHeadJson(c, request, 'chat.completion')),
    system_fingerprint: `passim-${answer.mode}`,
    metadata: addCitationNotes(request.metadata ?? {}, answer),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text || null,
          refusal: null,
          ...(thoughts && { reasoning_content: thoughts }),
          ...(annotations.length > 0 && { annotations }),
          ...toSupportJson(c, answer),
          ...toWarningsJson(c, answer),
          ...(calls.length > 0 && { tool_calls: calls.map(callJson) }),
        },
        logprobs: null,
        finish_reason: getFinishReason(answer),
      },
    ],
    ...(answer.usage && { usage: toUsageJson(answer.usage) }),
  }
}

async function streamChat(
  c: RequestContext,
  request: ChatRequest,
  events: AsyncIterable<AgentEvent>,
): Promise<Response> {
  const head = await toHeadJson(c, request, 'chat.completion.chunk')
  const toSent = (body: ChunkBody): SentEvent => {
    const chunk: ChatCompletionChunkJson = { ...head, ...body }
    return { data: chunk }
  }
  const writeChunks = async function* (): AsyncGenerator<SentEvent> {
    for await (const body of toBodies(c, request, events))
      yield 'comment' in body ? body : toSent(body)
    yield { data: '[DONE]' }
  }
  return await streamEvents(c, {
    opening: [toSent(toChoice({ role: 'assistant', content: '' }))],
    events: writeChunks(),
    failure: error => [{ data: reportError(error, c) }],
  })
}

type ChunkBody = Omit<ChatCompletionChunkJson, 'id' | 'object' | 'created' | 'model'>
type Delta = ChatCompletionChunkJson['choices'][number]['delta']
type CallDelta = NonNullable<Delta['tool_calls']>[number]

async function* toBodies(
  c: RequestContext,
  request: ChatRequest,
  events: AsyncIterable<AgentEvent>,
): AsyncGenerator<ChunkBody | { readonly comment: string }> {
  const calls = new CallChunks(new Set(toFunctions(request).map(({ name }) => name)))
  let text = ''
  for await (const event of events) {
    if (event.type === 'finish') {
      for (const call of calls.writeRest(event.result.calls ?? []))
        yield toChoice({ tool_calls: [call] })
      yield* toEnd(c, request, event.result, text)
      continue
    }
    if (event.type === 'notice') yield { comment: localize(c, getNotice(event)) }
    if (event.type === 'text-delta') text += event.text
    for (const delta of toDeltas(event, calls)) yield toChoice(delta)
  }
}

function* toDeltas(event: AgentEvent, calls: CallChunks): Iterable<Delta> {
  if (event.type === 'text-delta') yield { content: event.text }
  if (event.type === 'reasoning-delta') yield { reasoning_content: event.text }
  if (event.type === 'tool-call-delta')
    for (const call of calls.write(event)) yield { tool_calls: [call] }
}

function* toEnd(
  c: RequestContext,
  request: ChatRequest,
  answer: AgentResult,
  text: string,
): Iterable<ChunkBody> {
  const annotations = hasSpansHeader(c) ? toUrlCitations(c, text, answer) : []
  const last = {
    ...(annotations.length > 0 && { annotations }),
    ...toSupportJson(c, answer),
    ...toWarningsJson(c, answer),
  }
  const metadata = addCitationNotes(request.metadata ?? {}, answer)
  yield {
    ...toChoice(last, getFinishReason(answer)),
    system_fingerprint: `passim-${answer.mode}`,
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
  const usage = answer.usage ?? (answer.mode === 'extractive' ? NO_TOKENS : undefined)
  if (request.stream_options?.include_usage && usage)
    yield { choices: [], usage: toUsageJson(usage) }
}

async function toHeadJson<Kind extends string>(
  c: RequestContext,
  { model }: ChatRequest,
  object: Kind,
) {
  return {
    id: createId('chatcmpl-'),
    object,
    created: Math.floor(Date.now() / 1000),
    model: await getModelName(c, model),
  }
}

function toChoice(delta: Delta, finish_reason: FinishReasonJson | null = null) {
  return { choices: [{ index: 0, delta, finish_reason }] }
}

function getFinishReason(answer: AgentResult): FinishReasonJson {
  return answer.calls ? 'tool_calls' : getTextEnd(answer)
}

export function getTextEnd(answer: AgentResult): Exclude<FinishReasonJson, 'tool_calls'> {
  const cut = getCutReason(answer)
  if (cut === 'content-filter') return 'content_filter'
  return cut ? 'length' : 'stop'
}

/** Uses links, the only annotation of chat completions. */
function toUrlCitations(
  c: RequestContext,
  text: string,
  { citations }: AgentResult,
): readonly UrlCitationJson[] {
  const { publicUrl, basePath = '' } = c.get('passim').settings.server
  const base = publicUrl?.replace(/\/$/, '') ?? `${new URL(c.req.url).origin}${basePath}`
  return placeCitations(text, citations).map(
    ({ citation: { documentId, charStart, charEnd, doc, page }, start, end }) => ({
      type: 'url_citation',
      url_citation: {
        start_index: start,
        end_index: end,
        title: doc,
        url: `${base}/api/citations/${documentId}?start=${charStart}&end=${charEnd}${page === undefined ? '' : `&page=${page}`}`,
      },
    }),
  )
}

export function toUsageJson({
  promptTokens,
  completionTokens,
  totalTokens,
}: Usage): TokenUsageJson {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: totalTokens,
  }
}

function callJson({ id, name, arguments: text }: ToolCall): FunctionCallJson {
  return { id, type: 'function', function: { name, arguments: text } }
}

class CallChunks {
  readonly #functions: ReadonlySet<string>
  readonly #startedCalls: string[] = []

  /** Shows only calls of the client's functions. */
  constructor(functions: ReadonlySet<string>) {
    this.#functions = functions
  }

  *write({ id, name, text }: ToolCallDelta): Iterable<CallDelta> {
    if (!this.#functions.has(name)) return
    if (!this.#startedCalls.includes(id)) yield this.#startCall({ id, name, arguments: '' })
    yield { index: this.#startedCalls.indexOf(id), function: { arguments: text } }
  }

  *writeRest(calls: readonly ToolCall[]): Iterable<CallDelta> {
    for (const call of calls) if (!this.#startedCalls.includes(call.id)) yield this.#startCall(call)
  }

  #startCall(call: ToolCall): CallDelta {
    return { index: this.#startedCalls.push(call.id) - 1, ...callJson(call) }
  }
}
