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

type Origin = { readonly answer: ToolAnswer; readonly rows?: readonly Row[] }

type Row = Span & { readonly place: Span }

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
    return latest.toReversed().map((answer, index) => {
      const { tool, arguments: args } = answer
      const { text, rows } = renderAnswer(answer.text)
      const names = {
        documentId: `${tool} ${index}`,
        source: tool,
        name: tool,
        title: '',
        headings: [],
      }
      const context = `${tool} ${args}`
      const excerpt = { ...names, context, charStart: 0, charEnd: text.length, text }
      const passage = { ...excerpt, id: firstId + index, parts: [excerpt] }
      this.#origins.set(passage, { answer, ...(rows && { rows }) })
      return passage
    })
  }

  has(passage: Passage): boolean {
    return this.#origins.has(passage)
  }

  citeResult(references: readonly Reference[]): readonly ToolCitation[] {
    const citations = references.flatMap(reference => this.#toCitation(reference) ?? [])
    const isSame = (citation: ToolCitation, other: ToolCitation) =>
      citation.marker === other.marker &&
      citation.charStart === other.charStart &&
      citation.charEnd === other.charEnd
    return citations.filter(
      (citation, index) => citations.findIndex(other => isSame(citation, other)) === index,
    )
  }

  #toCitation({ marker, passage, span, support }: Reference): ToolCitation | undefined {
    const { answer, rows } = this.#origins.get(passage)!
    const place = rows
      ? rows.findLast(row => row.start < span.end && row.end > span.start)?.place
      : span
    if (!place) return undefined
    const { text, ...call } = answer
    return {
      marker,
      ...call,
      charStart: place.start,
      charEnd: place.end,
      text: text.slice(place.start, place.end),
      support,
    }
  }
}

type Piece = { readonly header?: string; readonly cells: string; readonly place: Span }

/** Writes objects with the same keys as one table. */
function renderAnswer(text: string): { readonly text: string; readonly rows?: readonly Row[] } {
  if (!isJson(text)) return { text }
  let written = ''
  let lastHeader: string | undefined
  const rows: Row[] = []
  for (const { header, cells, place } of splitJson(text)) {
    const isNext = header !== undefined && header === lastHeader
    if (written !== '') written += isNext ? '\n' : '\n\n'
    if (header !== undefined && !isNext) written += `${header}\n`
    rows.push({ start: written.length, end: written.length + cells.length, place })
    written += cells
    lastHeader = header
  }
  return { text: written, rows }
}

function splitJson(text: string): readonly Piece[] {
  const objects = [...text.matchAll(INNERMOST)].map(match => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
  const ends = [0, ...objects.map(({ end }) => end)]
  const gaps = ends.map((start, index) => ({ start, end: objects[index]?.start ?? text.length }))
  return [...objects, ...gaps]
    .toSorted((a, b) => a.start - b.start)
    .flatMap(place => renderPiece(text.slice(place.start, place.end), place))
}

/** Matches other strings and escapes, too, so that none is read twice. */
const PROPERTY = /\\.|("(?:[^"\\]|\\.)*")(?:\s*:\s*("(?:[^"\\]|\\.)*"|[^\s[\]{},"]+))?/g

function renderPiece(json: string, place: Span): readonly Piece[] {
  const value: unknown = isJson(json) ? JSON.parse(json) : undefined
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const properties = isObject
    ? Object.entries(value)
    : [...json.matchAll(PROPERTY)].flatMap(([, key = '', cell]) =>
        cell === undefined ? [] : [[parseCell(key), parseCell(cell)]],
      )
  const rest = isObject
    ? ''
    : json
        .replace(PROPERTY, (match: string, _key?: string, cell?: string) =>
          cell === undefined ? match : ' ',
        )
        .replace(/[{}[\]":,]+/g, ' ')
        .trim()
  const toRow = (cells: readonly unknown[]) => cells.map(formatCell).join(' | ')
  const row = {
    header: toRow(properties.map(([key]) => key)),
    cells: toRow(properties.map(([, cell]) => cell)),
    place,
  }
  return [
    ...(properties.length > 0 ? [row] : []),
    ...(/[\p{L}\p{N}]/u.test(rest) ? [{ cells: rest, place }] : []),
  ]
}

function parseCell(json: string): unknown {
  return isJson(json) ? JSON.parse(json) : json
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
