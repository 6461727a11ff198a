import { z } from 'zod'
import { createId } from '../../../system/digest.ts'
import type { ReasoningOrigin } from '../../message.ts'
import type { Usage } from '../../model.ts'
import {
  type FinishReason,
  type ModelEvent,
  NO_CALL_NAME,
  type ToolCall,
  UNNAMED_CALL,
} from '../../model.ts'
import { countReasoningCharacters, ReasoningParts, reasoningDelta } from './reasoning.ts'

/** Some servers send parts. */
const words = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().optional().catch(undefined) }))
    .transform(parts => parts.map(({ text }) => text ?? '').join('')),
])

const calledFunction = z.object({
  name: z.string().nullish(),
  /** Some servers send parsed arguments. */
  arguments: z
    .union([
      z.string(),
      z.record(z.string(), z.unknown()).transform(value => JSON.stringify(value)),
    ])
    .nullish(),
})

const callPiece = z.object({
  index: z.coerce.number().int().nullish().catch(undefined),
  id: z.string().nullish(),
  function: calledFunction.nullish(),
  /** Gemini's signature of the thought that led to the call. */
  extra_content: z.unknown().optional(),
})

type CallPiece = z.infer<typeof callPiece>

/** Above any context, so that sums stay exact. */
const MAX_USED_TOKENS = 1e9

const tokens = z.number().min(0).max(MAX_USED_TOKENS).transform(Math.round)

/** Reported cost, so that sums stay finite. */
const MAX_COST = 1e9

