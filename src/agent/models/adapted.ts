import { type LocalizableMessage, localizable, withMessage } from '../../errors/localizable.ts'
import type { Warning } from '../../ingest/parse/parser.ts'
import type { Message } from '../message.ts'
import type { ChatModel, ModelEvent, ModelRequest } from '../model.ts'
import type { ModelHabits, RequestForm } from './model-habits.ts'
import { findAdaptation, noStop } from './openai/adaptations.ts'
import {
  canBeFormRefusal,
  canBeToolRefusal,
  HttpFailure,
  isAboutTools,
  isBareFailure,
  isContentRefusal,
  isFormRefusal,
} from './openai/http-failure.ts'
import { findReasoningField, getTextFields } from './openai/reasoning.ts'
import { findMarker, measureSafeLength } from './text-calls/marker-scan.ts'
import { nousTemplate } from './text-calls/nous-template.ts'

type AdaptedOptions = {
  readonly server: string
  readonly habits: ModelHabits
}

/**
 * Repeats a refused request in other forms, and remembers the accepted one: by
 * `adaptations.ts`, earlier thoughts in every message or none, no tools.
 */
export class AdaptedModel implements ChatModel {
  readonly id: string
  readonly #inner: ChatModel
  readonly #server: string
  readonly #habits: ModelHabits

  constructor(inner: ChatModel, { server, habits }: AdaptedOptions) {
    this.id = inner.id
    this.#inner = inner
    this.#server = server
    this.#habits = habits
  }

