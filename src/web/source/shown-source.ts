import { computed, signal } from '@preact/signals'
import type { CitationJson } from '../../wire/answer.ts'
import { t } from '../preferences.ts'

/** The citations of one answer, and the one of them that is shown. */
export const shownSource = signal<
  { readonly citations: readonly CitationJson[]; readonly at: number } | undefined
>(undefined)

export const shownCitation = computed(() => {
  const shown = shownSource.value
  return shown?.citations[shown.at]
})

export function showSource(citations: readonly CitationJson[], at: number): void {
  if (citations[at]) shownSource.value = { citations, at }
}

export function hideSource(): void {
  shownSource.value = undefined
}

/** Where a citation stands, as people look for it. */
export function placeOf({ doc, page, headings }: CitationJson): string {
  const place = page === undefined ? headings.join(' › ') : t().ask.page(page)
  return [doc, place].filter(Boolean).join(', ')
}
