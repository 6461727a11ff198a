import type { Span } from '../../text/sentences.ts'
import { AnswerMarkdown, type AnswerRegions } from './answer-markdown.ts'
import type { Reference } from './citations.ts'
import type { Sentence } from './marked-sentences.ts'

export type Edit = {
  readonly span: Span
  readonly text: string
  /** It adds or removes markers only. */
  readonly isMarker?: true
}

/** Closing bars of a row, and empty cells before them. */
const ROW_END = /(?:[ \t]*(?<!\\)\|)+[ \t]*$/
const SENTENCE_END = /[.。!！?？]+["'”’)\]]*$/

/** Edits Markdown. Edits of markers never change its blocks. */
export class AnswerEditor {
  readonly regions: AnswerRegions
  readonly #text: string
  readonly #markdown: AnswerMarkdown

  private constructor(text: string, markdown: AnswerMarkdown) {
    this.#text = text
    this.#markdown = markdown
    this.regions = markdown.readRegions(text)
  }

  static async load(text: string): Promise<AnswerEditor> {
    return new AnswerEditor(text, await AnswerMarkdown.load())
  }

  createMarkerEdits(
    { span, markers }: Sentence,
    references: readonly Reference[],
  ): readonly Edit[] {
    const ids = [...new Set(references.map(reference => reference.marker))]
    const label = toLabel(ids)
    const spans = [...new Map(markers.map(marker => [marker.span.start, marker.span])).values()]
    if (spans.length === 0) {
      const end = this.#findInsertion(span)
      return label ? [{ span: { start: end, end }, text: ` ${label}`, isMarker: true }] : []
    }
    const named = new Set(markers.map(marker => marker.id))
    const isSame = ids.length === named.size && ids.every(id => named.has(id))
    return spans.map((place, index) => {
      const own = markers
        .filter(marker => marker.span.start === place.start)
        .map(marker => marker.id)
      const written = isSame ? toLabel(own) : index === 0 ? label : ''
      const blanks =
        written === '' ? (this.#text.slice(0, place.start).match(/[ \t]+$/)?.[0].length ?? 0) : 0
      return {
        span: { start: place.start - blanks, end: place.end },
        text: written,
        isMarker: true,
      }
    })
  }

  apply(edits: readonly Edit[]): string {
    const markers = edits.filter(({ isMarker }) => isMarker)
    const others = edits.filter(({ isMarker }) => !isMarker)
    return applyEdits(this.#text, [...others, ...this.#selectHarmless(markers)])
  }

  #selectHarmless(edits: readonly Edit[]): readonly Edit[] {
    const isHarmless = (some: readonly Edit[]) =>
      this.#markdown.hasSameBlocks(this.#text, applyEdits(this.#text, some))
    if (edits.length === 0 || isHarmless(edits)) return edits
    const harmless: Edit[] = []
    for (const edit of edits) if (isHarmless([...harmless, edit])) harmless.push(edit)
    return harmless
  }

  #findInsertion({ start, end }: Span): number {
    const sentence = this.#text.slice(start, end)
    const isRow = this.regions.rows.some(row => start < row.end && row.start < end)
    const content = isRow ? sentence.replace(ROW_END, '') : sentence
    const closing = start + content.replace(SENTENCE_END, '').length
    const inside = this.regions.inline.find(other => other.start < closing && closing < other.end)
    return inside ? inside.end : closing
  }
}

function toLabel(ids: readonly number[]): string {
  return ids.map(id => `[${id}]`).join('')
}

/** Applies edits from the end, so that offsets remain valid. */
function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.span.start - a.span.start || b.span.end - a.span.end)
    .reduce(
      (rest, { span, text: inserted }) =>
        rest.slice(0, span.start) + inserted + rest.slice(span.end),
      text,
    )
}
