import type { Span } from '../../ingest/sentences.ts'
import { MARKER_FORMS, type MarkerForm } from './marker-forms.ts'

/** The number of a source in a text, and where it is written; several may share a place. */
export type Marker = { readonly id: number; readonly span: Span }

export type MarkerOptions = {
  /** Whether a number is that of a source; where it is not known, every number may be. */
  readonly isSource?: (id: number) => boolean
  /** The text goes on: code that was begun may be code to its end. */
  readonly isPartial?: boolean
}

const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g
const OPEN_CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*(?:`|$)/g

/** `[1-9]` may stand for so many sources; longer ranges are text. */
const MAX_RANGE = 20

/** No source has this number: what points to something of the model's own. */
const NO_SOURCE = 0

/** The markers of a text in order, those in code left alone: there, `[0]` is an index. */
export function findMarkers(text: string, { isSource, isPartial = false }: MarkerOptions = {}): readonly Marker[] {
  const isCode = new Uint8Array(text.length)
  for (const { start, end } of [...text.matchAll(isPartial ? OPEN_CODE : CODE)].map(spanOf)) isCode.fill(1, start, end)
  const isTaken = new Uint8Array(text.length)
  const found = MARKER_FORMS.flatMap(form => markersOf(form, text, isSource)).filter(({ span: { start, end } }) => {
    if (isTaken.subarray(start, end).includes(1)) return false // by a form that goes first
    isTaken.fill(1, start, end)
    return true
  })
  return found
    .filter(({ span }) => isCode[span.start] === 0)
    .toSorted((a, b) => a.span.start - b.span.start)
    .flatMap(({ ids, span }) => ids.map(id => ({ id, span })))
}

/**
 * The text, or what of it lies within, with every marker as `[n]`, and those that `keep` refuses taken out with the
 * space in front of them.
 */
export function rewriteMarkers(
  text: string,
  keep: (id: number) => boolean,
  { within = { start: 0, end: text.length }, isPartial = false }: { within?: Span; isPartial?: boolean } = {},
): string {
  const markers = findMarkers(text, { isSource: keep, isPartial })
  const places = new Map<number, { readonly span: Span; readonly ids: number[] }>()
  for (const { id, span } of markers) {
    const place = places.get(span.start) ?? { span, ids: [] }
    places.set(span.start, place)
    if (keep(id)) place.ids.push(id)
  }
  let rewritten = ''
  let from = within.start
  for (const { span, ids } of places.values()) {
    const { start, end } = span
    if (start < within.start || end > within.end) continue
    const before = text.slice(from, start)
    rewritten += ids.length > 0 ? before + ids.map(id => `[${id}]`).join('') : before.replace(/(?<![ \t])[ \t]+$/, '')
    from = end
  }
  return rewritten + text.slice(from, within.end)
}

type Place = { readonly ids: readonly number[]; readonly span: Span }

function markersOf(form: MarkerForm, text: string, isSource: MarkerOptions['isSource']): readonly Place[] {
  return [...text.matchAll(form.pattern)].flatMap(match => {
    const span = spanOf(match)
    const { ids, isCertain } = idsIn(match[1]!) // the pattern's one group
    const isKnown = isSource === undefined || ids.every(isSource)
    if (ids.length === 0 || ((form.needsSources || !isCertain) && !isKnown)) return []
    return form.isMarker(text, span) ? [{ ids, span }] : []
  })
}

/** A range, as `[0-9]`, may be something else than markers. */
function idsIn(list: string): { readonly ids: readonly number[]; readonly isCertain: boolean } {
  const digits = list.normalize('NFKC')
  if (digits.includes(':')) return { ids: [NO_SOURCE], isCertain: true }
  const parts = digits.split(/[,˒、;&]|and|和/).map(part => part.match(/\d+/g)?.map(Number) ?? [])
  const ids = parts.flatMap(([first, last]) => (first === undefined ? [] : range(first, last ?? first)))
  return { ids: [...new Set(ids)], isCertain: parts.every(part => part.length === 1) }
}

function range(first: number, last: number): readonly number[] {
  if (last < first || last - first >= MAX_RANGE) return []
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

function spanOf({ index, 0: found }: RegExpExecArray): Span {
  return { start: index, end: index + found.length }
}
