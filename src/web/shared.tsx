import { useSignal } from '@preact/signals'
import type { SharedConversationJson, SharedTurnJson } from '../wire/conversation.ts'
import { selectContradicted } from './ask/turn.ts'
import { fetchJson } from './connection.ts'
import { useLoaded } from './loaded.ts'
import { type Doubt, Markdown } from './markdown.tsx'
import { type Notice, Problem, toNotice } from './notice.tsx'
import { formatTime, t } from './preferences.ts'
import { formatFullPlace, formatPlace } from './source/shown-source.ts'

/** Shows a conversation by its link; `id` is the token. */
export function SharedConversation({ id: token }: { readonly id: string }) {
  const earlier = useSignal<SharedConversationJson | undefined>(undefined)
  const notice = useSignal<Notice | undefined>(undefined)
  const loaded = useLoaded(signal => readShared({ token }, signal), [token])
  const last = loaded.value.value
  const turns = [...(earlier.value?.turns ?? []), ...(last?.turns ?? [])]
  const { hasMore = false } = earlier.value ?? last ?? {}
  const showEarlier = async () => {
    try {
      const page = await readShared({ token, before: turns[0]?.turn })
      earlier.value = { ...page, turns: [...page.turns, ...(earlier.value?.turns ?? [])] }
    } catch (error) {
      notice.value = toNotice(error)
    }
  }
  return (
    <section class="page shared-conversation">
      <header>
        <h1>{t().shared.title}</h1>
        {last && <p class="quiet">{t().shared.intro(formatTime(last.expiresAt))}</p>}
      </header>
      <Problem notice={loaded.value.problem ?? notice.value} />
      {!last && !loaded.value.problem && <p class="quiet working">{t().loading}</p>}
      {hasMore && (
        <button type="button" class="quiet-button" onClick={() => void showEarlier()}>
          {t().ask.earlier}
        </button>
      )}
      {turns.map(turn => (
        <SharedTurn key={turn.turn} turn={turn} />
      ))}
    </section>
  )
}

type Request = { readonly token: string; readonly before?: number }

async function readShared(body: Request, signal?: AbortSignal): Promise<SharedConversationJson> {
  return await fetchJson('/api/shared', { method: 'POST', body, signal })
}

function SharedTurn({ turn }: { readonly turn: SharedTurnJson }) {
  const { question, answer = '', citations = [], unconfirmed = [] } = turn
  if (question === undefined) return <p class="note">{t().shared.withheld}</p>
  const marks = { contradicted: t().ask.contradictedMark, unconfirmed: t().ask.unconfirmedMark }
  const renderMarker = (number: number) => {
    const citation = citations.find(({ marker }) => marker === number)
    if (!citation) return <sup class="marker pending">{number}</sup>
    return (
      <button
        key={number}
        type="button"
        class="marker"
        aria-label={t().ask.marker(number, formatPlace(citation))}
        title={`${formatPlace(citation)}\n${citation.text}`}
        onClick={() => document.getElementById(toId(turn, number))?.focus()}
      >
        {number}
      </button>
    )
  }
  const renderDoubt = (kind: Doubt, words: preact.ComponentChildren) => (
    <span class={kind} title={marks[kind]}>
      {words}
    </span>
  )
  return (
    <article class="turn">
      <h2 class="question" dir="auto">
        {question}
      </h2>
      <div class="answer">
        <Markdown
          text={answer}
          doubts={{ contradicted: selectContradicted(turn), unconfirmed }}
          signs={{ marker: renderMarker, doubt: renderDoubt }}
        />
      </div>
      {citations.length > 0 && <Quotations turn={turn} citations={citations} />}
    </article>
  )
}

type Citations = NonNullable<SharedTurnJson['citations']>

function Quotations({
  turn,
  citations,
}: {
  readonly turn: SharedTurnJson
  readonly citations: Citations
}) {
  return (
    <ol class="quotations" aria-label={t().ask.sources}>
      {citations.map((citation, index) => (
        <li key={index} id={toId(turn, citation.marker)} class="passage" tabIndex={-1}>
          <p class="passage-place" dir="auto">
            <span class="chip-number">{citation.marker}</span> {formatFullPlace(citation)}{' '}
            {citation.support !== 'stated' && (
              <span class={`chip-doubt ${citation.support}`}>
                {t().ask.doubt[citation.support]}
              </span>
            )}
          </p>
          <blockquote dir="auto">{citation.text}</blockquote>
        </li>
      ))}
    </ol>
  )
}

function toId({ turn }: SharedTurnJson, marker: number): string {
  return `quotation-${turn}-${marker}`
}
