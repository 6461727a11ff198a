import { useSignal } from '@preact/signals'
import type { TargetedEvent } from 'preact'
import type { DocumentJson } from '../../wire/document.ts'
import { Dialog } from '../confirm-dialog.tsx'
import { fetchJson } from '../connection.ts'
import { type Notice, Problem, toNotice } from '../notice.tsx'
import { t } from '../preferences.ts'
import { listStores } from './stores.ts'
import { indexingCount } from './uploads.ts'

export function AddPageDialog({
  collection,
  close,
}: {
  readonly collection: string
  readonly close: () => void
}) {
  const problem = useSignal<Notice | undefined>(undefined)
  const isBusy = useSignal(false)
  const add = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const url = String(new FormData(event.currentTarget).get('url')).trim()
    isBusy.value = true
    problem.value = undefined
    try {
      await fetchJson<DocumentJson>('/api/documents', {
        method: 'POST',
        body: { url, collection },
      })
      await listStores()
      indexingCount.value++
      close()
    } catch (error) {
      problem.value = toNotice(error)
      isBusy.value = false
    }
  }
  return (
    <Dialog label={t().documents.addPage} close={close}>
      <form class="stack" onSubmit={add}>
        <h2>{t().documents.addPage}</h2>
        <label class="field">
          <span>{t().documents.address}</span>
          <input name="url" type="url" maxLength={2000} placeholder="https://" dir="ltr" required />
        </label>
        <p class="quiet small">{t().documents.addressHint}</p>
        <Problem notice={problem.value} />
        <p class="dialog-buttons">
          <button type="button" class="secondary" onClick={close}>
            {t().cancel}
          </button>
          <button type="submit" class="primary" disabled={isBusy.value}>
            {isBusy.value ? t().loading : t().documents.addPage}
          </button>
        </p>
      </form>
    </Dialog>
  )
}