  async *stream(original: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent> {
    const request = {
      ...original,
      messages: original.messages.map(message => this.#nameThoughts(message)),
    }
    const { form, first, events } = await this.#open(request, signal)
    const stops = form.adaptations.includes(noStop) ? request.config?.stop : undefined
    const answer = prependEvent(first, events)
    for await (const event of stops?.length ? cutAtStops(answer, stops) : answer) {
      if (event.type === 'finish' && event.reasoningOrigin?.fields.length)
        this.#habits.thoughtFields = event.reasoningOrigin.fields
      yield event.type === 'finish' ? { ...event, ...this.#warn(request, form) } : event
    }
  }

  /** Tries forms until an answer begins. Throws the first refusal, or a failure that is about no form. */
  async #open(request: ModelRequest, signal?: AbortSignal): Promise<OpenedAnswer> {
    const forms = [this.#habits.form]
    let refusal: unknown
    for (let form = forms[0]; form; form = forms.at(-1)) {
      const events = this.#inner
        .stream(shapeRequest(request, form, this.#server), signal)
        [Symbol.asyncIterator]()
      try {
        const first = await events.next()
        this.#learn(request, form, readFailure(refusal))
        return { form, first, events }
      } catch (error) {
        const failure = readFailure(error)
        refusal ??= error
        const next = failure && this.#chooseForm(request, forms, failure)
        if (!next) throw failure && canBeFormRefusal(failure) ? refusal : error
        forms.push(next)
      }
    }
    throw refusal
  }

  #nameThoughts(message: Message): Message {
    const { reasoningOrigin: origin } = message
    const { thoughtFields: fields } = this.#habits
    if (!origin?.isFromClient || origin.server !== this.#server || fields.length === 0)
      return message
    return { ...message, reasoningOrigin: { ...origin, fields } }
  }

  #learn(
    { tools, toolChoice }: ModelRequest,
    form: RequestForm,
    refusal: HttpFailure | undefined,
  ): void {
    if (refusal && !isBareFailure(refusal)) this.#habits.recordForm(form)
    if (form.hasTools && tools.length > 0 && toolChoice === 'auto') this.#habits.recordTools()
  }

  #chooseForm(
    request: ModelRequest,
    forms: readonly RequestForm[],
    failure: HttpFailure,
  ): RequestForm | undefined {
    const first = forms[0]
    const form = forms.at(-1)
    if (!first || !form || isContentRefusal(failure.reason)) return undefined
    const adaptation = findAdaptation(failure, request, form.adaptations)
    if (adaptation) return { ...form, adaptations: [...form.adaptations, adaptation] }
    const isUnchanged = form.thoughts === first.thoughts && form.hasTools === first.hasTools
    const thoughts =
      isFormRefusal(failure) && isUnchanged
        ? this.#chooseThoughts(request, form, failure)
        : undefined
    if (thoughts) return { ...form, thoughts }
    const hasTools = form.hasTools && request.tools.length > 0 && !this.#habits.acceptsTools
    return hasTools && canBeToolRefusal(failure, request)
      ? { ...first, adaptations: form.adaptations, hasTools: false }
      : undefined
  }

  #chooseThoughts(
    { messages }: ModelRequest,
    { thoughts }: RequestForm,
    failure: HttpFailure,
  ): RequestForm['thoughts'] | undefined {
    const field = findReasoningField(failure.reason)
    const isSent =
      thoughts.type === 'everywhere' ||
      (thoughts.type === 'returned' && listOwnFields(messages, this.#server).length > 0)
    if (isSent) return field || !isAboutTools(failure) ? { type: 'left-out' } : undefined
    const hasSpoken = messages.some(({ role }) => role === 'assistant')
    return field && hasSpoken && thoughts.type === 'returned'
      ? { type: 'everywhere', field }
      : undefined
  }

  #warn(
    request: ModelRequest,
    { hasTools, adaptations }: RequestForm,
  ): { readonly warnings?: readonly Warning[] } {
    const { tools } = request
    const sent = hasTools ? request : { ...request, tools: [] }
    const warnings = [
      ...(hasTools || tools.length === 0 ? [] : [warnWithoutTools(this.id)]),
      ...adaptations
        .filter(({ drops }) => drops?.(sent))
        .map(({ name }) => warnOfSetting(this.id, name)),
    ]
    return warnings.length > 0 ? { warnings } : {}
  }
}

function readFailure(error: unknown): HttpFailure | undefined {
  return error instanceof Error && error.cause instanceof HttpFailure ? error.cause : undefined
}

type OpenedAnswer = {
  readonly form: RequestForm
  readonly first: IteratorResult<ModelEvent>
  readonly events: AsyncIterator<ModelEvent>
}

async function* prependEvent(
  first: IteratorResult<ModelEvent>,
  events: AsyncIterator<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  try {
    for (let next = first; !next.done; next = await events.next()) yield next.value
  } finally {
    await events.return?.()
  }
}

async function* cutAtStops(
  events: AsyncIterable<ModelEvent>,
  stops: readonly string[],
): AsyncIterable<ModelEvent> {
  const cut = new CutText(stops)
  for await (const event of events) {
    const isText = event.type === 'text-delta'
    const text = isText ? cut.push(event.text) : event.type === 'finish' ? cut.end() : ''
    if (text !== '') yield { type: 'text-delta', text }
    if (event.type === 'finish' && event.reason === 'length' && cut.isCut)
      yield { ...event, reason: 'stop' }
    else if (!isText) yield event
  }
}

/** Releases text up to the first stop text. */
class CutText {
  readonly #stops: readonly string[]
  #pending = ''
  isCut = false

  constructor(stops: readonly string[]) {
    this.#stops = stops
  }

  push(text: string): string {
    if (this.isCut) return ''
    this.#pending += text
    const found = findMarker(this.#pending, this.#stops)
    this.isCut = found !== undefined
    return this.#release(found?.before.length ?? measureSafeLength(this.#pending, this.#stops))
  }

  end(): string {
    return this.isCut ? '' : this.#release(this.#pending.length)
  }

  #release(length: number): string {
    const released = this.#pending.slice(0, length)
    this.#pending = this.#pending.slice(length)
    return released
  }
}

function warnWithoutTools(model: string): Warning {
  const advice =
    'To let it call tools, enable them on its server, or set model.functionCalling to nous, qwen or react, which write calls as text.'
  const message = localizable`The model ${model} was asked without tools, because its server does not accept them.`
  return withMessage({ code: 'tools_refused' }, message, advice)
}

function warnOfSetting(model: string, adaptation: LocalizableMessage): Warning {
  const message = localizable`The server of the model ${model} does not accept a setting of this request: ${adaptation}.`
  return withMessage({ code: 'setting_refused' }, message)
}

function shapeRequest(request: ModelRequest, form: RequestForm, server: string): ModelRequest {
  const { messages, tools } = request
  const written = form.hasTools || tools.length === 0 ? messages : writeWithoutTools(request)
  const shaped = shapeThoughts(written, form.thoughts, server)
  const sent: ModelRequest = form.hasTools
    ? { ...request, messages: shaped }
    : { ...request, messages: shaped, tools: [], toolChoice: 'none' }
  return form.adaptations.reduce((adapted, change) => change.apply(adapted, server), sent)
}

/** Writes calls as text: a server without tools refuses earlier ones, too. */
function writeWithoutTools(request: ModelRequest): readonly Message[] {
  const hasCalls = request.messages.some(
    ({ role, functionCall }) => functionCall || role === 'function',
  )
  return hasCalls
    ? nousTemplate.write({ ...request, tools: [], toolChoice: 'none' }, '')
    : request.messages
}

function shapeThoughts(
  messages: readonly Message[],
  thoughts: RequestForm['thoughts'],
  server: string,
): readonly Message[] {
  if (thoughts.type === 'left-out') return messages.map(removeThoughts)
  const fields = thoughts.type === 'everywhere' ? [thoughts.field] : listOwnFields(messages, server)
  if (fields.length === 0) return messages
  return messages.map(message => {
    const isOwn = message.reasoningOrigin?.server === server
    if (message.role !== 'assistant' || (isOwn && getTextFields(message).length > 0)) return message
    const origin = isOwn ? message.reasoningOrigin : undefined
    return { ...message, reasoningContent: '', reasoningOrigin: { ...origin, server, fields } }
  })
}

function removeThoughts(message: Message): Message {
  const { reasoningOrigin: origin } = message
  if (!origin) return message
  return {
    ...message,
    reasoningOrigin: {
      server: origin.server,
      fields: [],
      ...(origin.seal !== undefined && { seal: origin.seal }),
    },
  }
}

function listOwnFields(messages: readonly Message[], server: string): readonly string[] {
  const own = messages.filter(message => message.reasoningOrigin?.server === server)
  return [...new Set(own.flatMap(getTextFields))]
}
