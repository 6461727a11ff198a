import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { SourceJson, SourceListJson } from '../wire/source.ts'
import { fetchJson } from './connection.ts'
import { useLoaded } from './loaded.ts'
import { NoticeText } from './notice.tsx'
import { formatTime, t } from './preferences.ts'

/** Short, so that the end of a run is seen within seconds. */
const REFRESH_MS = 5_000

export function SourceList() {
  const tick = useSignal(0)
  const loaded = useLoaded(
    signal => fetchJson<SourceListJson>('/api/sources?limit=1000', { signal }),
    [tick.value],
  )
  const { sources = [] } = loaded.value.value ?? {}
  const hasSources = sources.length > 0
  useEffect(() => {
    if (!hasSources) return
    const timer = setInterval(() => tick.value++, REFRESH_MS)
    return () => clearInterval(timer)
  }, [hasSources])
  if (!hasSources) return null
  const run = async ({ name }: SourceJson) => {
    const place = `/api/sources/${encodeURIComponent(name)}/run`
    await fetchJson(place, { method: 'POST', body: {} }).catch(() => {}) // the next refresh shows it
    tick.value++
  }
  return (
    <section>
      <h2>{t().sources.title}</h2>
      <ul class="jobs">
        {sources.map(source => (
          <SourceRow key={source.id} source={source} run={() => void run(source)} />
        ))}
      </ul>
    </section>
  )
}

type RowProps = { readonly source: SourceJson; readonly run: () => void }

function SourceRow({ source, run }: RowProps) {
  const { name, type, collection, state, done, failures, error } = source
  const { finishedAt, nextAt, totals } = source
  const isOpen = state === 'queued' || state === 'running'
  const facts = [
    `${type} → ${collection}`,
    ...(state === 'running' ? [t().sources.compared(done)] : []),
    ...(finishedAt === undefined ? [] : [t().sources.last(formatTime(finishedAt))]),
    ...(nextAt === undefined ? [] : [t().sources.next(formatTime(nextAt))]),
    ...(totals?.failed ? [t().sources.failed(totals.failed)] : []),
  ]
  return (
    <li class="job">
      <p class="job-head">
        <span class={`badge ${state}`}>
          {state === 'new' ? t().sources.new : t().activity.states[state]}
        </span>
        <span dir="auto">{name}</span>
        {!isOpen && (
          <button
            type="button"
            class="secondary"
            aria-label={`${t().sources.run}: ${name}`}
            onClick={run}
          >
            {t().sources.run}
          </button>
        )}
      </p>
      <p class="quiet" dir="auto">
        {facts.join(' · ')}
      </p>
      {error && (
        <p class="problem">
          <NoticeText notice={error} />
        </p>
      )}
      {failures.length > 0 && (
        <details>
          <summary>{t().sources.failures}</summary>
          <ul>
            {failures.map(failure => (
              <li key={failure.source} dir="auto">
                {failure.source}: <NoticeText notice={failure.error} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}
