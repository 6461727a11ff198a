import { useSignal } from '@preact/signals'
import type { ReportedDocumentJson } from '../../wire/document.ts'
import type { HitJson, SearchJson } from '../../wire/hit.ts'
import { fetchJson } from '../connection.ts'
import { LitWords } from '../lit-words.tsx'
import { type Notice, Problem, toNotice } from '../notice.tsx'
import { t } from '../preferences.ts'
import { openView } from '../route.ts'

/** Hits, so that the list stays short. */
const MAX_HITS = 20

export function FindInDocument({ document }: { readonly document: ReportedDocumentJson }) {
  const words = useSignal('')
  const searchedWords = useSignal('')
  const hits = useSignal<readonly HitJson[] | undefined>(undefined)
  const problem = useSignal<Notice | undefined>(undefined)
  const find = async (event: Event) => {
    event.preventDefault()
    problem.value = undefined
    searchedWords.value = words.value
    const body = {
      query: words.value,
      documents: [document.id],
      collections: [document.collectionId],
      limit: MAX_HITS,
    }
    try {
      hits.value = (await fetchJson<SearchJson>('/api/search', { method: 'POST', body })).hits
    } catch (error) {
      problem.value = toNotice(error)
    }
  }
  const show = ({ page, charStart, charEnd }: HitJson) => {
    const span = { start: String(charStart), end: String(charEnd) }
    openView('documents', document.id, {
      ...(page !== undefined && { page: String(page) }),
      ...span,
    })
    hits.value = undefined
  }
  return (
    <search class="find">
      <form onSubmit={find}>
        <input
          type="search"
          value={words.value}
          placeholder={t().document.find}
          aria-label={t().document.find}
          onInput={event => {
            words.value = event.currentTarget.value
            if (words.value === '') hits.value = undefined
          }}
          required
        />
      </form>
      <Problem notice={problem.value} />
      {hits.value && (
        <div class="find-hits">
          <p class="quiet" aria-live="polite">
            {hits.value.length > 0 ? t().document.found(hits.value.length) : t().document.noneFound}
          </p>
          <FoundPassages hits={hits.value} query={searchedWords.value} show={show} />
        </div>
      )}
    </search>
  )
}

type PassagesProps = {
  readonly hits: readonly HitJson[]
  readonly query: string
  readonly show: (hit: HitJson) => void
}

function FoundPassages({ hits, query, show }: PassagesProps) {
  return (
    <ul>
      {hits.map(hit => (
        <li key={hit.chunkId}>
          <button type="button" class="passage" onClick={() => show(hit)}>
            <span class="passage-place">
              {hit.page === undefined ? hit.headings.join(' › ') : t().ask.page(hit.page)}
            </span>
            <span class="passage-text" dir="auto">
              <LitWords text={hit.text} query={query} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
