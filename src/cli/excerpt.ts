import type { Analyzer } from '../text/analyzer.ts'
import { splitSentences } from '../text/sentences.ts'

/** Characters of an excerpt, so that hits fit a screen. */
const MAX_CHARACTERS = 400

/** Characters before the first match in a long sentence, so that it is readable. */
const LEAD = 40

/** Matched terms are runs of characters in Chinese. */
type Place = { readonly start: number; readonly terms: readonly string[] }

export function findExcerpt(text: string, query: string, analyzer: Analyzer): string {
  if (text.length <= MAX_CHARACTERS) return text
  const places = findPlaces(text, query, analyzer)
  const counts = places.map(({ start }, index) => {
    const terms = new Set<string>()
    for (
      let next = index;
      next < places.length && places[next]!.start - start < MAX_CHARACTERS;
      next++
    )
      for (const term of places[next]!.terms) terms.add(term)
    return terms.size
  })
  const maxCount = counts.reduce((best, count) => Math.max(best, count), 0)
  const first = places[counts.indexOf(maxCount)]
  const start = first ? findStart(text, first.start) : 0
  const end = start + MAX_CHARACTERS
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
}

const PIECE = /[\p{L}\p{N}]+/gu

function findPlaces(text: string, query: string, analyzer: Analyzer): readonly Place[] {
  const queryTerms = new Set(analyzer.listQueryTerms(query))
  return [...text.matchAll(PIECE)].flatMap(({ 0: piece, index }) => {
    const terms = analyzer.listTerms(piece).filter(term => queryTerms.has(term))
    return terms.length > 0 ? [{ start: index, terms }] : []
  })
}

function findStart(text: string, place: number): number {
  const sentence = splitSentences(text).find(({ start, end }) => start <= place && place < end)
  const start = sentence?.start ?? place
  return place - start < MAX_CHARACTERS / 2 ? start : place - LEAD
}
