import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { BatchJson, BatchPageJson } from '../wire/batch.ts'
import type { JobJson, JobListJson } from '../wire/job.ts'
import { canWrite, fetchJson, Unreachable } from './connection.ts'
import { downloadFile } from './documents/stored-document.ts'
import { Icon } from './icons.tsx'
import { MetricPlots } from './metric-plots.tsx'
import { type Notice, NoticeText, Problem, toNotice } from './notice.tsx'
import { formatTime, t } from './preferences.ts'
import { linkTo } from './route.ts'
import { SourceList } from './sources.tsx'

/** Refresh interval; protects the service from more than one request per second and tab. */
const REFRESH_MS = 1_500
/** Jobs shown, so that one refresh stays small. */
const MAX_JOBS = 200
const MAX_BATCHES = 20

export function Activity() {
  const found = useSignal<JobListJson | undefined>(undefined)
  const batches = useSignal<BatchPageJson | undefined>(undefined)
  const problem = useSignal<Notice | undefined>(undefined)
  const loadJobs = async () => {
    try {
      found.value = await fetchJson<JobListJson>(`/api/jobs?limit=${MAX_JOBS}`)
      batches.value = await fetchJson<BatchPageJson>(`/v1/batches?limit=${MAX_BATCHES}`)
      problem.value = undefined
    } catch (error) {
      if (!(error instanceof Unreachable)) problem.value = toNotice(error)
    }
  }
  useEffect(() => {
    void loadJobs()
    const timer = setInterval(loadJobs, REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  const jobs = found.value
  return (
    <section class="page">
      <header class="page-head">
        <h1>{t().activity.title}</h1>
        {jobs && <span class="badge completed">{t().activity.health}</span>}
      </header>
      <Problem notice={problem.value} />
      {!jobs && !problem.value && <p class="quiet working">{t().loading}</p>}
      <MetricPlots />
      <SourceList />
      {jobs && jobs.unattended > 0 && (
        <p class="note">{t().activity.unattended(jobs.unattended)}</p>
      )}
      {jobs?.jobs.length === 0 && !batches.value?.data.length && (
        <p class="quiet empty">{t().activity.none}</p>
      )}
      {jobs && jobs.jobs.length > 0 && <p class="quiet">{t().activity.total(jobs.total)}</p>}
      <ul class="jobs">
        {batches.value?.data.map(batch => (
          <BatchRow key={batch.id} batch={batch} refresh={loadJobs} />
        ))}
        {jobs?.jobs.map(job => (
          <JobRow key={job.id} job={job} refresh={loadJobs} />
        ))}
      </ul>
    </section>
  )
}

const BATCH_STATES = {
  validating: 'queued',
  in_progress: 'running',
  finalizing: 'running',
  cancelling: 'running',
  completed: 'completed',
  failed: 'failed',
  expired: 'failed',
  cancelled: 'cancelled',
} as const

function BatchRow({
  batch,
  refresh,
}: {
  readonly batch: BatchJson
  readonly refresh: () => Promise<void>
}) {
  const { id, status, endpoint, errors, request_counts, created_at } = batch
  const { output_file_id, error_file_id } = batch
  const state = BATCH_STATES[status]
  const name = t().activity.batch(endpoint)
  const { completed, failed, total } = request_counts
  const cancel = async () => {
    const path = `/v1/batches/${encodeURIComponent(id)}/cancel`
    await fetchJson(path, { method: 'POST', body: {} }).catch(() => {}) // ended meanwhile
    await refresh()
  }
  return (
    <li class="job">
      <p class="job-head">
        <span class={`badge ${state}`}>{t().activity.states[state]}</span>
        <span title={id}>{name}</span>
        {canWrite.value && (status === 'validating' || status === 'in_progress') && (
          <CloseButton label={`${t().cancel}: ${name}`} onClick={cancel} />
        )}
      </p>
      {total > 0 && (
        <p class="job-progress">
          <progress aria-label={name} max={total} value={completed + failed} />
          <span class="quiet">{t().documents.progress(completed + failed, total)}</span>
        </p>
      )}
      {errors?.data[0] && <p class="problem">{errors.data[0].message}</p>}
      {(output_file_id ?? error_file_id) && (
        <p>
          {output_file_id && <FileDownload id={output_file_id} label={t().activity.results} />}
          {error_file_id && <FileDownload id={error_file_id} label={t().activity.failures} />}
        </p>
      )}
      <p class="quiet">{formatTime(new Date(created_at * 1000).toISOString())}</p>
    </li>
  )
}

function FileDownload({ id, label }: { readonly id: string; readonly label: string }) {
  const problem = useSignal<Notice | undefined>(undefined)
  const save = async () => {
    problem.value = await downloadFile(id).then(() => undefined, toNotice)
  }
  return (
    <>
      <button type="button" class="quiet-button" onClick={() => void save()}>
        <Icon name="download" />
        <span>{label}</span>
      </button>
      {problem.value && <NoticeText notice={problem.value} />}
    </>
  )
}

function CloseButton({
  label,
  onClick,
}: {
  readonly label: string
  readonly onClick: () => Promise<void>
}) {
  return (
    <button type="button" class="plain" aria-label={label} onClick={() => void onClick()}>
      <Icon name="close" />
    </button>
  )
}

function JobRow({
  job,
  refresh,
}: {
  readonly job: JobJson
  readonly refresh: () => Promise<void>
}) {
  const { id, documentId, source, state, error, startedAt } = job
  const name = documentId ? source.slice(source.lastIndexOf('/') + 1) || source : source
  const isOpen = state === 'queued' || state === 'running'
  const isBroken = state === 'failed' || state === 'cancelled'
  const changeState = async (verb: 'cancel' | 'retry') => {
    await fetchJson(`/api/jobs/${encodeURIComponent(id)}/${verb}`, {
      method: 'POST',
      body: {},
    }).catch(() => {}) // ended meanwhile
    await refresh()
  }
  return (
    <li class="job">
      <p class="job-head">
        <span class={`badge ${state}`}>{t().activity.states[state]}</span>
        {documentId ? (
          <a href={linkTo('documents', documentId)} dir="auto" title={source}>
            {name}
          </a>
        ) : (
          <span dir="auto">{name}</span>
        )}
        {canWrite.value && isOpen && (
          <CloseButton
            label={`${t().cancel}: ${name}`}
            onClick={async () => await changeState('cancel')}
          />
        )}
        {canWrite.value && isBroken && (
          <button
            type="button"
            class="plain"
            aria-label={`${t().tryAgain}: ${name}`}
            onClick={() => void changeState('retry')}
          >
            <Icon name="again" />
          </button>
        )}
      </p>
      {state === 'running' && <JobProgress job={job} name={name} />}
      {error && (
        <p class="problem">
          <NoticeText notice={error} />
        </p>
      )}
      {!isOpen && startedAt !== undefined && <p class="quiet">{formatTime(startedAt)}</p>}
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
        {secondsLeft === undefined ? '' : ` · ${t().activity.remaining(secondsLeft)}`}
      </span>
    </p>
  )
}
