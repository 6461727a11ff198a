import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { CitationJson } from '../../wire/answer.ts'
import { Icon } from '../icons.tsx'
import { useLoaded } from '../loaded.ts'
import { t } from '../preferences.ts'
import { href } from '../route.ts'
import { Problem } from '../told.tsx'
import { BlockTexts } from './block-text.tsx'
import { litBoxes } from './highlight.ts'
import { PagePicture } from './page-picture.tsx'
import { readBlocks, readPage } from './pages.ts'
import { Place } from './place.tsx'
import { hideSource, shownCitation, shownSource, showSource } from './shown-source.ts'

/** A passage goes over few pages; more than these are not shown beside an answer. */
const MAX_PAGES = 4

/** Text that is read before a passage, so that it stands among its neighbours. */
const CHARS_BEFORE = 1_500
const BLOCKS = 200

/** The source of an answer that is looked at, at the right place. */
export function SourcePane() {
  const pane = useRef<HTMLElement>(null)
  const citation = shownCitation.value
  useEffect(() => pane.current?.focus({ preventScroll: true }), [])
  if (!citation) return null
  return (
    <aside
      class="source"
      ref={pane}
      tabIndex={-1}
      aria-label={t().source.label}
      onKeyDown={event => event.key === 'Escape' && hideSource()}
    >
      <SourceHead citation={citation} />
      <Passage key={`${citation.documentId}:${citation.charStart}`} citation={citation} />
    </aside>
  )
}

function SourceHead({ citation }: { readonly citation: CitationJson }) {
  const { citations, at } = shownSource.value ?? { citations: [], at: 0 }
  const pageQuery = citation.page === undefined ? {} : { page: String(citation.page) }
  const span = { start: String(citation.charStart), end: String(citation.charEnd) }
  return (
    <header class="source-head">
      <p class="source-name">
        <span class="chip-number">{citation.marker}</span>
        <a
          href={href('documents', citation.documentId, { ...pageQuery, ...span })}
          title={t().source.open}
        >
          <Place citation={citation} />
        </a>
      </p>
      <div class="source-buttons">
        {citations.length > 1 && (
          <>
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

/** On its page where that can be drawn and the words be placed, else as text; the reader may have it either way. */
function Passage({ citation }: { readonly citation: CitationJson }) {
  const { documentId, pages } = citation
  const wish = useSignal<'page' | 'text'>(pages ? 'page' : 'text')
  const isFailed = useSignal(false)
  const loaded = useLoaded(signal => readPages(documentId, pages, signal), [])
  const found = loaded.value.value ?? []
  const isPlaced = found.some(page => page.size && litBoxes(page.blocks, citation).length > 0)
  const isDrawn = found.length > 0 && found.every(page => page.size) && !isFailed.value
  const isPage = wish.value === 'page' && isDrawn && isPlaced
  if (loaded.value.problem) return <Problem told={loaded.value.problem} />
  if (!loaded.value.value) return <p class="quiet working">{t().loading}</p>
  const reason = isDrawn ? t().source.unplaced : t().source.undrawn
  return (
    <>
      {isDrawn && isPlaced && <Forms wish={wish} />}
      {pages && wish.value === 'page' && !isPage && <p class="note">{reason}</p>}
      <div class="source-body">
        {isPage ? (
          found.map((page, at) => (
            <PagePicture
              key={page.page}
              page={page}
              name={citation.doc}
              span={citation}
              scrolls={at === 0}
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
    (_, at) => first + at,
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
  if (loaded.value.problem) return <Problem told={loaded.value.problem} />
  if (!blocks) return <p class="quiet working">{t().loading}</p>
  return (
    <div class="source-text" ref={text}>
      <BlockTexts blocks={blocks} span={citation} />
    </div>
  )
}
