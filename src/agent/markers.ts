import { type Span, sentences } from '../ingest/sentences.ts'

/** One marker in a text, and the words that it is put to. */
export type Marker = { readonly id: number; readonly span: Span; readonly claim: string }

/** `[1]`, `[1, 2]`, `【1】`, `[^1]`: at most three digits, so that a year in brackets stays text. */
const MARKER = /[[［【]\s*\^?(\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*)\s*[\]］】]/g
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g

/** The markers of a text in order, those in code left alone: there, `[0]` is an index. */
export function findMarkers(text: string): readonly Marker[] {
  const code = [...text.matchAll(CODE)].map(match => ({ start: match.index, end: match.index + match[0].length }))
  const matches = [...text.matchAll(MARKER)].filter(
    ({ index }) => !code.some(span => span.start <= index && index < span.end),
  )
  return matches.flatMap(match => {
    const span = { start: match.index, end: match.index + match[0].length }
    const claim = claimBefore(text, match.index)
    return match[1]!.split(/\D+/).map(id => ({ id: Number(id), span, claim })) // the pattern's one group
  })
}

/** The text with every marker as `[n]`, and those that `keep` refuses taken out with the space in front of them. */
export function rewriteMarkers(text: string, keep: (id: number) => boolean): string {
  const markers = findMarkers(text)
  const starts = [...new Set(markers.map(marker => marker.span.start))]
  return starts.reduceRight((rewritten, start) => {
    const here = markers.filter(marker => marker.span.start === start)
    const kept = here.filter(marker => keep(marker.id)).map(marker => `[${marker.id}]`)
    const before = rewritten.slice(0, start)
    const end = here[0]!.span.end // every start has its marker
    return (kept.length > 0 ? before + kept.join('') : before.replace(/[ \t]+$/, '')) + rewritten.slice(end)
  }, text)
}

/** The sentence that ends at the marker; a marker after the full stop belongs to the sentence before it. */
function claimBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 600), at).replace(MARKER, match => ' '.repeat(match.length))
  const last = sentences(before).at(-1)
  return last ? before.slice(last.start, last.end) : ''
}
