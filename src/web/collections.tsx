import { type Signal, useSignal } from '@preact/signals'
import type { TargetedEvent } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ReEmbeddingJson } from '../wire/job.ts'
import type { VectorStoreJson } from '../wire/vector-store.ts'
import { ConfirmDialog, Dialog } from './confirm-dialog.tsx'
import { canWrite, fetchJson, reconnections } from './connection.ts'
import { RecentlyDeleted } from './documents/deleted.tsx'
import { listStores, stores } from './documents/stores.ts'
import { Icon } from './icons.tsx'
import { type Notice, NoticeText, Problem, toNotice } from './notice.tsx'
import { formatBytes, t } from './preferences.ts'
import { linkTo } from './route.ts'

export function Collections() {
  const problem = useSignal<Notice | undefined>(undefined)
  const isMaking = useSignal(false)
  const attempt = reconnections.value
  useEffect(() => {
    listStores().catch(error => {
      problem.value = toNotice(error)
    })
  }, [attempt])
  const all = stores.value
  return (
    <section class="page">
      <header class="page-head">
        <div>
          <h1>{t().collections.title}</h1>
          <p class="quiet">{t().collections.intro}</p>
        </div>
        {canWrite.value && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              isMaking.value = true
            }}
          >
            <Icon name="plus" />
            {t().collections.create}
          </button>
        )}
      </header>
      <Problem notice={problem.value} />
      {!all && !problem.value && <p class="quiet working">{t().loading}</p>}
      {all?.length === 0 && <p class="quiet empty">{t().collections.none}</p>}
      <ul class="cards">
        {all?.map(store => (
          <CollectionCard key={store.id} store={store} />
        ))}
      </ul>
      {canWrite.value && (
        <RecentlyDeleted isShown={({ kind }) => kind === 'collection'} changed={listStores} />
      )}
      {isMaking.value && (
        <CreateDialog
          close={() => {
            isMaking.value = false
          }}
        />
      )}
    </section>
  )
}

type OpenDialog = Signal<'delete' | 're-embed' | undefined>

function CardActions({ dialog }: { readonly dialog: OpenDialog }) {
  return (
    <p class="card-actions">
      <button
        type="button"
        class="quiet-button"
        onClick={() => {
          dialog.value = 're-embed'
        }}
      >
        <Icon name="again" />
        <span>{t().collections.reEmbed}</span>
      </button>
      <button
        type="button"
        class="quiet-button"
        onClick={() => {
          dialog.value = 'delete'
        }}
      >
        <Icon name="remove" />
        <span>{t().remove}</span>
      </button>
    </p>
  )
}

function CollectionCard({ store }: { readonly store: VectorStoreJson }) {
  const dialog = useSignal<'delete' | 're-embed' | undefined>(undefined)
  const { file_counts: counts, usage_bytes: bytes } = store
  const name = store.name || store.id
  const close = () => {
    dialog.value = undefined
  }
  const remove = async () => {
    await fetchJson(`/v1/vector_stores/${encodeURIComponent(store.id)}`, { method: 'DELETE' })
    await listStores()
  }
  return (
    <li class="card">
      <h2 dir="auto">
        <a href={linkTo('documents', { collection: name })} title={t().collections.open}>
          {name}
        </a>
      </h2>
      <p class="quiet">
        {t().documents.count(counts.total)} · {formatBytes(bytes)}
      </p>
      <States counts={counts} />
      {canWrite.value && <CardActions dialog={dialog} />}
      {dialog.value === 'delete' && (
        <ConfirmDialog
          text={t().collections.remove(name)}
          detail={t().collections.removeHint}
          name={name}
          action={remove}
          close={close}
        />
      )}
      {dialog.value === 're-embed' && <ReEmbedDialog store={store} close={close} />}
    </li>
  )
}

function States({ counts }: { readonly counts: VectorStoreJson['file_counts'] }) {
  return (
    <p class="card-states">
      {counts.in_progress > 0 && (
        <span class="badge in_progress">{t().collections.indexing(counts.in_progress)}</span>
      )}
      {counts.failed > 0 && (
        <span class="badge failed">{t().collections.failed(counts.failed)}</span>
      )}
    </p>
  )
}

function CreateDialog({ close }: { readonly close: () => void }) {
  const problem = useSignal<Notice | undefined>(undefined)
  const create = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [tokens, overlap] = ['tokens', 'overlap'].map(name => Number(form.get(name)))
    const chunking = {
      type: 'static',
      static: { max_chunk_size_tokens: tokens, chunk_overlap_tokens: overlap },
    }
    const body = {
      name: String(form.get('name')).trim(),
      ...(tokens && { chunking_strategy: chunking }),
    }
    try {
      await fetchJson('/v1/vector_stores', { method: 'POST', body })
      await listStores()
      close()
    } catch (error) {
      problem.value = toNotice(error)
    }
  }
  return (
    <Dialog label={t().collections.create} close={close}>
      <form class="stack" onSubmit={create}>
        <h2>{t().collections.create}</h2>
        <label class="field">
          <span>{t().collections.name}</span>
          <input name="name" maxLength={256} required />
        </label>
        <div class="field-pair">
          <label class="field">
            <span>{t().collections.chunkTokens}</span>
            <input name="tokens" type="number" min={100} max={4096} placeholder="500" />
          </label>
          <label class="field">
            <span>{t().collections.overlap}</span>
            <input name="overlap" type="number" min={0} max={2048} placeholder="0" />
          </label>
        </div>
        <Problem notice={problem.value} />
        <DialogButtons close={close} verb={t().save} />
      </form>
    </Dialog>
  )
}

function ReEmbedDialog({
  store,
  close,
}: {
  readonly store: VectorStoreJson
  readonly close: () => void
}) {
  const notice = useSignal<Notice | undefined>(undefined)
  const start = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const embedder = String(new FormData(event.currentTarget).get('model')).trim()
    const place = `/api/collections/${encodeURIComponent(store.id)}/re-embed`
    try {
      const { job } = await fetchJson<ReEmbeddingJson>(place, {
        method: 'POST',
        body: { embedder },
      })
      notice.value = { message: job ? t().collections.started : t().collections.unchanged }
    } catch (error) {
      notice.value = toNotice(error)
    }
  }
  return (
    <Dialog label={t().collections.reEmbed} close={close}>
      <form class="stack" onSubmit={start}>
        <h2>{t().collections.reEmbed}</h2>
        <p class="quiet">{t().collections.reEmbedHint}</p>
        <label class="field">
          <span>{t().collections.model}</span>
          <input name="model" required />
        </label>
        <p role="status">{notice.value && <NoticeText notice={notice.value} />}</p>
        <DialogButtons close={close} verb={t().collections.reEmbed} />
      </form>
    </Dialog>
  )
}

function DialogButtons({ close, verb }: { readonly close: () => void; readonly verb: string }) {
  return (
    <p class="dialog-buttons">
      <button type="button" class="secondary" onClick={close}>
        {t().cancel}
      </button>
      <button type="submit" class="primary">
        {verb}
      </button>
    </p>
  )
}
