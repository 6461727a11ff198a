import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ReportedDocumentJson } from '../../wire/document.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { canWrite, fetchJson } from '../connection.ts'
import { deleteDocuments } from '../documents/deleted.tsx'
import { StatusBadge } from '../documents/document-row.tsx'
import { download, indexAgain } from '../documents/stored-document.ts'
import { Icon, type IconName } from '../icons.tsx'
import { useLoaded } from '../loaded.ts'
import { type Notice, Problem, toNotice } from '../notice.tsx'
import { t } from '../preferences.ts'
import { linkTo, openView, route } from '../route.ts'
import type { TextSpan } from '../source/highlight.ts'
import { DocumentAttributes } from './attributes.tsx'
import { DocumentChunks } from './chunks.tsx'
import { DocumentDetails } from './details.tsx'
import { FindInDocument } from './find.tsx'
import { DocumentPages } from './pages.tsx'
import { DocumentSummary } from './summary.tsx'
import { DocumentTables } from './tables.tsx'
import { DocumentText } from './text.tsx'

/** Refresh interval during indexing; protects the service from more than one request per second. */
const REFRESH_MS = 1_500

type Tab = 'pages' | 'text' | 'tables' | 'chunks' | 'details'

export function DocumentView({ id }: { readonly id: string }) {
  const { query } = route.value
  const reloads = useSignal(0)
  const place = `/api/documents/${encodeURIComponent(id)}`
  const loaded = useLoaded(
    signal => fetchJson<ReportedDocumentJson>(place, { signal }),
    [id, reloads.value],
  )
  const chosen = useSignal<Tab | undefined>(undefined)
  const document = loaded.value.value
  const read = () => {
    reloads.value++
  }
  const isBusy = document?.status === 'in_progress'
  useEffect(() => {
    if (!isBusy) return
    const timer = setInterval(read, REFRESH_MS)
    return () => clearInterval(timer)
  }, [isBusy])
  if (loaded.value.problem) return <Missing notice={loaded.value.problem} />
  if (!document) return <p class="page quiet working">{t().loading}</p>
  const isRead = document.indexedAt !== undefined
  const tabs: readonly Tab[] = [
    ...(document.pages !== undefined && isRead ? (['pages'] as const) : []),
    ...(isRead ? (['text', 'tables', 'chunks'] as const) : []),
    'details',
  ]
  const tab = tabs.find(name => name === chosen.value) ?? tabs[0] ?? 'details'
  const span = parseSpan(query)
  return (
    <section class="page wide document">
      <DocumentHead document={document} changed={read} />
      <div class="document-bar">
        <Tabs tabs={tabs} tab={tab} chosen={chosen} />
        {isRead && <FindInDocument document={document} />}
      </div>
      {tab === 'pages' && (
        <DocumentPages document={document} page={Number(query.get('page') ?? 1)} span={span} />
      )}
      {tab === 'text' && <DocumentText key={span?.charStart} document={document} span={span} />}
      {tab === 'tables' && <DocumentTables id={document.id} />}
      {tab === 'chunks' && <DocumentChunks id={document.id} changed={read} />}
      {tab === 'details' && <DocumentDetails document={document} />}
    </section>
  )
}

function parseSpan(query: URLSearchParams): TextSpan | undefined {
  const start = query.get('start')
  const end = query.get('end')
  return start === null || end === null
    ? undefined
    : { charStart: Number(start), charEnd: Number(end) }
}

function Missing({ notice }: { readonly notice: Notice }) {
  return (
    <section class="page">
      <BackLink collection={undefined} />
      <Problem notice={notice} />
    </section>
  )
}

function BackLink({ collection }: { readonly collection: string | undefined }) {
  return (
    <a class="back" href={collection ? linkTo('documents', { collection }) : linkTo('documents')}>
      <Icon name="previous" />
      {t().document.back}
    </a>
  )
}

type HeadProps = { readonly document: ReportedDocumentJson; readonly changed: () => void }

function DocumentHead({ document, changed }: HeadProps) {
  const { name, title, error, collection } = document
  return (
    <header class="document-head">
      <BackLink collection={collection} />
      <h1 dir="auto" title={name}>
        {name}
      </h1>
      <p class="document-facts">
        {title && title !== name && <span dir="auto">{title}</span>}
        <StatusBadge document={document} />
        {document.pages !== undefined && (
          <span class="quiet">{t().documents.pages(document.pages)}</span>
        )}
      </p>
      <DocumentAttributes key={document.id} document={document} changed={changed} />
      <DocumentActions document={document} changed={changed} />
      <Problem notice={error} />
    </header>
  )
}

function DocumentActions({ document, changed }: HeadProps) {
  const problem = useSignal<Notice | undefined>(undefined)
  const isConfirming = useSignal(false)
  const isSummarised = useSignal(false)
  const runAction = (action: Promise<unknown>) =>
    action.then(changed, error => {
      problem.value = toNotice(error)
    })
  const remove = async () => {
    await deleteDocuments([document])
    openView('documents', { collection: document.collection })
  }
  return (
    <>
      <p class="actions">
        {document.searchable && (
          <Toggle icon="summary" label={t().document.summarise} isOn={isSummarised} isShown />
        )}
        <Action
          icon="download"
          label={t().documents.download}
          act={() => void runAction(download(document))}
        />
        {canWrite.value && document.status !== 'in_progress' && (
          <Action
            icon="again"
            label={t().documents.retry}
            act={() => void runAction(indexAgain(document))}
          />
        )}
        {canWrite.value && <Toggle icon="remove" label={t().remove} isOn={isConfirming} />}
      </p>
      <Problem notice={problem.value} />
      {isSummarised.value && <DocumentSummary document={document} />}
      {isConfirming.value && (
        <ConfirmDialog
          text={t().documents.confirm(document.name)}
          action={remove}
          close={() => {
            isConfirming.value = false
          }}
        />
      )}
    </>
  )
}

type ActionProps = {
  readonly icon: IconName
  readonly label: string
  readonly isPressed?: boolean
  readonly act: () => void
}

type ToggleProps = Pick<ActionProps, 'icon' | 'label'> & {
  readonly isOn: Signal<boolean>
  readonly isShown?: boolean
}

function Toggle({ isOn, isShown = false, ...button }: ToggleProps) {
  const toggle = () => {
    isOn.value = !isOn.value
  }
  return <Action {...button} isPressed={isShown ? isOn.value : undefined} act={toggle} />
}

function Action({ icon, label, isPressed, act }: ActionProps) {
  return (
    <button type="button" class="quiet-button" aria-pressed={isPressed} onClick={act}>
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  )
}

function Tabs({ tabs, tab, chosen }: TabsProps) {
  return (
    <div class="segments">
      {tabs.map(offeredTab => (
        <button
          key={offeredTab}
          type="button"
          aria-pressed={offeredTab === tab}
          onClick={() => {
            chosen.value = offeredTab
          }}
        >
          {t().document[offeredTab]}
        </button>
      ))}
    </div>
  )
}

type TabsProps = {
  readonly tabs: readonly Tab[]
  readonly tab: Tab
  readonly chosen: Signal<Tab | undefined>
}
