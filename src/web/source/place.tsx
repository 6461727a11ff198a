import type { CitationJson } from '../../wire/answer.ts'
import { t } from '../preferences.ts'

export function Place({
  citation: { doc, page, pageLabel, headings },
}: {
  readonly citation: CitationJson
}) {
  const place = page === undefined ? headings.join(' › ') : t().ask.page(pageLabel ?? page)
  return (
    <span class="place" dir="auto">
      <span>{doc}</span>
      {place && <span class={page === undefined ? undefined : 'place-page'}>{place}</span>}
    </span>
  )
}
