import type { AnswerJson } from '../../wire/answer.ts'
import type { ReportedDocumentJson } from '../../wire/document.ts'
import { fetchJson } from '../connection.ts'
import { useLoaded } from '../loaded.ts'
import { Markdown } from '../markdown.tsx'
import { Problem } from '../notice.tsx'
import { language, t } from '../preferences.ts'
import { linkTo } from '../route.ts'
import { formatPlace } from '../source/shown-source.ts'

export function DocumentSummary({ document }: { readonly document: ReportedDocumentJson }) {
  const body = {
    question: t().document.summaryQuestion,
    documents: [document.id],
    collections: [document.collectionId],
  }
  const loaded = useLoaded(
    signal => fetchJson<AnswerJson>('/api/ask', { method: 'POST', body, signal }),
    [document.id, document.hash, language.value],
  )
  const { value: summary, problem } = loaded.value
  return (
    <section class="summary" aria-label={t().document.summary} aria-live="polite">
      <Problem notice={problem} />
      {!summary && !problem && <p class="quiet working">{t().document.summarising}</p>}
      {summary && <SummaryText summary={summary} />}
    </section>
  )
}

/** Leaves out lines without a citation, which only name the document. */
function joinQuotations(answer: string): string {
  const quoted = answer.split('\n').filter(line => /\[\d+\]/.test(line))
  return quoted.length > 0 ? quoted.join(' ') : answer
}

function SummaryText({ summary }: { readonly summary: AnswerJson }) {
  const { answer, citations, unsupported = [], unconfirmed = [], mode } = summary
  const contradicted = unsupported.filter(sentence => !unconfirmed.includes(sentence))
  const marks = { contradicted: t().ask.contradictedMark, unconfirmed: t().ask.unconfirmedMark }
  const renderMarker = (number: number) => {
    const citation = citations.find(({ marker }) => marker === number)
    if (!citation) return <sup class="marker pending">{number}</sup>
    const { documentId, page, charStart, charEnd } = citation
    const place = {
      ...(page !== undefined && { page: String(page) }),
      start: String(charStart),
      end: String(charEnd),
    }
    return (
      <a
        key={number}
        class="marker"
        href={linkTo('documents', documentId, place)}
        aria-label={t().ask.marker(number, formatPlace(citation))}
      >
        {number}
      </a>
    )
  }
  return (
    <div class="answer">
      <Markdown
        text={mode === 'extractive' ? joinQuotations(answer) : answer}
        doubts={{ contradicted, unconfirmed }}
        signs={{
          marker: renderMarker,
          doubt: (kind, words) => (
            <span class={kind} title={marks[kind]}>
              {words}
            </span>
          ),
        }}
      />
      {mode === 'extractive' && <p class="quiet">{t().ask.quoted}</p>}
    </div>
  )
}
