import { type Signal, useSignal } from '@preact/signals'
import { copyText } from '../copy.ts'
import { downloadReceipt } from '../documents/stored-document.ts'
import { Icon } from '../icons.tsx'
import { LitWords } from '../lit-words.tsx'
import { type Doubt, Markdown } from '../markdown.tsx'
import { type Notice, NoticeText, Problem, toNotice } from '../notice.tsx'
import { t } from '../preferences.ts'
import { listSources } from '../source/list-sources.ts'
import { Place } from '../source/place.tsx'
import { formatFullPlace, formatPlace, shownCitation, showSource } from '../source/shown-source.ts'
import { ask, conversationId, isAsking, resumeAnswer, turns } from './conversation.ts'
import { JudgementButtons, ReasonForm } from './judgement.tsx'
import { FollowUps } from './suggestions.tsx'
import { selectContradicted, type Turn } from './turn.ts'
import { formatWithSources } from './turn-markdown.ts'

export function TurnView({ turn }: { readonly turn: Signal<Turn> }) {
  const current = turn.value
  return (
    <article class="turn">
      <h2 class="question" dir="auto">
        {current.question}
      </h2>
      <div class="answer" aria-live="polite" aria-busy={current.state === 'asking'}>
        <Answer turn={current} />
        <Progress turn={current} />
        {current.isAbstained && <Abstention turn={current} />}
        <Problem notice={current.problem} />
      </div>
      {current.state !== 'asking' && <AfterAnswer turn={turn} />}
    </article>
  )
}

function Answer({ turn }: { readonly turn: Turn }) {
  if (!turn.answer) return null
  const renderMarker = (number: number) => <Marker key={number} number={number} turn={turn} />
  const { unconfirmed = [] } = turn
  const contradicted = selectContradicted(turn)
  const marks = { contradicted: t().ask.contradictedMark, unconfirmed: t().ask.unconfirmedMark }
  const renderDoubt = (kind: Doubt, words: preact.ComponentChildren) => (
    <span class={kind} title={marks[kind]}>
      {words}
    </span>
  )
  return (
    <Markdown
      text={turn.answer}
      doubts={{ contradicted, unconfirmed }}
      signs={{ marker: renderMarker, doubt: renderDoubt }}
    />
  )
}

function Marker({ number, turn }: { readonly number: number; readonly turn: Turn }) {
  const index = turn.citations.findIndex(citation => citation.marker === number)
  const citation = turn.citations[index]
  const toolCitation = turn.toolCitations?.find(({ marker }) => marker === number)
  if (toolCitation)
    return (
      <sup
        class="marker"
        title={`${toolCitation.tool} ${toolCitation.arguments}: ${toolCitation.text}`}
      >
        {number}
      </sup>
    )
  if (!citation) return <sup class="marker pending">{number}</sup>
  return (
    <button
      type="button"
      class="marker"
      aria-pressed={isOpenCitation(turn, number)}
      aria-label={t().ask.marker(number, formatPlace(citation))}
      title={`${formatPlace(citation)}\n${shortenText(citation.text)}`}
      onClick={() => showSource(turn.citations, index)}
    >
      {number}
    </button>
  )
}

/** Fits a tooltip. */
const MAX_TIP_CHARS = 400

function shortenText(text: string): string {
  return text.length > MAX_TIP_CHARS ? `${text.slice(0, MAX_TIP_CHARS)}…` : text
}

function isOpenCitation(turn: Turn, number: number): boolean {
  const open = shownCitation.value
  return open?.marker === number && turn.citations.includes(open)
}

function Progress({ turn }: { readonly turn: Turn }) {
  if (turn.state === 'stopped') return <p class="quiet">{t().ask.stopped}</p>
  if (turn.state !== 'asking' || turn.answer) return null
  const searched = turn.found === undefined ? t().ask.searching : t().ask.reading(turn.found)
  return <p class="quiet working">{turn.isThinking ? t().ask.thinking : searched}</p>
}

