import { z } from 'zod'
import type { Message, ReasoningOrigin } from '../../message.ts'

/**
 * Fields of thoughts: DeepSeek, DashScope, Moonshot, Zhipu, llama.cpp and LM Studio use the first,
 * OpenRouter, Ollama, Groq, Cerebras and vLLM the second.
 */
const TEXT_FIELDS = ['reasoning_content', 'reasoning'] as const

/** OpenRouter's or MiniMax's text, summary, or encrypted or signed data. */
const detail = z.looseObject({ type: z.string().optional().catch(undefined) })

type Detail = z.infer<typeof detail>

/** Ignores other types, so that the answer is not lost. */
export const reasoningDelta = {
  reasoning_content: z.string().nullish().catch(undefined),
  reasoning: z.string().nullish().catch(undefined),
  reasoning_details: z.array(detail).nullish().catch(undefined),
}

type ReasoningDelta = {
  readonly reasoning_content?: string | null
  readonly reasoning?: string | null
  readonly reasoning_details?: readonly Detail[] | null
}

const GROWING = ['text', 'summary', 'data'] as const

export function countReasoningCharacters({
  reasoning_details: details,
  ...texts
}: ReasoningDelta): number {
  return (getText(texts)?.length ?? 0) + (details?.length ? JSON.stringify(details).length : 0)
}

export class ReasoningParts {
  readonly #fields = new Set<string>()
  readonly #details: Detail[] = []

  push(delta: ReasoningDelta): string {
    for (const field of TEXT_FIELDS) if (typeof delta[field] === 'string') this.#fields.add(field)
    const details = delta.reasoning_details ?? []
    for (const piece of details) this.#extend(piece)
    return getText(delta) ?? details.map(getDetailText).join('')
  }

  getOrigin(server: string): ReasoningOrigin | undefined {
    const details = this.#details
    if (this.#fields.size === 0 && details.length === 0) return undefined
    return { server, fields: [...this.#fields], ...(details.length > 0 && { details }) }
  }

  #extend(piece: Detail): void {
    const isSame = ({ type, index, id }: Detail) =>
      type === piece.type && index === piece.index && (!id || !piece.id || id === piece.id)
    const candidates = piece.index === undefined ? this.#details.slice(-1) : this.#details
    const position = this.#details.indexOf(candidates.findLast(isSame) ?? piece)
    const before = this.#details[position]
    if (before) this.#details[position] = joinDetails(before, piece)
    else this.#details.push(piece)
  }
}

function joinDetails(before: Detail, piece: Detail): Detail {
  const definedEntries = Object.entries(piece).filter(
    ([, value]) => value !== null && value !== undefined,
  )
  const grown = GROWING.flatMap(key => {
    const start = before[key]
    const rest = piece[key]
    return typeof start === 'string' && typeof rest === 'string'
      ? [[key, start + rest] as const]
      : []
  })
  return { ...before, ...Object.fromEntries(definedEntries), ...Object.fromEntries(grown) }
}

function getText(delta: ReasoningDelta): string | undefined {
  return delta.reasoning_content ?? delta.reasoning ?? undefined
}

function getDetailText({ text, summary }: Detail): string {
  return [text, summary].find(part => typeof part === 'string') ?? ''
}

type ReasoningFields = {
  readonly reasoning_content?: string
  readonly reasoning?: string
  readonly reasoning_details?: readonly unknown[]
}

/** Leaves out the thoughts of other servers. */
export function toReasoningFields(message: Message, server: string): ReasoningFields {
  const { reasoningContent = '', reasoningOrigin: origin } = message
  if (origin?.server !== server) return {}
  return {
    ...Object.fromEntries(getTextFields(message).map(field => [field, reasoningContent])),
    ...(origin.details && { reasoning_details: origin.details }),
  }
}

export function getTextFields({ reasoningOrigin }: Message): readonly string[] {
  return TEXT_FIELDS.filter(field => reasoningOrigin?.fields.includes(field))
}

export function joinReasoning(first: ReasoningFields, second: ReasoningFields): ReasoningFields {
  const texts = TEXT_FIELDS.flatMap(field => {
    const parts = [first[field], second[field]].filter(text => text !== undefined)
    return parts.length > 0 ? [[field, parts.join('')] as const] : []
  })
  const details = [...(first.reasoning_details ?? []), ...(second.reasoning_details ?? [])]
  return { ...Object.fromEntries(texts), ...(details.length > 0 && { reasoning_details: details }) }
}

/** Leaves out the bare word `reasoning`, which may be prose. */
export function findReasoningField(reason: string): string | undefined {
  if (/reasoning_content/.test(reason)) return 'reasoning_content'
  return /[`'".]reasoning\b|\breasoning field/.test(reason) ? 'reasoning' : undefined
}
