import { type AgentEvent, type AgentResult, getCutReason, isLimit } from '../../agent/event.ts'
import type { Message, ReasoningOrigin } from '../../agent/message.ts'
import type { ToolCall, ToolCallDelta } from '../../agent/model.ts'
import { addUsage, type Usage } from '../../agent/model.ts'
import type { Citation } from '../../answer/citations/citation.ts'
import type { RunEvent } from '../../conversations/runs.ts'
import { PartIds } from '../../conversations/turn-items.ts'
import type { Failure } from '../../errors.ts'
import type { Hit } from '../../search/searcher.ts'
import type {
  FileCitationJson,
  FileSearchResultJson,
  OutputItemJson,
  ReasoningPartJson,
  ResponseEventJson,
  ResponseHeadJson,
  ResponseJson,
} from '../../wire/response.ts'
import {
  markThoughts,
  omitItemResults,
  omitResults,
  toCallItem,
  toMessageItem,
  toOutputMessages,
  toReasoningItem,
  toReasoningPart,
  toSearchItem,
  toTextPart,
} from './openai-items.ts'

type OpenText = { readonly id: string; readonly index: number; text: string }

type OpenCall = OpenText & { readonly callId: string; readonly name: string }

type BuilderOptions = {
  readonly id: string
  readonly skeleton: ResponseHeadJson
  readonly toFileCitations: (
    text: string,
    citations: readonly Citation[],
  ) => readonly FileCitationJson[]
  /** Undefined if the document is gone. */
  readonly toResult: (hit: Hit) => FileSearchResultJson | undefined
  /** Search results are stored anyway. */
  readonly showsResults: boolean
  /** Digest of server and model for marking thoughts. */
  readonly thoughtServer?: string
  /** Shows only calls of these functions. */
  readonly functionNames: ReadonlySet<string>
  readonly createFields: (answer: AgentResult) => Pick<ResponseJson, 'metadata' | 'passim_warnings'>
  /** Our fields next to the text. */
  readonly createExtras: (answer: AgentResult) => object
}

export class ResponseBuilder {
  readonly #options: BuilderOptions
  readonly #ids: PartIds
  readonly #output: (OutputItemJson | undefined)[] = []
  readonly #citations: Citation[] = []
  readonly #calls = new Map<string, OpenCall>()
  readonly #origins = new Map<string, ReasoningOrigin>()
  #lastThought = ''
  #message: OpenText | undefined
  #thought: OpenText | undefined
  #usage: Usage | undefined
  #state: Pick<ResponseJson, 'status'> & Partial<ResponseHeadJson> = { status: 'in_progress' }

  constructor(options: BuilderOptions) {
    this.#options = options
    this.#ids = new PartIds(options.id)
  }

  get response(): ResponseJson {
    return this.#options.showsResults ? this.storedResponse : omitResults(this.storedResponse)
  }

