import type { Answer, AnswerEvent } from '../../agent/answer.ts'
import type { ToolCall } from '../../agent/model.ts'
import { addUsage, type Usage } from '../../agent/usage.ts'
import type { Citation } from '../../answer/citations/citations.ts'
import type { Failure } from '../../errors.ts'
import { newId } from '../../ingest/digest.ts'
import type { Hit } from '../../search/searcher.ts'
import type { FileCitation } from '../citation-notes.ts'

const PREFIX = 'resp_'

/** Between the id of the response, which is hexadecimal, and the number of its part. */
const ITEM_MARK = 'i'

export function newResponseId(): string {
  return newId(PREFIX)
}

/** Of the response that the part with this id belongs to. */
export function responseIdOf(itemId: string): string {
  return itemId.replace(/^[a-z]+_/, PREFIX).replace(new RegExp(`${ITEM_MARK}\\d+$`), '')
}

/** One server-sent event of a response, without its number. */
export type WireEvent = { readonly type: string; readonly [key: string]: unknown }

type BuilderOptions = {
  /** Of the response. */
  readonly id: string
  /** The response before anything was said. */
  readonly skeleton: Readonly<Record<string, unknown>>
  readonly citationsOf: (text: string, citations: readonly Citation[]) => readonly FileCitation[]
  /** Undefined where the document is gone. */
  readonly resultOf: (hit: Hit) => object | undefined
  /** What searches found is shown; it is kept in any case. */
  readonly showsResults: boolean
  /** Calls of these are shown; others are our own. */
  readonly functionNames: ReadonlySet<string>
  readonly metadataOf: (answer: Answer) => Readonly<Record<string, string>>
  /** Fields of ours beside the text of the answer. */
  readonly extrasOf: (answer: Answer) => object
}

/** A part of what a response says, as it is kept. */
type OutputItem = { readonly type: string; readonly [key: string]: unknown }

/** A message, or a thought, that is not at its end yet. */
type OpenText = { readonly id: string; readonly index: number; text: string }

/** Turns what happens while a question is answered into OpenAI's events, and into the response that they add up to. */
export class ResponseBuilder {
  readonly #options: BuilderOptions
  readonly #output: OutputItem[] = []
  readonly #citations: Citation[] = []
  #message: OpenText | undefined
  #thought: OpenText | undefined
  #usage: Usage | undefined
  #ids = 0
  #state: Readonly<Record<string, unknown>> = { status: 'in_progress' }

  constructor(options: BuilderOptions) {
    this.#options = options
  }

  /** As far as it is, as the client who asked sees it. */
  get response(): Readonly<Record<string, unknown>> {
    return this.#options.showsResults ? this.kept : withoutResults(this.kept)
  }

  /** As far as it is, with what its searches found. */
  get kept(): KeptResponse {
    return { ...this.#options.skeleton, ...this.#state, output: [...this.#output], ...usageJson(this.#usage) }
  }

  /** Names the response, so that whoever refers to a part of it needs no more than its id. */
  #newId(prefix: string): string {
    return `${prefix}${this.#options.id.slice(PREFIX.length)}${ITEM_MARK}${this.#ids++}`
  }

  *begin(): Iterable<WireEvent> {
    yield { type: 'response.created', response: this.response }
    yield { type: 'response.in_progress', response: this.response }
  }

  *push(event: AnswerEvent): Iterable<WireEvent> {
    switch (event.type) {
      case 'retrieval':
        return yield* this.#search(event.query, event.hits)
      case 'text-delta':
        return yield* this.#say(event.text)
      case 'reasoning-delta':
        return yield* this.#think(event.text)
      case 'tool-call':
        return yield* this.#call(event.call)
      case 'citation':
        this.#citations.push(event.citation)
        return
      case 'usage':
        this.#usage = addUsage(this.#usage, event.usage)
        return
      case 'answer':
        return yield* this.#finish(event.answer)
    }
  }

  /** The last event of a response that came to nothing. */
  *fail({ code, message }: Failure): Iterable<WireEvent> {
    yield* this.#endThought('incomplete')
    yield* this.#endMessage('incomplete')
    const isBusy = code === 'rate_limited'
    this.#state = { status: 'failed', error: { code: isBusy ? 'rate_limit_exceeded' : 'server_error', message } }
    yield { type: 'response.failed', response: this.response }
  }

  cancel(): void {
    this.#state = { status: 'cancelled' }
  }

