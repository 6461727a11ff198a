import { type Signal, useSignal } from '@preact/signals'
import type { TextSpan } from '../../answer/citations/places.ts'
import { json } from '../connection.ts'
import { StatusBadge } from '../documents/document-row.tsx'
import { download } from '../documents/stored-document.ts'
import { Icon } from '../icons.tsx'
import { useLoaded } from '../loaded.ts'
import { t } from '../preferences.ts'
import { href, route } from '../route.ts'
import { DocumentDetails } from './details.tsx'
import type { DocumentReport } from './document-report.ts'
import { FindInDocument } from './find.tsx'
import { DocumentPages } from './pages.tsx'
import { DocumentTables } from './tables.tsx'
import { DocumentText } from './text.tsx'

type Tab = 'pages' | 'text' | 'tables' | 'details'

/** One document: its pages beside what was read of them, its text, tables and facts. */
export function DocumentView({ id }: { readonly id: string }) {
  const { query } = route.value
  const loaded = useLoaded(signal => json<DocumentReport>(`/api/documents/${encodeURIComponent(id)}`, { signal }), [id])
  const chosen = useSignal<Tab | undefined>(undefined)
  const document = loaded.value.value
  if (loaded.value.problem) return <Problem text={loaded.value.problem} />
  if (!document) return <p class="page quiet working">{t().loading}</p>
  const isRead = document.indexedAt !== undefined
  const tabs: readonly Tab[] = [
    ...(document.pages !== undefined && isRead ? (['pages'] as const) : []),
    ...(isRead ? (['text', 'tables'] as const) : []),
    'details',
  ]
  const tab = chosen.value && tabs.includes(chosen.value) ? chosen.value : tabs[0]!
  const span = spanOf(query)
  return (
    <section class="page wide document">
      <DocumentHead document={document} />
      <div class="document-bar">
        <Tabs tabs={tabs} tab={tab} chosen={chosen} />
        {isRead && <FindInDocument document={document} />}
      </div>
      {tab === 'pages' && <DocumentPages document={document} page={Number(query.get('page') ?? 1)} span={span} />}
      {tab === 'text' && <DocumentText key={span?.charStart} document={document} span={span} />}
      {tab === 'tables' && <DocumentTables id={document.id} />}
      {tab === 'details' && <DocumentDetails document={document} />}
    </section>
  )
}

function spanOf(query: URLSearchParams): TextSpan | undefined {
  const [start, end] = [query.get('start'), query.get('end')]
  return start === null || end === null ? undefined : { charStart: Number(start), charEnd: Number(end) }
}

function Problem({ text }: { readonly text: string }) {
  return (
    <section class="page">
      <BackLink collection={undefined} />
      <p class="problem" role="alert">
        {text}
      </p>
    </section>
  )
}

function BackLink({ collection }: { readonly collection: string | undefined }) {
  return (
    <a class="back" href={collection ? href('documents', { collection }) : href('documents')}>
      <Icon name="previous" />
      {t().document.back}
    </a>
  )
}

function DocumentHead({ document }: { readonly document: DocumentReport }) {
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
        {document.pages !== undefined && <span class="quiet">{t().documents.pages(document.pages)}</span>}
        <button type="button" class="quiet-button" onClick={() => void download(document)}>
          <Icon name="download" />
          <span>{t().documents.download}</span>
        </button>
      </p>
      {error && <p class="problem">{error.message}</p>}
    </header>
  )
}

function Tabs({ tabs, tab, chosen }: TabsProps) {
  return (
    <div class="segments">
      {tabs.map(one => (
        <button
          key={one}
          type="button"
          aria-pressed={one === tab}
          onClick={() => {
            chosen.value = one
          }}
        >
          {t().document[one]}
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