  get storedResponse(): ResponseJson {
    const output = this.#output.filter(item => item !== undefined)
    return { ...this.#options.skeleton, ...this.#state, output, ...toUsageJson(this.#usage) }
  }

  get messages(): readonly Message[] {
    return toOutputMessages(this.storedResponse.output, this.#origins)
  }

  *start(): Iterable<ResponseEventJson> {
    yield { type: 'response.created', response: this.response }
    yield { type: 'response.in_progress', response: this.response }
  }

  *push(event: AgentEvent, timeMs = Date.now()): Iterable<ResponseEventJson> {
    switch (event.type) {
      case 'retrieval':
        return yield* this.#search(event.query, event.hits)
      case 'text-delta':
        return yield* this.#addText(event.text)
      case 'reasoning-delta':
        return yield* this.#addThought(event.text)
      case 'text-as-reasoning':
        return yield* this.#takeBack(event.text)
      case 'reasoning-end':
        this.#origins.set(this.#lastThought, event.origin)
        return
      case 'tool-call-delta':
        return yield* this.#writeCall(event)
      case 'tool-call':
        return yield* this.#call(event.call)
      case 'citation':
        this.#citations.push(event.citation)
        return
      case 'notice':
        if (event.name === 'files') yield { type: 'response.in_progress', response: this.response }
        return
      case 'usage':
        this.#usage = addUsage(this.#usage, event.usage)
        return
      case 'finish':
        return yield* this.#finish(event.result, timeMs)
    }
  }

  *fail({ code, message }: Failure): Iterable<ResponseEventJson> {
    yield* this.#endThought('incomplete')
    yield* this.#endMessage('incomplete')
    for (const call of this.#calls.values())
      yield this.#completeItem(call.index, toCall(call, 'incomplete'))
    const isBusy = code === 'rate_limited'
    this.#state = {
      status: 'failed',
      error: { code: isBusy ? 'rate_limit_exceeded' : 'server_error', message },
    }
    yield { type: 'response.failed', response: this.response }
  }

  *cancel(): Iterable<ResponseEventJson> {
    yield* this.#endThought('incomplete')
    yield* this.#endMessage('incomplete')
    this.#state = { status: 'cancelled' }
    yield { type: 'response.incomplete', response: this.response }
  }

  *stop({ code }: Extract<RunEvent, { readonly type: 'stopped' }>): Iterable<ResponseEventJson> {
    yield* code === 'revoked' ? this.withdraw() : this.cancel()
  }

  *withdraw(): Iterable<ResponseEventJson> {
    this.#output.length = 0
    this.#message = undefined
    this.#thought = undefined
    this.#state = { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
    yield { type: 'response.incomplete', response: this.response }
  }

  *#search(query: string, hits: readonly Hit[]): Iterable<ResponseEventJson> {
    yield* this.#endTexts()
    const id = this.#ids.next('fs_')
    const results = hits.flatMap(hit => this.#options.toResult(hit) ?? [])
    const index = this.#reserve()
    const place = { output_index: index, item_id: id }
    yield toAdded(index, toSearchItem(id, query, 'in_progress'))
    for (const step of ['in_progress', 'searching', 'completed']) {
      yield { type: `response.file_search_call.${step}`, ...place }
    }
    yield this.#completeItem(index, toSearchItem(id, query, 'completed', results))
  }

  *#addThought(delta: string): Iterable<ResponseEventJson> {
    yield* this.#endMessage('completed')
    if (!this.#thought) yield* this.#openThought()
    const thought = this.#thought!
    thought.text += delta
    yield { type: 'response.reasoning_text.delta', ...getTextPlace(thought), delta }
  }

  /** Replaces a message that turned out to be reasoning. */
  *#takeBack(text: string): Iterable<ResponseEventJson> {
    const message = this.#message
    if (!message) return yield* this.#addThought(text)
    this.#message = undefined
    const thought = { ...message, id: message.id.replace(/^msg_/, 'rs_'), text }
    this.#lastThought = thought.id
    yield this.#completeItem(
      message.index,
      this.#toThought(thought, 'completed', [toReasoningPart(text)]),
    )
  }