  *#search(query: string, hits: readonly Hit[]): Iterable<WireEvent> {
    yield* this.#endTexts()
    const item = { id: this.#newId('fs_'), type: 'file_search_call', queries: [query] }
    const results = hits.flatMap(hit => this.#options.resultOf(hit) ?? [])
    const place = { output_index: this.#output.length, item_id: item.id }
    yield this.#added({ ...item, status: 'in_progress', results: null })
    for (const step of ['in_progress', 'searching', 'completed']) {
      yield { type: `response.file_search_call.${step}`, ...place }
    }
    yield this.#done({ ...item, status: 'completed', results: results.length > 0 ? results : null })
  }

  *#think(delta: string): Iterable<WireEvent> {
    yield* this.#endMessage('completed')
    if (!this.#thought) yield* this.#openThought()
    const thought = this.#thought! // just opened
    thought.text += delta
    yield { type: 'response.reasoning_text.delta', ...placeOf(thought), delta }
  }

  *#openThought(): Iterable<WireEvent> {
    const thought = { id: this.#newId('rs_'), index: this.#output.length, text: '' }
    this.#thought = thought
    yield this.#added(thoughtJson(thought, 'in_progress', []))
    yield { type: 'response.content_part.added', ...placeOf(thought), part: thoughtPart('') }
  }

  *#endThought(status: 'completed' | 'incomplete'): Iterable<WireEvent> {
    const thought = this.#thought
    if (!thought) return
    this.#thought = undefined
    const part = thoughtPart(thought.text)
    yield { type: 'response.reasoning_text.done', ...placeOf(thought), text: thought.text }
    yield { type: 'response.content_part.done', ...placeOf(thought), part }
    yield this.#done(thoughtJson(thought, status, [part]))
  }

  *#endTexts(): Iterable<WireEvent> {
    yield* this.#endThought('completed')
    yield* this.#endMessage('completed')
  }

  *#say(delta: string): Iterable<WireEvent> {
    yield* this.#endThought('completed')
    if (!this.#message) yield* this.#openMessage()
    const message = this.#message! // just opened
    message.text += delta
    yield { type: 'response.output_text.delta', ...placeOf(message), delta, logprobs: [] }
  }

  *#openMessage(): Iterable<WireEvent> {
    const message = { id: this.#newId('msg_'), index: this.#output.length, text: '' }
    this.#message = message
    yield this.#added(messageJson(message, 'in_progress', []))
    yield { type: 'response.content_part.added', ...placeOf(message), part: textPart('', []) }
  }

  *#endMessage(status: 'completed' | 'incomplete', extras: object = {}): Iterable<WireEvent> {
    const message = this.#message
    if (!message) return
    this.#message = undefined
    const annotations = this.#options.citationsOf(message.text, this.#citations)
    const place = placeOf(message)
    for (const [at, annotation] of annotations.entries()) {
      yield { type: 'response.output_text.annotation.added', ...place, annotation_index: at, annotation }
    }
    yield { type: 'response.output_text.done', ...place, text: message.text, logprobs: [] }
    const part = { ...textPart(message.text, annotations), ...extras }
    yield { type: 'response.content_part.done', ...place, part }
    yield this.#done(messageJson(message, status, [part]))
  }

  *#call({ id, name, arguments: text }: ToolCall): Iterable<WireEvent> {
    yield* this.#endTexts()
    if (!this.#options.functionNames.has(name)) return
    const item = { id: this.#newId('fc_'), type: 'function_call', call_id: id, name }
    const place = { output_index: this.#output.length, item_id: item.id }
    yield this.#added({ ...item, arguments: '', status: 'in_progress' })
    yield { type: 'response.function_call_arguments.delta', ...place, delta: text }
    yield { type: 'response.function_call_arguments.done', ...place, name, arguments: text }
    yield this.#done({ ...item, arguments: text, status: 'completed' })
  }

  *#finish(answer: Answer): Iterable<WireEvent> {
    const { incomplete } = answer
    yield* this.#endThought(incomplete ? 'incomplete' : 'completed')
    yield* this.#endMessage(incomplete ? 'incomplete' : 'completed', this.#options.extrasOf(answer))
    const metadata = this.#options.metadataOf(answer)
    this.#state = incomplete
      ? { status: 'incomplete', metadata, incomplete_details: detailsOf(incomplete) }
      : { status: 'completed', metadata, completed_at: Math.floor(Date.now() / 1000) }
    yield { type: incomplete ? 'response.incomplete' : 'response.completed', response: this.response }
  }

  #added(item: OutputItem): WireEvent {
    return { type: 'response.output_item.added', output_index: this.#output.length, item }
  }

  #done(item: OutputItem): WireEvent {
    this.#output.push(item)
    const shown = this.#options.showsResults ? item : withoutResult(item)
    return { type: 'response.output_item.done', output_index: this.#output.length - 1, item: shown }
  }
}

/** A response with everything that may be asked to be included in it. */
export type KeptResponse = { readonly output: readonly OutputItem[]; readonly [key: string]: unknown }

/** What OpenAI's surface shows of a response where what was found is not to be included. */
export function withoutResults(response: KeptResponse): KeptResponse {
  return { ...response, output: response.output.map(withoutResult) }
}

function withoutResult(item: OutputItem): OutputItem {
  return item.type === 'file_search_call' ? { ...item, results: null } : item
}

function detailsOf(incomplete: NonNullable<Answer['incomplete']>) {
  if (incomplete === 'max-model-calls') return {}
  return { reason: incomplete === 'length' ? 'max_output_tokens' : 'content_filter' }
}

function placeOf({ id, index }: OpenText) {
  return { item_id: id, output_index: index, content_index: 0 }
}

function thoughtJson({ id }: OpenText, status: string, content: readonly object[]) {
  return { id, type: 'reasoning', summary: [], content, status }
}

function thoughtPart(text: string) {
  return { type: 'reasoning_text', text }
}

function messageJson({ id }: OpenText, status: string, content: readonly object[]) {
  return { id, type: 'message', role: 'assistant', status, content }
}

function textPart(text: string, annotations: readonly object[]) {
  return { type: 'output_text', text, annotations, logprobs: [] }
}

function usageJson(usage: Usage | undefined) {
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
