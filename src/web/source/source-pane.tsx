import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { CitationJson } from '../../wire/answer.ts'
import { copyText } from '../copy.ts'
import { Icon } from '../icons.tsx'
import { useLoaded } from '../loaded.ts'
import { Problem } from '../notice.tsx'
import { t } from '../preferences.ts'
import { linkTo } from '../route.ts'
import { BlockTexts } from './block-text.tsx'
import { findHighlightBoxes } from './highlight.ts'
import { PagePicture } from './page-picture.tsx'
import { readBlocks, readPage } from './pages.ts'
import { Place } from './place.tsx'
import { formatBibtex, formatFootnote } from './reference.ts'
import {
  comparedCitation,
  compareSource,
  formatFullPlace,
  hideSource,
  shownCitation,
  shownSource,
  showSource,
} from './shown-source.ts'

/** Pages shown for a citation, so that a long passage does not load a complete document. */
const MAX_PAGES = 4

/** Characters loaded before a passage, so that its context is visible. */
const CHARS_BEFORE = 1_500
/** Blocks loaded, so that one response stays small. */
const BLOCKS = 200

export function SourcePane() {
  const pane = useRef<HTMLElement>(null)
  const citation = shownCitation.value
  const compared = comparedCitation.value
  useLayoutEffect(() => pane.current?.focus({ preventScroll: true }), [compared])
  if (!citation) return null
  return (
    <aside
      class="source"
      ref={pane}
      tabIndex={-1}
      aria-label={t().source.label}
      onKeyDown={event => event.key === 'Escape' && hideSource()}
    >
      {compared && (
        <div class="source-part">
          <ComparedHead citation={compared} />
          <Passage key={toKey(compared)} citation={compared} />
        </div>
      )}
      <div class="source-part">
        <SourceHead citation={citation} />
        {!compared && <References citation={citation} />}
        <Passage key={toKey(citation)} citation={citation} />
      </div>
    </aside>
  )
}

function toKey({ documentId, charStart }: CitationJson): string {
  return `${documentId}:${charStart}`
}

function SourceName({ citation }: { readonly citation: CitationJson }) {
  const pageQuery = citation.page === undefined ? {} : { page: String(citation.page) }
  const span = { start: String(citation.charStart), end: String(citation.charEnd) }
  return (
    <p class="source-name">
      <span class="chip-number">{citation.marker}</span>
      <a
        href={linkTo('documents', citation.documentId, { ...pageQuery, ...span })}
        title={t().source.open}
      >
        <Place citation={citation} />
      </a>
    </p>
  )
}

function ComparedHead({ citation }: { readonly citation: CitationJson }) {
  return (
    <header class="source-head">
      <SourceName citation={citation} />
      <button
        type="button"
        class="plain"
        aria-label={t().source.uncompare}
        title={t().source.uncompare}
        onClick={() => {
          comparedCitation.value = undefined
        }}
      >
        <Icon name="close" />
      </button>
    </header>
  )
}

function SourceHead({ citation }: { readonly citation: CitationJson }) {
  const { citations, at } = shownSource.value ?? { citations: [], at: 0 }
  return (
    <header class="source-head">
      <SourceName citation={citation} />
      <div class="source-buttons">
        {citations.length > 1 && (
          <>
            {!comparedCitation.value && (
              <button
                type="button"
                class="plain"
                aria-label={t().source.compare}
                title={t().source.compare}
                onClick={compareSource}
              >
                <Icon name="compare" />
              </button>
            )}
            <button
              type="button"
              class="plain"
              aria-label={t().source.previous}
              disabled={at === 0}
              onClick={() => showSource(citations, at - 1)}
            >
              <Icon name="previous" />
            </button>
            <span class="source-count" aria-live="polite">
              {t().source.of(at + 1, citations.length)}
            </span>
            <button
              type="button"
              class="plain"
              aria-label={t().source.next}
              disabled={at === citations.length - 1}
              onClick={() => showSource(citations, at + 1)}
            >
              <Icon name="next" />
            </button>
          </>
        )}
        <button type="button" class="plain" aria-label={t().close} onClick={hideSource}>
          <Icon name="close" />
        </button>
      </div>
    </header>
  )
}