function Abstention({ turn }: { readonly turn: Turn }) {
  return (
    <>
      {turn.citations.length > 0 && <p>{t().ask.nearest}</p>}
      <ul class="nearest">
        {turn.citations.map((citation, index) => (
          <li key={index}>
            <button type="button" class="passage" onClick={() => showSource(turn.citations, index)}>
              <span class="passage-place">{formatFullPlace(citation)}</span>
              <span class="passage-text" dir="auto">
                <LitWords text={citation.text} query={turn.question} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

function AfterAnswer({ turn }: { readonly turn: Signal<Turn> }) {
  const { unconfirmed = [], incomplete, warnings = [], isAbstained, citations } = turn.value
  const { state, number } = turn.value
  const isLast = turns.value.at(-1) === turn
  return (
    <footer class="after">
      {incomplete && <p class="note">{t().ask.cut[incomplete]}</p>}
      {warnings.map(warning => (
        <p key={warning.code} class="note">
          <NoticeText notice={warning} />
        </p>
      ))}
      <Sentences
        tone="note"
        heading={t().ask.contradicted}
        sentences={selectContradicted(turn.value)}
      />
      <Sentences tone="quiet" heading={t().ask.unconfirmed} sentences={unconfirmed} />
      {!isAbstained && citations.length > 0 && <SourceList turn={turn.value} />}
      <Actions turn={turn} />
      {isLast && state === 'done' && !isAbstained && number !== undefined && (
        <FollowUps number={number} />
      )}
    </footer>
  )
}

function Sentences({
  tone,
  heading,
  sentences,
}: {
  readonly tone: 'note' | 'quiet'
  readonly heading: string
  readonly sentences: readonly string[]
}) {
  if (sentences.length === 0) return null
  return (
    <div class={`${tone} small doubtful`}>
      <p>{heading}</p>
      <ul>
        {sentences.map(sentence => (
          <li key={sentence} dir="auto">
            {sentence}
          </li>
        ))}
      </ul>
    </div>
  )
}

function SourceList({ turn }: { readonly turn: Turn }) {
  return (
    <ol class="sources" aria-label={t().ask.sources}>
      {listSources(turn.citations).map(({ at, citation, markers, support }) => (
        <li key={at}>
          <button
            type="button"
            class="source-chip"
            aria-pressed={markers.some(marker => isOpenCitation(turn, marker))}
            onClick={() => showSource(turn.citations, at)}
          >
            {markers.map(marker => (
              <span key={marker} class="chip-number">
                {marker}
              </span>
            ))}
            <Place citation={citation} />
            {support !== 'stated' && (
              <span class={`chip-doubt ${support}`}>{t().ask.doubt[support]}</span>
            )}
          </button>
        </li>
      ))}
    </ol>
  )
}

function Actions({ turn }: { readonly turn: Signal<Turn> }) {
  const isCopied = useSignal(false)
  const isExplained = useSignal(false)
  const { answer, question, canResume: canGoOn, isQuoted, isAbstained } = turn.value
  const isLast = turns.value.at(-1) === turn
  const copy = async () => {
    await copyText(formatWithSources(turn.value))
    isCopied.value = true
    setTimeout(() => {
      isCopied.value = false
    }, 2_000)
  }
  return (
    <>
      <p class="actions">
        {answer && (
          <button type="button" class="quiet-button" onClick={copy}>
            <Icon name="copy" />
            <span aria-live="polite">{isCopied.value ? t().ask.copied : t().ask.copy}</span>
          </button>
        )}
        <ReceiptButton turn={turn.value} />
        <JudgementButtons turn={turn} isExplained={isExplained} />
        {canGoOn && isLast && (
          <button
            type="button"
            class="quiet-button"
            disabled={isAsking.value}
            onClick={() => void resumeAnswer(turn)}
          >
            <Icon name="next" />
            <span>{t().ask.goOn}</span>
          </button>
        )}
        <button
          type="button"
          class="quiet-button"
          disabled={isAsking.value}
          onClick={() => void ask(question)}
        >
          <Icon name="again" />
          <span>{t().ask.again}</span>
        </button>
        {isQuoted && !isAbstained && <span class="mode">{t().ask.quoted}</span>}
      </p>
      {isExplained.value && <ReasonForm turn={turn} isExplained={isExplained} />}
    </>
  )
}

function ReceiptButton({ turn: { state, number } }: { readonly turn: Turn }) {
  const problem = useSignal<Notice | undefined>(undefined)
  const conversation = conversationId.value
  if (state !== 'done' || number === undefined || conversation === undefined) return null
  const save = async () => {
    problem.value = await downloadReceipt(`${conversation}.${number}`).then(
      () => undefined,
      toNotice,
    )
  }
  return (
    <>
      <button type="button" class="quiet-button" onClick={save}>
        <Icon name="download" />
        <span>{t().ask.receipt}</span>
      </button>
      {problem.value && <NoticeText notice={problem.value} />}
    </>
  )
}
