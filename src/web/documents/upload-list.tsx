import type { Signal } from '@preact/signals'
import { Icon } from '../icons.tsx'
import { NoticeText } from '../notice.tsx'
import { formatBytes, t } from '../preferences.ts'
import { clearFinished, type Upload, uploads } from './uploads.ts'

export function UploadList() {
  const all = uploads.value
  if (all.length === 0) return null
  const done = all.filter(({ value }) => value.state === 'done' || value.state === 'failed').length
  return (
    <section class="uploads" aria-label={t().documents.uploads}>
      <header>
        <h2>{t().documents.uploads}</h2>
        <span class="quiet">{t().documents.progress(done, all.length)}</span>
        {done > 0 && (
          <button type="button" class="quiet-button" onClick={clearFinished}>
            {t().documents.clear}
          </button>
        )}
      </header>
      {all.length > 1 && (
        <progress
          aria-label={t().documents.total}
          max={all.length}
          value={all.reduce((sum, { value }) => sum + computeShare(value), 0)}
        />
      )}
      <ul>
        {all.map((upload, index) => (
          <UploadRow key={index} upload={upload} />
        ))}
      </ul>
    </section>
  )
}

function UploadRow({ upload }: { readonly upload: Signal<Upload> }) {
  const { name, state, problem, bytes } = upload.value
  const share = computeProgress(upload.value)
  return (
    <li class={`upload ${state}`}>
      <span class="upload-name" dir="auto" title={name}>
        {name}
      </span>
      <span class="quiet">{stateText(upload.value)}</span>
      {problem ? (
        <p class="problem">
          <Icon name="warning" /> <NoticeText notice={problem} />
        </p>
      ) : (
        state !== 'done' && (
          <progress aria-label={name} max={1} {...(share !== undefined && { value: share })}>
            {formatBytes(bytes)}
          </progress>
        )
      )}
    </li>
  )
}

/**
 * Returns the share of sent bytes, then of pages or vectors, from 0 to 1. Undefined if the
 * total is missing.
 */
function computeProgress({ state, sent, bytes, done, total }: Upload): number | undefined {
  if (state === 'waiting') return 0
  if (state === 'sending') return bytes > 0 ? sent / bytes : undefined
  return total ? Math.min(1, (done ?? 0) / total) : undefined
}

function computeShare(upload: Upload): number {
  const { state } = upload
  if (state === 'done' || state === 'failed') return 1
  const share = (computeProgress(upload) ?? 0) / 2
  return state === 'indexing' ? 0.5 + share : share
}

function stateText({ state, sent, bytes, stage, done, total }: Upload): string {
  const words = t().documents
  if (state === 'sending') return `${words.sending} ${formatBytes(sent)} / ${formatBytes(bytes)}`
  if (state === 'waiting') return words.waiting
  if (state === 'done') return words.state.completed
  if (state === 'failed') return words.state.failed
  if (!stage) return words.state.in_progress
  return total ? `${words.stage[stage]} ${words.progress(done ?? 0, total)}` : words.stage[stage]
}