const FORMS = { footnote: formatFootnote, bibtex: formatBibtex } as const

function References({ citation }: { readonly citation: CitationJson }) {
  const copied = useSignal<keyof typeof FORMS | undefined>(undefined)
  const copy = async (form: keyof typeof FORMS) => {
    await copyText(FORMS[form](citation, formatFullPlace(citation)))
    copied.value = form
    setTimeout(() => {
      copied.value = undefined
    }, 2_000)
  }
  return (
    <p class="references">
      {(['footnote', 'bibtex'] as const).map(form => (
        <button key={form} type="button" class="quiet-button" onClick={() => void copy(form)}>
          <Icon name="copy" />
          <span aria-live="polite">
            {copied.value === form ? t().ask.copied : t().source[form]}
          </span>
        </button>
      ))}
    </p>
  )
}

function Passage({ citation }: { readonly citation: CitationJson }) {
  const { documentId, pages } = citation
  const wish = useSignal<'page' | 'text'>(pages ? 'page' : 'text')
  const isFailed = useSignal(false)
  const loaded = useLoaded(signal => readPages(documentId, pages, signal), [])
  const found = loaded.value.value ?? []
  const isPlaced = found.some(
    page => page.size && findHighlightBoxes(page.blocks, citation).length > 0,
  )
  const isDrawn = found.length > 0 && found.every(page => page.size) && !isFailed.value
  const isPage = wish.value === 'page' && isDrawn && isPlaced
  if (loaded.value.problem) return <Problem notice={loaded.value.problem} />
  if (!loaded.value.value) return <p class="quiet working">{t().loading}</p>
  const reason = isDrawn ? t().source.unplaced : t().source.undrawn
  return (
    <>
      {isDrawn && isPlaced && <Forms wish={wish} />}
      {pages && wish.value === 'page' && !isPage && <p class="note">{reason}</p>}
      <div class="source-body">
        {isPage ? (
          found.map((page, index) => (
            <PagePicture
              key={page.page}
              page={page}
              name={citation.doc}
              span={citation}
              scrolls={index === 0}
              failed={() => {
                isFailed.value = true
              }}
            />
          ))
        ) : (
          <PassageText citation={citation} />
        )}
      </div>
    </>
  )
}

async function readPages(documentId: string, pages: CitationJson['pages'], signal: AbortSignal) {
  if (!pages) return []
  const [first, last] = pages
  const numbers = Array.from(
    { length: Math.min(MAX_PAGES, last - first + 1) },
    (_, index) => first + index,
  )
  return await Promise.all(numbers.map(page => readPage(documentId, page, signal)))
}

function Forms({ wish }: { readonly wish: { value: 'page' | 'text' } }) {
  return (
    <div class="segments">
      {(['page', 'text'] as const).map(form => (
        <button
          key={form}
          type="button"
          aria-pressed={wish.value === form}
          onClick={() => {
            wish.value = form
          }}
        >
          {form === 'page' ? t().source.asPage : t().source.asText}
        </button>
      ))}
    </div>
  )
}

function PassageText({ citation }: { readonly citation: CitationJson }) {
  const text = useRef<HTMLDivElement>(null)
  const from = Math.max(0, citation.charStart - CHARS_BEFORE)
  const loaded = useLoaded(signal => readBlocks(citation.documentId, from, BLOCKS, signal), [])
  const blocks = loaded.value.value?.blocks
  useEffect(
    () => text.current?.querySelector('mark')?.scrollIntoView({ block: 'center' }),
    [blocks],
  )
  if (loaded.value.problem) return <Problem notice={loaded.value.problem} />
  if (!blocks) return <p class="quiet working">{t().loading}</p>
  return (
    <div class="source-text" ref={text}>
      <BlockTexts blocks={blocks} span={citation} />
    </div>
  )
}
