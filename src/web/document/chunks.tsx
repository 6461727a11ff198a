import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ChunkJson, ChunkPageJson } from '../../wire/document.ts'
import { canWrite, fetchJson } from '../connection.ts'
import { type Notice, Problem, toNotice } from '../notice.tsx'
import { t } from '../preferences.ts'

/** Chunks per request, so that each is drawn at once. */
const CHUNKS = 50

type ChunkChange = { readonly isExcluded?: boolean; readonly note?: string }

export function DocumentChunks({
  id,
  changed,
}: {
  readonly id: string
  readonly changed: () => void
}) {
  const place = `/api/documents/${encodeURIComponent(id)}/chunks`
  const chunks = useSignal<readonly ChunkJson[]>([])
  const next = useSignal<number | undefined>(0)
  const problem = useSignal<Notice | undefined>(undefined)
  const runAction = async (action: () => Promise<void>) => {
    problem.value = undefined
    await action().catch(error => {
      problem.value = toNotice(error)
    })
  }
  const readMore = async () => {
    const query = `?after=${next.value}&limit=${CHUNKS}`
    const page = await fetchJson<ChunkPageJson>(`${place}${query}`)
    chunks.value = [...chunks.value, ...page.chunks]
    next.value = page.hasMore ? page.last : undefined
  }
  const update = async (chunkId: string, body: ChunkChange) => {
    const path = `${place}/${encodeURIComponent(chunkId)}`
    const edited = await fetchJson<ChunkJson>(path, { method: 'PATCH', body })
    chunks.value = chunks.value.map(chunk => (chunk.id === edited.id ? edited : chunk))
    changed()
  }
  useEffect(() => void runAction(readMore), [])
  return (
    <div class="tables">
      <Problem notice={problem.value} />
      {chunks.value.map(chunk => (
        <ChunkView
          key={chunk.id}
          chunk={chunk}
          update={change => void runAction(async () => await update(chunk.id, change))}
        />
      ))}
      {next.value !== undefined && (
        <button type="button" class="quiet-button" onClick={() => void runAction(readMore)}>
          {t().more}
        </button>
      )}
    </div>
  )
}

type ChunkViewProps = {
  readonly chunk: ChunkJson
  readonly update: (change: ChunkChange) => void
}

function ChunkView({ chunk, update }: ChunkViewProps) {
  const { context, text, isExcluded = false, note = '' } = chunk
  const written = useSignal(note)
  return (
    <section class="chunk">
      <p class="quiet" dir="auto">
        {context.replaceAll('\n', ' › ')}
      </p>
      <p dir="auto" class={isExcluded ? 'quiet' : ''}>
        {text}
      </p>
      {!canWrite.value && note && (
        <p class="note">
          {t().document.note}: {note}
        </p>
      )}
      {canWrite.value && (
        <form
          class="actions"
          onSubmit={event => {
            event.preventDefault()
            update({ note: written.value })
          }}
        >
          <button
            type="button"
            class="quiet-button"
            aria-pressed={isExcluded}
            onClick={() => update({ isExcluded: !isExcluded })}
          >
            {t().document.switchedOff}
          </button>
          <input
            type="text"
            maxLength={1_000}
            aria-label={t().document.note}
            placeholder={t().document.note}
            value={written.value}
            onInput={event => {
              written.value = event.currentTarget.value
            }}
          />
          {written.value !== note && (
            <button type="submit" class="quiet-button">
              {t().save}
            </button>
          )}
        </form>
      )}
    </section>
  )
}
