import type { DocumentPageJson } from '../../wire/document.ts'
import { fetchJson } from '../connection.ts'
import { getUsualStore } from '../documents/stores.ts'
import { useLoaded } from '../loaded.ts'
import { t } from '../preferences.ts'
import { ask, selectedCollections } from './conversation.ts'

/** Documents read to find some that are indexed. */
const MAX_READ = 20
/** Fits beside the composer on a phone. */
const MAX_SUGGESTED = 3

/** Questions that can be answered without a model. */
export function Suggestions() {
  const [collection = getUsualStore()] = selectedCollections.value
  const loaded = useLoaded(signal => readTitles(collection, signal), [collection])
  const titles = loaded.value.value ?? []
  if (titles.length === 0) return null
  const questions = [...titles.map(t().ask.summarise), t().ask.whichDocuments]
  return (
    <ul class="suggestions" aria-label={t().ask.suggestions}>
      {questions.map(question => (
        <li key={question}>
          <button type="button" class="secondary" dir="auto" onClick={() => void ask(question)}>
            {question}
          </button>
        </li>
      ))}
    </ul>
  )
}

async function readTitles(collection: string, signal: AbortSignal): Promise<readonly string[]> {
  const query = new URLSearchParams({ collection, limit: String(MAX_READ) })
  const page: DocumentPageJson = await fetchJson(`/api/documents?${query}`, { signal })
  const completed = page.documents.filter(({ status }) => status === 'completed')
  return completed.slice(0, MAX_SUGGESTED).map(({ name }) => name)
}
