import type { ToolCitation } from '../../answer/citations/citation.ts'
import type { Reference } from '../../answer/citations/citations.ts'
import type { Passage } from '../../search/passages/passage.ts'
import type { Span } from '../../text/sentences.ts'
import { type Message, textContent } from '../message.ts'
import { WaitingCalls } from '../messages/open-calls.ts'

type ToolAnswer = {
  /** Empty if the caller gave none. */
  readonly callId: string
  readonly tool: string
  readonly arguments: string
  readonly text: string
}

/** `rendered` if the passage's text differs from the result's. */
type Origin = { readonly answer: ToolAnswer; readonly rendered?: Span }

/** Characters of all results, so that checks stay cheap; the latest count. */
const MAX_CHARS = 200_000

const INNERMOST = /\{[^{}]*\}/g

export class ToolAnswers {
  /** The results of this tool are documents. */
  readonly #search: string
  readonly #calls = new WaitingCalls()
  /** Keyed by message, because ids may be missing or repeated. */
  readonly #answers = new Map<Message, ToolAnswer>()
  readonly #origins = new Map<Passage, Origin>()

  constructor(messages: readonly Message[], search: string) {
    this.#search = search
    this.add(messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1))
  }

  /** Idempotent per message. */
  add(messages: readonly Message[]): void {
    for (const message of messages) {
      if (message.functionCall) this.#calls.push(message)
      if (message.role !== 'function' || this.#answers.has(message)) continue
      const { functionCall, functionId } = this.#calls.claim(message) ?? message
      const { name: tool = functionCall?.name ?? '', functionId: callId = functionId ?? '' } =
        message
      if (tool === this.#search) continue
      const content = { arguments: functionCall?.arguments ?? '', text: textContent(message) }
      this.#answers.set(message, { callId, tool, ...content })
    }
  }

  listPassages(firstId: number): readonly Passage[] {
    let remainingChars = MAX_CHARS
    const latest = [...this.#answers.values()].toReversed().filter(({ text }) => {
      remainingChars -= text.length
      return remainingChars >= 0
    })
    return latest.toReversed().flatMap((answer, index) => {
      const { tool, arguments: args, text } = answer
      const names = {
        documentId: `${tool} ${index}`,
        source: tool,
        name: tool,
        title: '',
        headings: [],
      }
      const about = { ...names, context: `${tool} ${args}`, id: firstId + index }
      return splitAnswer(text).map(piece => this.#toPassage(piece, about, answer))
    })
  }

  #toPassage(
    { start, end, text, isRendered }: Piece,
    { id, ...about }: About,
    answer: ToolAnswer,
  ): Passage {
    const excerpt = { ...about, charStart: start, charEnd: start + text.length, text }
    const passage = { ...excerpt, id, parts: [excerpt] }
    this.#origins.set(passage, { answer, ...(isRendered && { rendered: { start, end } }) })
    return passage
  }

  has(passage: Passage): boolean {
    return this.#origins.has(passage)
  }

  citeResult(references: readonly Reference[]): readonly ToolCitation[] {
    const citations = references.map(reference => this.#toCitation(reference))
    const isSame = (citation: ToolCitation, other: ToolCitation) =>
      citation.marker === other.marker &&
      citation.charStart === other.charStart &&
      citation.charEnd === other.charEnd
    return citations.filter(
      (citation, index) => citations.findIndex(other => isSame(citation, other)) === index,
    )
  }

  #toCitation({ marker, passage, span, support }: Reference): ToolCitation {
    const { answer, rendered } = this.#origins.get(passage)!
    const ownSpan = { start: passage.charStart + span.start, end: passage.charStart + span.end }
    const { start, end } = rendered ?? ownSpan
    const { text, ...call } = answer
    return {
      marker,
      ...call,
      charStart: start,
      charEnd: end,
      text: text.slice(start, end),
      support,
    }
  }
}

type About = Pick<
  Passage,
  'documentId' | 'source' | 'name' | 'title' | 'headings' | 'context' | 'id'
>

type Piece = Span & { readonly text: string; readonly isRendered?: true }

function splitAnswer(text: string): readonly Piece[] {
  if (!isJson(text)) return [{ start: 0, end: text.length, text }]
  const objects = [...text.matchAll(INNERMOST)].map(match => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
  const ends = [0, ...objects.map(({ end }) => end)]
  const gaps = ends.map((start, index) => ({ start, end: objects[index]?.start ?? text.length }))
  const spans = [...objects, ...gaps].filter(({ start, end }) =>
    /[\p{L}\p{N}]/u.test(text.slice(start, end)),
  )
  return spans
    .toSorted((a, b) => a.start - b.start)
    .map(span => ({
      ...span,
      text: renderObject(text.slice(span.start, span.end)),
      isRendered: true,
    }))
}

function renderObject(json: string): string {
  const value: unknown = isJson(json) ? JSON.parse(json) : undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return json.replace(/[{}[\]":]+/g, ' ').trim()
  const lines = [Object.keys(value), Object.values(value)]
  return lines.map(cells => cells.map(formatCell).join(' | ')).join('\n')
}

function formatCell(value: unknown): string {
  return (Array.isArray(value) ? value.join(', ') : String(value)).replace(/\s+/g, ' ')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // taken as text
  }
}
