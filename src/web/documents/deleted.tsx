import { signal, useSignal } from '@preact/signals'
import type { DeletionListJson } from '../../wire/deletion.ts'
import type { DocumentJson } from '../../wire/document.ts'
import { fetchJson } from '../connection.ts'
import { type Notice, Problem, toNotice } from '../notice.tsx'
import { formatTime, t } from '../preferences.ts'
import { deleteDocument } from './stored-document.ts'

export type Deletion = DeletionListJson['deletions'][number]

/** Documents of the last deletion, as long as it can be undone with one click. */
const lastDeleted = signal<readonly DocumentJson[]>([])

export async function deleteDocuments(documents: readonly DocumentJson[]): Promise<void> {
  lastDeleted.value = []
  for (const document of documents) {
    await deleteDocument(document)
    lastDeleted.value = [...lastDeleted.value, document]
  }
}

async function restore(id: string): Promise<void> {
  await fetchJson(`/api/deletions/${encodeURIComponent(id)}/restore`, { method: 'POST', body: {} })
}

type ChangeProps = { readonly changed: () => unknown }

export function UndoDeletion({ changed }: ChangeProps) {
  const problem = useSignal<Notice | undefined>(undefined)
  const undo = async () => {
    try {
      for (const { id } of lastDeleted.value) await restore(id)
      lastDeleted.value = []
    } catch (error) {
      problem.value = toNotice(error)
    }
    changed()
  }
  return (
    <>
      <p class="selection" role="status">
        {lastDeleted.value.length > 0 && (
          <>
            {t().deleted.done(lastDeleted.value.length)}{' '}
            <button type="button" class="secondary" onClick={undo}>
              {t().deleted.undo}
            </button>
          </>
        )}
      </p>
      <Problem notice={problem.value} />
    </>
  )
}

type DeletedProps = ChangeProps & {
  readonly isShown: (deletion: Deletion) => boolean
}

export function RecentlyDeleted({ isShown, changed }: DeletedProps) {
  const deletions = useSignal<readonly Deletion[] | undefined>(undefined)
  const problem = useSignal<Notice | undefined>(undefined)
  const load = async () => {
    try {
      const all = await fetchJson<DeletionListJson>('/api/deletions')
      deletions.value = all.deletions.filter(isShown)
      problem.value = undefined
    } catch (error) {
      problem.value = toNotice(error)
    }
  }
  const restoreOne = async (id: string) => {
    await restore(id).catch(error => {
      problem.value = toNotice(error)
    })
    if (problem.value) return
    await load()
    changed()
  }
  return (
    <details class="deleted" onToggle={event => event.currentTarget.open && void load()}>
      <summary>{t().deleted.title}</summary>
      <Problem notice={problem.value} />
      {deletions.value?.length === 0 && <p class="quiet">{t().deleted.none}</p>}
      <ul>
        {deletions.value?.map(deletion => (
          <li key={deletion.id}>
            <span class="clip" dir="auto" title={deletion.source}>
              {getName(deletion)}
            </span>
            <span class="quiet">{t().deleted.until(formatTime(deletion.expiresAt))}</span>
            <button
              type="button"
              class="secondary"
              aria-label={`${t().deleted.restore}: ${getName(deletion)}`}
              onClick={() => restoreOne(deletion.id)}
            >
              {t().deleted.restore}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

function getName({ source, name }: Deletion): string {
  return source?.replace(/^.*\/(?=.)|^[a-z]+:/, '') ?? name
}