  #toThought(
    thought: OpenText,
    status: Status,
    content: readonly ReasoningPartJson[],
  ): OutputItemJson {
    const { thoughtServer } = this.#options
    const mark = thoughtServer && { encrypted_content: markThoughts(thoughtServer) }
    return { ...toReasoningItem(thought.id, status, content), ...mark }
  }

  *#openThought(): Iterable<ResponseEventJson> {
    const thought = { id: this.#ids.next('rs_'), index: this.#reserve(), text: '' }
    this.#thought = thought
    this.#lastThought = thought.id
    yield toAdded(thought.index, this.#toThought(thought, 'in_progress', []))
    yield {
      type: 'response.content_part.added',
      ...getTextPlace(thought),
      part: toReasoningPart(''),
    }
  }

  *#endThought(status: 'completed' | 'incomplete'): Iterable<ResponseEventJson> {
    const thought = this.#thought
    if (!thought) return
    this.#thought = undefined
    const part = toReasoningPart(thought.text)
    yield { type: 'response.reasoning_text.done', ...getTextPlace(thought), text: thought.text }
    yield { type: 'response.content_part.done', ...getTextPlace(thought), part }
    yield this.#completeItem(thought.index, this.#toThought(thought, status, [part]))
  }

  *#endTexts(): Iterable<ResponseEventJson> {
    yield* this.#endThought('completed')
    yield* this.#endMessage('completed')
  }

  *#addText(delta: string): Iterable<ResponseEventJson> {
    yield* this.#endThought('completed')
    if (!this.#message) yield* this.#openMessage()
    const message = this.#message!
    message.text += delta
    yield { type: 'response.output_text.delta', ...getTextPlace(message), delta, logprobs: [] }
  }

  *#openMessage(): Iterable<ResponseEventJson> {
    const message = { id: this.#ids.next('msg_'), index: this.#reserve(), text: '' }
    this.#message = message
    yield toAdded(message.index, toMessageItem(message.id, 'in_progress', []))
    yield {
      type: 'response.content_part.added',
      ...getTextPlace(message),
      part: toTextPart('', []),
    }
  }

  *#endMessage(
    status: 'completed' | 'incomplete',
    extras: object = {},
  ): Iterable<ResponseEventJson> {
    const message = this.#message
    if (!message) return
    this.#message = undefined
    const annotations = this.#options.toFileCitations(message.text, this.#citations)
    const place = getTextPlace(message)
    for (const [index, annotation] of annotations.entries()) {
      yield {
        type: 'response.output_text.annotation.added',
        ...place,
        annotation_index: index,
        annotation,
      }
    }
    yield { type: 'response.output_text.done', ...place, text: message.text, logprobs: [] }
    const part = { ...toTextPart(message.text, annotations), ...extras }
    yield { type: 'response.content_part.done', ...place, part }
    yield this.#completeItem(message.index, toMessageItem(message.id, status, [part]))
  }

  *#writeCall({ id, name, text }: ToolCallDelta): Iterable<ResponseEventJson> {
    if (!this.#options.functionNames.has(name)) return
    const call = this.#calls.get(id) ?? (yield* this.#openCall(id, name))
    call.text += text
    yield { type: 'response.function_call_arguments.delta', ...getCallPlace(call), delta: text }
  }

  *#openCall(callId: string, name: string): Generator<ResponseEventJson, OpenCall> {
    yield* this.#endTexts()
    const call = { id: this.#ids.next('fc_'), index: this.#reserve(), callId, name, text: '' }
    this.#calls.set(callId, call)
    yield toAdded(call.index, toCall(call, 'in_progress'))
    return call
  }

  *#call({ id, name, arguments: text, reasoningOrigin }: ToolCall): Iterable<ResponseEventJson> {
    yield* this.#endTexts()
    if (!this.#options.functionNames.has(name)) return
    const call = this.#calls.get(id) ?? (yield* this.#openCall(id, name))
    this.#calls.delete(id)
    if (reasoningOrigin) this.#origins.set(call.id, reasoningOrigin)
    if (call.text === '')
      yield { type: 'response.function_call_arguments.delta', ...getCallPlace(call), delta: text }
    call.text = text
    yield {
      type: 'response.function_call_arguments.done',
      ...getCallPlace(call),
      name,
      arguments: text,
    }
    yield this.#completeItem(call.index, toCall(call, 'completed'))
  }

  *#finish(answer: AgentResult, timeMs: number): Iterable<ResponseEventJson> {
    const incomplete = getCutReason(answer)
    yield* this.#endThought(incomplete ? 'incomplete' : 'completed')
    yield* this.#endMessage(
      incomplete ? 'incomplete' : 'completed',
      this.#options.createExtras(answer),
    )
    const fields = this.#options.createFields(answer)
    this.#state = incomplete
      ? { status: 'incomplete', ...fields, incomplete_details: toIncompleteDetails(incomplete) }
      : { status: 'completed', ...fields, completed_at: Math.floor(timeMs / 1000) }
    yield {
      type: incomplete ? 'response.incomplete' : 'response.completed',
      response: this.response,
    }
  }

  #reserve(): number {
    return this.#output.push(undefined) - 1
  }

  #completeItem(index: number, item: OutputItemJson): ResponseEventJson {
    this.#output[index] = item
    const itemJson = this.#options.showsResults ? item : omitItemResults(item)
    return { type: 'response.output_item.done', output_index: index, item: itemJson }
  }
}

function toIncompleteDetails(incomplete: NonNullable<ReturnType<typeof getCutReason>>) {
  if (isLimit(incomplete)) return {}
  return { reason: incomplete === 'length' ? 'max_output_tokens' : 'content_filter' }
}

function toUsageJson(usage: Usage | undefined) {
  if (!usage) return {}
  return {
    usage: {
      input_tokens: usage.promptTokens,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: usage.completionTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.totalTokens,
    },
  }
}

type Status = Parameters<typeof toReasoningItem>[1]

function toAdded(index: number, item: OutputItemJson): ResponseEventJson {
  return { type: 'response.output_item.added', output_index: index, item }
}

function toCall({ id, callId, name, text }: OpenCall, status: Status): OutputItemJson {
  return toCallItem({ id, callId, name, arguments: text }, status)
}

function getTextPlace({ id, index }: OpenText) {
  return { item_id: id, output_index: index, content_index: 0 }
}

function getCallPlace({ id, index }: OpenCall) {
  return { item_id: id, output_index: index }
}
