import type { ToolCitation } from '../../answer/citations/citation.ts'
import type { Reference } from '../../answer/citations/citations.ts'
import type { Passage } from '../../search/passages/passage.ts'
import type { Span } from '../../text/sentences.ts'
import { type Message, textContent } from '../message.ts'
import { WaitingCalls } from '../open-calls.ts'

type ToolAnswer = {
  /** Empty where whoever ran the tool gave none. */
  readonly callId: string
  readonly tool: string
  readonly arguments: string
  readonly text: string
}

/** What a passage was made of; the span where its text is not the answer's own. */
type Origin = { readonly answer: ToolAnswer; readonly rendered?: Span }

/** Each is bounded; of all together, the latest are looked at. */
const MAX_CHARS = 200_000

/** An object of JSON that holds no other. */
const INNERMOST = /\{[^{}]*\}/g

/** What tools answered since the last question: what a claim may rest on besides documents. */
export class ToolAnswers {
  /** Of the tool whose answers are passages of documents already. */
  readonly #search: string
  readonly #calls = new WaitingCalls()
  /** By the messages that hold them: ids may be missing, or those of an earlier turn. */
  readonly #answers = new Map<Message, ToolAnswer>()
  readonly #origins = new Map<Passage, Origin>()

  constructor(messages: readonly Message[], search: string) {
    this.#search = search
    this.add(messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1))
  }

  /** What was added before is not added again. */
  add(messages: readonly Message[]): void {
    for (const message of messages) {
      if (message.functionCall) this.#calls.push(message)
      if (message.role !== 'function' || this.#answers.has(message)) continue
      const { functionCall, functionId } = this.#calls.take(message) ?? message
      const { name: tool = functionCall?.name ?? '', functionId: callId = functionId ?? '' } =
        message
      if (tool === this.#search) continue
      const said = { arguments: functionCall?.arguments ?? '', text: textContent(message) }
      this.#answers.set(message, { callId, tool, ...said })
    }
  }

  /** The answers as passages, each answer under a number of its own, from this one on. */
  listPassages(firstId: number): readonly Passage[] {
    let left = MAX_CHARS
    const latest = [...this.#answers.values()].toReversed().filter(({ text }) => {
      left -= text.length
      return left >= 0
    })
    return latest.toReversed().flatMap((answer, at) => {
      const { tool, arguments: args, text } = answer
      const names = {
        documentId: `${tool} ${at}`,
        source: tool,
        name: tool,
        title: '',
        headings: [],
      }
      const about = { ...names, context: `${tool} ${args}`, id: firstId + at }
      return splitAnswer(text).map(piece => this.#toPassage(piece, about, answer))
    })
  }

  /** What was asked of the tool tells what its answer speaks of, as a heading does. */
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

  /** Of what is read in another form than it has, the whole is cited. */
  cite(references: readonly Reference[]): readonly ToolCitation[] {
    const citations = references.map(reference => this.#toCitation(reference))
    const isSame = (one: ToolCitation, other: ToolCitation) =>
      one.marker === other.marker &&
      one.charStart === other.charStart &&
      one.charEnd === other.charEnd
    return citations.filter((one, at) => citations.findIndex(other => isSame(one, other)) === at)
  }

  #toCitation({ marker, passage, span, support }: Reference): ToolCitation {
    const { answer, rendered } = this.#origins.get(passage)! // its passages are of it
    const said = { start: passage.charStart + span.start, end: passage.charStart + span.end }
    const { start, end } = rendered ?? said
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

/** A part of an answer, and the text that says what it says; JSON is rendered in words. */
type Piece = Span & { readonly text: string; readonly isRendered?: true }

/** A text is taken apart by its sentences later; JSON here, by its objects, each read as the row of a table. */
function splitAnswer(text: string): readonly Piece[] {
  if (!isJson(text)) return [{ start: 0, end: text.length, text }]
  const objects = [...text.matchAll(INNERMOST)].map(match =>
    createSpan(match.index, match[0].length),
  )
  const ends = [0, ...objects.map(({ end }) => end)]
  const gaps = ends.map((start, at) => ({ start, end: objects[at]?.start ?? text.length }))
  const said = [...objects, ...gaps].filter(({ start, end }) =>
    /[\p{L}\p{N}]/u.test(text.slice(start, end)),
  )
  return said
    .toSorted((a, b) => a.start - b.start)
    .map(span => ({
      ...span,
      text: renderObject(text.slice(span.start, span.end)),
      isRendered: true,
    }))
}

/** An object as a row under its keys; what stands between objects as words. */
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

function createSpan(start: number, length: number): Span {
  return { start, end: start + length }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // it is taken as text
  }
}
