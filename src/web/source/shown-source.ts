import { computed, signal } from '@preact/signals'
import type { CitationJson } from '../../wire/answer.ts'
import { t } from '../preferences.ts'

export const shownSource = signal<
  { readonly citations: readonly CitationJson[]; readonly at: number } | undefined
>(undefined)

export const shownCitation = computed(() => {
  const shown = shownSource.value
  return shown?.citations[shown.at]
})

export const comparedCitation = signal<CitationJson | undefined>(undefined)

export function compareSource(): void {
  const { citations, at } = shownSource.value ?? { citations: [], at: 0 }
  comparedCitation.value = citations[at]
  showSource(citations, at + 1 < citations.length ? at + 1 : at - 1)
}

export function showSource(citations: readonly CitationJson[], index: number): void {
  if (citations[index]) shownSource.value = { citations, at: index }
}

export function hideSource(): void {
  shownSource.value = undefined
  comparedCitation.value = undefined
}

type Place = Pick<CitationJson, 'doc' | 'page' | 'pageLabel' | 'headings'>

export function formatFullPlace(citation: Place): string {
  const { page, headings } = citation
  const path = page === undefined ? '' : headings.join(' › ')
  return [formatPlace(citation), path].filter(Boolean).join(' › ')
}

export function formatPlace({ doc, page, pageLabel, headings }: Place): string {
  const place = page === undefined ? headings.join(' › ') : t().ask.page(pageLabel ?? page)
  return [doc, place].filter(Boolean).join(', ')
}
