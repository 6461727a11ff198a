import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { JobJson } from '../wire/job.ts'
import { json, Unreachable } from './connection.ts'
import { Icon } from './icons.tsx'
import { MetricPlots } from './metric-plots.tsx'
import { t, timeText } from './preferences.ts'
import { href } from './route.ts'
import { Problem, type Told, ToldText, toldOf } from './told.tsx'

type Jobs = {
  readonly jobs: readonly JobJson[]
  readonly total: number
  readonly unattended: number
}

const LOOK_MS = 1_500
const SHOWN = 200

/** What is indexed now, what waits, and what failed. */
export function Activity() {
  const found = useSignal<Jobs | undefined>(undefined)
  const problem = useSignal<Told | undefined>(undefined)
  const look = async () => {
    try {
      found.value = await json<Jobs>(`/api/jobs?limit=${SHOWN}`)
      problem.value = undefined
    } catch (error) {
      if (!(error instanceof Unreachable)) problem.value = toldOf(error)
    }
  }
  useEffect(() => {
    void look()
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  const jobs = found.value
  return (
    <section class="page">
      <header class="page-head">
        <h1>{t().activity.title}</h1>
        {jobs && <span class="badge completed">{t().activity.health}</span>}
      </header>
      <Problem told={problem.value} />
      {!jobs && !problem.value && <p class="quiet working">{t().loading}</p>}
      <MetricPlots />
      {jobs && jobs.unattended > 0 && (
        <p class="note">{t().activity.unattended(jobs.unattended)}</p>
      )}
      {jobs?.jobs.length === 0 && <p class="quiet empty">{t().activity.none}</p>}
      {jobs && jobs.jobs.length > 0 && <p class="quiet">{t().activity.total(jobs.total)}</p>}
      <ul class="jobs">
        {jobs?.jobs.map(job => (
          <JobRow key={job.id} job={job} look={look} />
        ))}
      </ul>
    </section>
  )
}

function JobRow({ job, look }: { readonly job: JobJson; readonly look: () => Promise<void> }) {
  const { id, documentId, source, state, error, startedAt } = job
  const name = documentId ? source.slice(source.lastIndexOf('/') + 1) || source : source
  const isOpen = state === 'queued' || state === 'running'
  const isBroken = state === 'failed' || state === 'cancelled'
  const change = async (verb: 'cancel' | 'retry') => {
    await json(`/api/jobs/${encodeURIComponent(id)}/${verb}`, { method: 'POST', body: {} }).catch(
      () => {},
    ) // ended meanwhile
    await look()
  }
  return (
    <li class="job">
      <p class="job-head">
        <span class={`badge ${state}`}>{t().activity.states[state]}</span>
        {documentId ? (
          <a href={href('documents', documentId)} dir="auto" title={source}>
            {name}
          </a>
        ) : (
          <span dir="auto">{name}</span>
        )}
        {isOpen && (
          <button
            type="button"
            class="plain"
            aria-label={`${t().cancel}: ${name}`}
            onClick={() => void change('cancel')}
          >
            <Icon name="close" />
          </button>
        )}
        {isBroken && (
          <button
            type="button"
            class="plain"
            aria-label={`${t().tryAgain}: ${name}`}
            onClick={() => void change('retry')}
          >
            <Icon name="again" />
          </button>
        )}
      </p>
      {state === 'running' && <JobProgress job={job} name={name} />}
      {error && (
        <p class="problem">
          <ToldText told={error} />
        </p>
      )}
      {!isOpen && startedAt !== undefined && <p class="quiet">{timeText(startedAt)}</p>}
    </li>
  )
}

function JobProgress({ job, name }: { readonly job: JobJson; readonly name: string }) {
  const { stage, done, total, secondsLeft } = job
  if (!stage) return null
  return (
    <p class="job-progress">
      <progress aria-label={name} max={total ?? 1} value={total === undefined ? undefined : done} />
      <span class="quiet">
        {t().documents.stage[stage]}{' '}
        {total === undefined ? '' : t().documents.progress(done, total)}
        {secondsLeft === undefined ? '' : ` · ${t().activity.left(secondsLeft)}`}
      </span>
    </p>
  )
}
