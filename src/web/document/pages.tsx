import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ReportedDocumentJson } from '../../wire/document.ts'
import { Icon } from '../icons.tsx'
import { useLoaded } from '../loaded.ts'
import { NoticeText, Problem } from '../notice.tsx'
import { t } from '../preferences.ts'
import { openView } from '../route.ts'
import { BlockTexts } from '../source/block-text.tsx'
import type { TextSpan } from '../source/highlight.ts'
import { PagePicture } from '../source/page-picture.tsx'
import { readPage } from '../source/pages.ts'

type PagesProps = {
  readonly document: ReportedDocumentJson
  readonly page: number
  readonly span: TextSpan | undefined
}

export function DocumentPages({ document, page, span }: PagesProps) {
  const { id, name, pages = 1, report = [] } = document
  const shownPage = Math.min(pages, Math.max(1, Math.floor(page) || 1))
  const loaded = useLoaded(signal => readPage(id, shownPage, signal), [id, shownPage])
  const isFailed = useSignal(false)
  const view = useRef<HTMLDivElement>(null)
  useEffect(() => {
    isFailed.value = false
  }, [id, shownPage])
  const { value: read, problem } = loaded.value
  const isShown = read?.page === shownPage
  useEffect(() => {
    if (isShown && span) view.current?.querySelector('mark')?.scrollIntoView({ block: 'center' })
  }, [isShown, span?.charStart])
  return (
    <>
      <Pager
        id={id}
        page={shownPage}
        pages={pages}
        label={report.find(({ page }) => page === shownPage)?.label}
      />
      <Problem notice={problem} />
      {!isShown && !problem && <p class="quiet working">{t().loading}</p>}
      {isShown && (
        <div ref={view} class={`page-and-text${read.size && !isFailed.value ? '' : ' text-only'}`}>
          {read.size && !isFailed.value && (
            <PagePicture
              page={read}
              name={name}
              span={span}
              failed={() => {
                isFailed.value = true
              }}
            />
          )}
          <section class="page-read">
            <h2>{t().document.read}</h2>
            {read.warnings.map(warning => (
              <p key={warning.message} class="note">
                <Icon name="warning" /> <NoticeText notice={warning} />
              </p>
            ))}
            {read.report?.ocr && (
              <p class="quiet">
                {t().document.facts.ocr}: {read.report.ocr.engine},{' '}
                {Math.round(read.report.ocr.confidence * 100)} %
              </p>
            )}
            {read.blocks.length === 0 ? (
              <p class="quiet">{t().document.nothingRead}</p>
            ) : (
              <BlockTexts blocks={read.blocks} span={span} />
            )}
          </section>
        </div>
      )}
    </>
  )
}

function Pager({
  id,
  page,
  pages,
  label,
}: {
  readonly id: string
  readonly page: number
  readonly pages: number
  readonly label: string | undefined
}) {
  const turn = (to: number) =>
    openView('documents', id, { page: String(Math.min(pages, Math.max(1, to))) })
  return (
    <div class="pager">
      <button
        type="button"
        class="plain"
        aria-label={t().document.previous}
        disabled={page <= 1}
        onClick={() => turn(page - 1)}
      >
        <Icon name="previous" />
      </button>
      <span aria-live="polite">
        {label ? t().document.labelled(label, page, pages) : t().document.of(page, pages)}
      </span>
      <button
        type="button"
        class="plain"
        aria-label={t().document.next}
        disabled={page >= pages}
        onClick={() => turn(page + 1)}
      >
        <Icon name="next" />
      </button>
      {pages > 2 && (
        <input
          type="range"
          min={1}
          max={pages}
          value={page}
          aria-label={t().document.pages}
          onChange={event => turn(Number(event.currentTarget.value))}
        />
      )}
    </div>
  )
}