export const completionChunk = z.object({
  id: z.string().nullish(),
  created: z.int().nonnegative().nullish().catch(undefined),
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: words.nullish(),
            ...reasoningDelta,
            tool_calls: z.array(callPiece).nullish(),
            function_call: calledFunction.nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish()
    .transform(choices => choices ?? []),
  /** Invalid usage must not lose the answer. */
  usage: z
    .object({
      prompt_tokens: tokens,
      completion_tokens: tokens,
      total_tokens: tokens.nullish().catch(undefined),
      cost: z.number().min(0).max(MAX_COST).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
  error: z.unknown().optional(),
})

export type CompletionChunk = z.infer<typeof completionChunk>

export const unstreamedCompletion = z.union([
  z.looseObject({ choices: z.array(z.looseObject({ message: z.looseObject({}) })).min(1) }),
  z
    .looseObject({ error: z.unknown() })
    .refine(({ error }) => error !== undefined && error !== null),
])

export function toChunk(completion: z.infer<typeof unstreamedCompletion>): object {
  if (!('choices' in completion) || !Array.isArray(completion.choices)) return completion
  const choices = completion.choices.map(({ message, ...choice }) => ({
    finish_reason: 'stop',
    ...choice,
    delta: message,
  }))
  return { ...completion, choices }
}

/** Characters of a reply, so that endless output stops. */
export const MAX_REPLY_CHARACTERS = 2 ** 20

/** Index of a `function_call`; others start at 0. */
const OLD_FORM = -1

type PartialCall = {
  index: number
  id: string
  sentId: string | undefined
  name: string
  arguments: string
  seal?: unknown
}

/** Emits pieces of calls at once, complete calls at the end. */
export class CompletionAssembler {
  readonly #server: string
  readonly #reasoning = new ReasoningParts()
  readonly #calls: PartialCall[] = []
  #finish: FinishReason | undefined
  /** Last one; some servers repeat it. */
  #usage: Usage | undefined
  #responseId: string | undefined
  #created: number | undefined
  #characters = 0

  /** Takes the digest for the origin of thoughts. */
  constructor(server: string) {
    this.#server = server
  }

  *push(chunk: CompletionChunk): Iterable<ModelEvent> {
    const choice = chunk.choices[0]
    this.#responseId ??= chunk.id ?? undefined
    this.#created ??= chunk.created ?? undefined
    const reasoning = this.#reasoning.push(choice?.delta ?? {})
    if (reasoning) yield { type: 'reasoning-delta', text: reasoning }
    if (choice?.delta?.content) yield { type: 'text-delta', text: choice.delta.content }
    for (const delta of choice?.delta?.tool_calls ?? []) yield* this.#extendCall(delta)
    yield* this.#extendOldForm(choice?.delta?.function_call)
    if (choice?.finish_reason) this.#finish = toFinishReason(choice.finish_reason)
    if (chunk.usage) this.#usage = toUsage(chunk.usage)
  }

  isTooMuch({ choices: [choice] }: CompletionChunk): boolean {
    const { content, tool_calls: calls, function_call: called, ...thoughts } = choice?.delta ?? {}
    const functions = [called, ...(calls ?? []).map(call => call.function)]
    const seals = (calls ?? []).map(call => JSON.stringify(call.extra_content))
    const texts = [content, ...functions.flatMap(call => [call?.name, call?.arguments]), ...seals]
    this.#characters += texts.reduce(
      (sum, text) => sum + (text?.length ?? 0),
      countReasoningCharacters(thoughts),
    )
    return this.#characters > MAX_REPLY_CHARACTERS
  }

  /** A stream without it was cut. */
  get finished(): boolean {
    return this.#finish !== undefined
  }

  *end(): Iterable<ModelEvent> {
    if (this.#usage) yield { type: 'usage', usage: this.#usage }
    for (const call of this.#calls) yield { type: 'tool-call', call: this.#toCall(call) }
    const reasoningOrigin = this.#reasoning.getOrigin(this.#server)
    const origin = {
      ...(reasoningOrigin && { reasoningOrigin }),
      ...(this.#responseId && { responseId: this.#responseId }),
      ...(this.#created && { created: this.#created }),
    }
    yield { type: 'finish', reason: this.#finish ?? 'stop', ...origin }
  }

  /** Ignores repetitions: some servers send both forms, or empty ones. */
  *#extendOldForm(called: CallPiece['function']): Iterable<ModelEvent> {
    const hasCall = Boolean(called?.name || called?.arguments)
    if (hasCall && this.#calls.every(({ index }) => index === OLD_FORM))
      yield* this.#extendCall({ index: OLD_FORM, function: called })
  }

  /** Joins pieces by index; a new id starts a new call without one, or with a name (Gemini). */
  *#extendCall(delta: CallPiece): Iterable<ModelEvent> {
    const call = this.#findCall(delta) ?? this.#startCall(delta)
    const text = delta.function?.arguments ?? ''
    call.name += delta.function?.name ?? ''
    call.arguments += text
    call.seal ??= delta.extra_content ?? undefined
    if (text !== '' && call.name.trim() !== '')
      yield { type: 'tool-call-delta', id: call.id, name: call.name, text }
  }

  #findCall({ index, id, function: called }: CallPiece): PartialCall | undefined {
    if (typeof index !== 'number')
      return id ? this.#calls.find(call => call.id === id) : this.#calls.at(-1)
    const call = this.#calls.findLast(partial => partial.index === index)
    const isAnother = id && called?.name && call?.arguments && id !== call.sentId
    return isAnother ? undefined : call
  }

  #startCall({ index, id }: CallPiece): PartialCall {
    const position = this.#calls.length
    const isOwn = id && this.#calls.every(call => call.id !== id) // some servers repeat one id
    const call = {
      index: index ?? position,
      id: isOwn ? id : createId('call_'),
      sentId: id ?? undefined,
      name: '',
      arguments: '',
    }
    this.#calls.push(call)
    return call
  }

  #toCall({ id, name, arguments: text, seal }: PartialCall): ToolCall {
    const sealed: ReasoningOrigin | undefined =
      seal === undefined ? undefined : { server: this.#server, fields: [], seal }
    const isNamed = name.trim() !== ''
    return {
      id,
      name: isNamed ? name : UNNAMED_CALL,
      arguments: text,
      ...(!isNamed && { problem: NO_CALL_NAME }),
      ...(sealed && { reasoningOrigin: sealed }),
    }
  }
}

function toUsage(usage: NonNullable<CompletionChunk['usage']>): Usage {
  const { prompt_tokens, completion_tokens, total_tokens, cost } = usage
  const tokens = {
    promptTokens: prompt_tokens,
    completionTokens: completion_tokens,
    totalTokens: total_tokens ?? prompt_tokens + completion_tokens,
  }
  return { ...tokens, ...(typeof cost === 'number' && { cost }) }
}

function toFinishReason(reason: string): FinishReason {
  if (reason === 'length') return 'length'
  if (reason === 'tool_calls' || reason === 'function_call') return 'tool-calls'
  return reason === 'content_filter' ? 'content-filter' : 'stop'
}
