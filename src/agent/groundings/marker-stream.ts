import { OPEN_MARKER, rewriteMarkers } from '../../text/markers.ts'
import { OpenBrackets } from '../../text/spans/json-spans.ts'

/** Characters that decide about a marker, so that checks stay cheap. */
const MAX_SEEN = 800
const FENCE = /(```|~~~)/

class MarkerStream {
  readonly #keep: (id: number) => boolean
  readonly #getNumber: ((id: number) => number) | undefined
  #pending = ''
  #seen = ''
  #fence = ''
  readonly #braces = new OpenBrackets('{')
  #isBlank = true

  constructor(keep: (id: number) => boolean, getNumber?: (id: number) => number) {
    this.#keep = keep
    this.#getNumber = getNumber
  }

  push(delta: string): string {
    const text = this.#pending + delta
    const open = text.match(OPEN_MARKER)
    const ready = open ? text.slice(0, open.index) : text
    this.#pending = text.slice(ready.length)
    return this.#show(ready)
  }

  /** Returns the pending text. Only numbers in brackets are no markers. */
  end(): string {
    const rest = this.#pending
    this.#pending = ''
    return this.#isBlank ? rest : this.#show(rest)
  }

  #show(text: string): string {
    if (text.trim() !== '') this.#isBlank = false
    const parts = text.split(FENCE)
    return parts
      .map((part, index) => this.#showPart(part, index === parts.length - 1 ? this.#pending : ''))
      .join('')
  }

  #showPart(part: string, next: string): string {
    if (FENCE.test(part)) {
      if (this.#fence === '' || this.#fence === part) this.#fence = this.#fence === '' ? part : ''
      return part
    }
    return this.#fence === '' ? this.#showProse(part, next) : part
  }

  #showProse(text: string, next: string): string {
    const pieces = splitAtBraces(text, this.#braces)
    return pieces
      .map(({ piece, isInside }, index) => {
        const rewritten = isInside
          ? piece
          : this.#rewrite(piece, index === pieces.length - 1 ? next : '')
        this.#seen = getLastLines(this.#seen + piece)
        return rewritten
      })
      .join('')
  }

  #rewrite(part: string, next: string): string {
    const within = { start: this.#seen.length, end: this.#seen.length + part.length }
    const numbered = this.#getNumber && { getNumber: this.#getNumber }
    return rewriteMarkers(this.#seen + part + next, this.#keep, {
      within,
      isPartial: true,
      ...numbered,
    })
  }
}

function getLastLines(text: string): string {
  if (text.length <= MAX_SEEN) return text
  const seen = text.slice(-MAX_SEEN)
  return seen.slice(seen.indexOf('\n') + 1)
}

type Piece = { readonly piece: string; readonly isInside: boolean }

function splitAtBraces(text: string, braces: OpenBrackets): readonly Piece[] {
  const pieces: Piece[] = []
  let start = 0
  let isInside = braces.isOpen
  for (let index = 0; index < text.length; index++) {
    braces.push(text[index]!)
    if (braces.isOpen === isInside) continue
    const end = isInside ? index + 1 : index
    if (end > start) pieces.push({ piece: text.slice(start, end), isInside })
    start = end
    isInside = braces.isOpen
  }
  return [...pieces, { piece: text.slice(start), isInside }]
}

export async function* removeStrayMarkers<Event extends { readonly type: string }>(
  events: AsyncIterable<Event | { readonly type: 'text-delta'; readonly text: string }>,
  keep: (id: number) => boolean,
  getNumber?: (id: number) => number,
): AsyncGenerator<Event | { readonly type: 'text-delta'; readonly text: string }> {
  let stream = new MarkerStream(keep, getNumber)
  for await (const event of events) {
    if (event.type === 'text-as-reasoning') stream = new MarkerStream(keep, getNumber) // reasoning has no markers
    const text = isText(event) ? stream.push(event.text) : stream.end()
    if (text !== '') yield { type: 'text-delta', text }
    if (!isText(event)) yield event
  }
  const rest = stream.end()
  if (rest !== '') yield { type: 'text-delta', text: rest }
}

function isText(event: {
  readonly type: string
}): event is { readonly type: 'text-delta'; readonly text: string } {
  return event.type === 'text-delta'
}

export class MarkerNumbers {
  readonly #numbers = new Map<number, number>()

  readonly getNumber = (id: number): number => {
    const number = this.#numbers.get(id) ?? this.#numbers.size + 1
    this.#numbers.set(id, number)
    return number
  }

  clear(): void {
    this.#numbers.clear()
  }
}

type Cited<Citation> = { readonly text: string; readonly citations: readonly Citation[] }

export function numberMarkers<Citation extends { readonly marker: number }>(
  { text, citations }: Cited<Citation>,
  numbers: MarkerNumbers = new MarkerNumbers(),
): Cited<Citation> {
  if (!/\p{L}/u.test(text)) return { text, citations }
  const cited = new Set(citations.map(({ marker }) => marker))
  const numbered = rewriteMarkers(text, id => cited.has(id), { getNumber: numbers.getNumber })
  return {
    text: numbered,
    citations: citations.map(citation => ({
      ...citation,
      marker: numbers.getNumber(citation.marker),
    })),
  }
}
