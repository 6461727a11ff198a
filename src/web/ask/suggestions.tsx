import type { FollowUpsJson } from '../../wire/conversation.ts'
import type { DocumentPageJson } from '../../wire/document.ts'
import { fetchJson } from '../connection.ts'
import { getUsualStore } from '../documents/stores.ts'
import { useLoaded } from '../loaded.ts'
import { t } from '../preferences.ts'
import { ask, conversationId, isAsking, selectedCollections } from './conversation.ts'

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
  return <Questions label={t().ask.suggestions} questions={questions} />
}

/** Questions that may follow the stored answer with this number. */
export function FollowUps({ number }: { readonly number: number }) {
  const place = `/api/answers/${encodeURIComponent(`${conversationId.value}.${number}`)}/follow-ups`
  const loaded = useLoaded(signal => fetchJson<FollowUpsJson>(place, { signal }), [place])
  const questions = loaded.value.value?.questions ?? []
  return questions.length > 0 ? <Questions label={t().ask.followUps} questions={questions} /> : null
}

type QuestionsProps = { readonly label: string; readonly questions: readonly string[] }

function Questions({ label, questions }: QuestionsProps) {
  return (
    <ul class="suggestions" aria-label={label}>
      {questions.map(question => (
        <li key={question}>
          <button
            type="button"
            class="secondary"
            dir="auto"
            disabled={isAsking.value}
            onClick={() => void ask(question)}
          >
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
