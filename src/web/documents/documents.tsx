import { type Signal, useComputed, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { DocumentJson } from '../../wire/document.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { canWrite, Refusal, reconnections, Unreachable } from '../connection.ts'
import { Icon } from '../icons.tsx'
import { type Notice, Problem, toNotice } from '../notice.tsx'
import { t } from '../preferences.ts'
import { openView, route } from '../route.ts'
import { type Deletion, deleteDocuments, RecentlyDeleted, UndoDeletion } from './deleted.tsx'
import {
  arrangeDocuments,
  type Order,
  readDocuments,
  type SortKey,
  type Status,
} from './document-list.ts'
import { DocumentRow, ROW_HEIGHT } from './document-row.tsx'
import { DropZone } from './drop-zone.tsx'
import { getUsualStore, listStores, stores } from './stores.ts'
import { UploadList } from './upload-list.tsx'
import { indexingCount } from './uploads.ts'
import { WindowedList } from './windowed-list.tsx'

const COLUMNS: readonly SortKey[] = ['name', 'status', 'pages', 'bytes', 'added']
const STATUSES: readonly Status[] = ['all', 'completed', 'in_progress', 'failed', 'cancelled']

/** Minimum refresh interval during indexing; protects the service from a poll per second. */
const REFRESH_MS = 2_000
/** Interval per duration of the last load, so that long lists take a tenth of the time at most. */
const REST = 10

export function Documents() {
  const collection = route.value.query.get('collection') ?? getUsualStore()
  const { documents, problem, read } = useDocuments(collection)
  const words = useSignal('')
  const status = useSignal<Status>('all')
  const order = useSignal<Order>({ by: 'added', isDown: true })
  const selected = useSignal<ReadonlySet<string>>(new Set())
  const listed = useComputed(() =>
    arrangeDocuments(documents.value ?? [], {
      words: words.value,
      status: status.value,
      order: order.value,
    }),
  )
  const all = documents.value
  const showProblem = (error: unknown) => {
    problem.value = toNotice(error)
  }
  return (
    <section class="page wide">
      <header class="page-head">
        <h1>{t().documents.title}</h1>
        <CollectionPicker collection={collection} />
      </header>
      {canWrite.value && <DropZone collection={collection} isSmall />}
      <UploadList />
      <Problem notice={problem.value} />
      {canWrite.value && <UndoDeletion changed={read} />}
      {all && all.length > 0 && (
        <>
          <Filters words={words} status={status} shown={listed.value.length} all={all.length} />
          <Selection selected={selected} documents={listed.value} read={read} />
          <div class="table">
            <Head order={order} selected={selected} documents={listed.value} />
            <WindowedList
              items={listed.value}
              rowHeight={ROW_HEIGHT}
              label={t().documents.title}
              row={document => (
                <DocumentRow
                  key={document.id}
                  document={document}
                  selected={selected}
                  changed={read}
                  failed={showProblem}
                />
              )}
            />
          </div>
          {listed.value.length === 0 && <p class="quiet">{t().documents.noneMatch}</p>}
        </>
      )}
      {all?.length === 0 && <p class="quiet empty">{t().documents.none}</p>}
      {!all && !problem.value && <p class="quiet working">{t().loading}</p>}
      <Deleted key={collection} collection={collection} changed={read} />
    </section>
  )
}

function Deleted({
  collection,
  changed,
}: {
  readonly collection: string
  readonly changed: () => void
}) {
  if (!canWrite.value) return null
  const isHere = (deletion: Deletion) =>
    deletion.kind === 'document' && deletion.name === collection
  return <RecentlyDeleted isShown={isHere} changed={changed} />
}

function useDocuments(collection: string) {
  const documents = useSignal<readonly DocumentJson[] | undefined>(undefined)
  const problem = useSignal<Notice | undefined>(undefined)
  const reloads = useSignal(0)
  const attempt = reconnections.value + indexingCount.value + reloads.value
  const isBusy = useComputed(
    () => documents.value?.some(({ status }) => status === 'in_progress') ?? false,
  )
  const read = () => {
    reloads.value++
  }
  useEffect(() => {
    documents.value = undefined
    void listStores().catch(() => {}) // said by the list itself
  }, [collection])
  const wait = useRef(REFRESH_MS)
  useEffect(() => {
    const controller = new AbortController()
    const started = performance.now()
    const shownCount = documents.value?.length ?? 0
    const show = (some: readonly DocumentJson[]) => {
      if (some.length >= shownCount) documents.value = some // a list that is read again does not shrink meanwhile
    }
    readDocuments(collection, show, controller.signal).then(
      loaded => {
        documents.value = loaded
        problem.value = undefined
        wait.current = Math.max(REFRESH_MS, REST * (performance.now() - started))
      },
      error => {
        if (controller.signal.aborted || error instanceof Unreachable) return
        if (error instanceof Refusal && error.status === 404) documents.value = []
        else problem.value = toNotice(error)
      },
    )
    return () => controller.abort()
  }, [collection, attempt])
  const busy = isBusy.value
  useEffect(() => {
    if (!busy) return
    const timer = setTimeout(read, wait.current)
    return () => clearTimeout(timer)
  }, [busy, documents.value])
  return { documents, problem, read }
}

function CollectionPicker({ collection }: { readonly collection: string }) {
  const names = (stores.value ?? []).map(store => store.name || store.id)
  if (names.length < 2 && (names[0] ?? collection) === collection) return null
  return (
    <label class="inline-field">
      <span>{t().documents.collection}</span>
      <select
        value={collection}
        onChange={event => openView('documents', { collection: event.currentTarget.value })}
      >
        {[...new Set([...names, collection])].map(name => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

type FilterProps = {
  readonly words: Signal<string>
  readonly status: Signal<Status>
  readonly shown: number
  readonly all: number
}

function Filters({ words, status, shown, all }: FilterProps) {
  return (
    <div class="filters">
      <input
        type="search"
        value={words.value}
        placeholder={t().documents.filter}
        aria-label={t().documents.filter}
        onInput={event => {
          words.value = event.currentTarget.value
        }}
      />
      <select
        value={status.value}
        aria-label={t().documents.status}
        onChange={event => {
          status.value = event.currentTarget.value as Status // of the options below
        }}
      >
        {STATUSES.map(status => (
          <option key={status} value={status}>
            {status === 'all' ? t().documents.all : t().documents.state[status]}
          </option>
        ))}
      </select>
      <span class="quiet" aria-live="polite">
        {shown === all ? t().documents.count(all) : t().documents.shown(shown, all)}
      </span>
    </div>
  )
}

type Selected = Signal<ReadonlySet<string>>

function Head({ order, selected, documents }: HeadProps) {
  const { by, isDown } = order.value
  const areAll = documents.length > 0 && documents.every(({ id }) => selected.value.has(id))
  const toggleAll = () => {
    selected.value = areAll ? new Set() : new Set(documents.map(({ id }) => id))
  }
  return (
    <div class="table-head">
      <span class="cell check">
        {canWrite.value && (
          <input
            type="checkbox"
            aria-label={t().documents.selectAll}
            checked={areAll}
            onChange={toggleAll}
          />
        )}
      </span>
      {COLUMNS.map(column => (
        <span key={column} class={`cell ${column}`}>
          <button
            type="button"
            class="sort"
            aria-pressed={column === by}
            aria-label={t().documents.sortBy(t().documents.columns[column])}
            onClick={() => {
              order.value = { by: column, isDown: column === by ? !isDown : column === 'added' }
            }}
          >
            {t().documents.columns[column]}
            <span aria-hidden="true">{column === by ? (isDown ? ' ↓' : ' ↑') : ''}</span>
          </button>
        </span>
      ))}
      <span class="cell actions" />
    </div>
  )
}

type HeadProps = {
  readonly order: Signal<Order>
  readonly selected: Selected
  readonly documents: readonly DocumentJson[]
}

function Selection({ selected, documents, read }: SelectionProps) {
  const isConfirming = useSignal(false)
  const chosen = documents.filter(({ id }) => selected.value.has(id))
  if (chosen.length === 0) return null
  const removeAll = async () => {
    await deleteDocuments(chosen).finally(read)
    selected.value = new Set()
  }
  return (
    <p class="selection">
      <button
        type="button"
        class="secondary"
        onClick={() => {
          isConfirming.value = true
        }}
      >
        <Icon name="remove" />
        {t().documents.removeMany(chosen.length)}
      </button>
      {isConfirming.value && (
        <ConfirmDialog
          text={t().documents.confirmMany(chosen.length)}
          action={removeAll}
          close={() => {
            isConfirming.value = false
          }}
        />
      )}
    </p>
  )
}

type SelectionProps = {
  readonly selected: Selected
  readonly documents: readonly DocumentJson[]
  readonly read: () => void
}
