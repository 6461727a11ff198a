import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Keys } from '../app/tenants/keys.ts'
import type { openTenants } from '../app/tenants/tenants.ts'
import type { Job, JobCount } from '../ingest/store/catalog/jobs.ts'
import { runTogether } from '../system/unless-aborted.ts'
import type { JobJson, JobListJson } from '../wire/job.ts'
import { writeTimes } from '../wire/schema.ts'
import {
  type AddCommand,
  formatExample,
  getAllOptions,
  parsePositiveInteger,
  refuseArguments,
} from './command.ts'
import { type GlobalOptions, joinLines, Output, padToWidth } from './output.ts'
import { getUserSentences } from './sentences/sentences.ts'
import { createInterruption, describeError, logLine, openOptions, withExisting } from './session.ts'

const STATE_WIDTH = 9

/** Short, so that batches continue soon after the database is back. */
const KEYS_RETRY_MS = 5_000

type OpenTenants = Pick<Awaited<ReturnType<typeof openTenants>>, 'settings' | 'stores'>

type ListOptions = { readonly collection?: string; readonly limit: number }

export const addJobs: AddCommand = program => {
  const jobs = program
    .command('jobs')
    .description('list jobs, cancel or retry one')
    .option('-c, --collection <name>', 'only jobs of this collection')
    .option(
      '-n, --limit <number>',
      'maximum number of jobs, newest first',
      parsePositiveInteger,
      50,
    )
    .addHelpText('after', formatExample('passim jobs', 'passim jobs cancel job_5f0c…_1'))
    .allowExcessArguments()
    .action(async (_options, command: Command) => {
      refuseArguments(command)
      await list(getAllOptions<ListOptions>(command))
    })
  jobs
    .command('cancel')
    .description('cancel a job; the version published before stays')
    .argument('<id>')
    .addHelpText('after', formatExample('passim jobs cancel job_5f0c…_1'))
    .action(async (id: string, _options, command: Command) => cancel(id, getAllOptions(command)))
  jobs
    .command('retry')
    .description('retry a failed or cancelled job')
    .argument('<id>')
    .addHelpText('after', formatExample('passim jobs retry job_5f0c…_1'))
    .action(async (id: string, _options, command: Command) => retry(id, getAllOptions(command)))
}

async function list(options: ListOptions & GlobalOptions): Promise<void> {
  await withExisting(options, async passim => {
    const collection =
      options.collection === undefined
        ? undefined
        : await passim.scope.findCollection(options.collection)
    const jobs = await passim.jobs.list(collection?.id, options.limit)
    const count = await passim.jobs.count(collection?.id)
    const output = new Output(options)
    output.writeResult<JobListJson>(
      { jobs: jobs.map(writeTimes), hasMore: count.total > jobs.length, ...count },
      () => jobs.map(formatLine).join('\n') || getUserSentences().none.jobs,
    )
    reportOthers(jobs.length, count, output)
  })
}

function reportOthers(listed: number, { total, unattended }: JobCount, output: Output): void {
  if (total > listed) output.writeMessage(output.sentences.work.jobs.shown(listed, total))
  if (unattended > 0) output.writeMessage(output.sentences.work.jobs.unattended(unattended))
}

function formatLine({ id, state, stage, done, total, secondsLeft, source, error }: Job): string {
  const { describe, index, work } = getUserSentences()
  const progress = state === 'running' && stage ? ` ${work.stage(stage, done, total)}` : ''
  const remainingTime =
    secondsLeft === undefined ? '' : index.comma + work.jobs.remaining(secondsLeft)
  const place = padToWidth(work.jobs.state(state) + progress + remainingTime, STATE_WIDTH)
  return joinLines(`${place}  ${id}  ${source}${error ? `  ${describe(error)}` : ''}`)
}

async function cancel(id: string, options: GlobalOptions): Promise<void> {
  await withExisting(options, async passim => {
    const job = await passim.jobs.cancel(id)
    new Output(options).writeDone<JobJson>(writeTimes(job), () =>
      getUserSentences().work.jobs.cancelled(job.source),
    )
  })
}

/** Runs the job here, unless a service is faster. */
async function retry(id: string, options: GlobalOptions): Promise<void> {
  await withExisting(options, async (passim, signal) => {
    const job = await passim.retryJob(id, signal)
    new Output(options).writeDone<JobJson>(writeTimes(job), () => formatLine(job))
    if (job.state === 'failed') process.exitCode = 1
  })
}

export const addWork: AddCommand = program => {
  program
    .command('work')
    .description('index queued documents and answer batches for services, until stopped')
    .addHelpText('after', formatExample('passim serve --no-ingest', 'passim work'))
    .action(async (_options, command: Command) => runWork(getAllOptions(command)))
}

async function runWork(options: GlobalOptions): Promise<void> {
  const { openTenants } = await import('../app/tenants/tenants.ts')
  const signal = createInterruption()
  const writeLog = options.quiet ? () => {} : logLine
  const onError = (message: string, error: unknown) =>
    writeLog({ level: 'error', message, error: describeError(error) })
  const tenants = await openTenants({
    ...openOptions(options),
    settings: { server: { ingest: true } },
    onError,
  })
  let closeKeys = async () => {}
  try {
    const output = new Output(options)
    output.writeMessage(output.sentences.work.jobs.working)
    const answerBatches = async (stop: AbortSignal) => {
      closeKeys = await answerQueuedBatches(tenants, onError, stop)
    }
    await runTogether([stop => tenants.runWork(stop), answerBatches], signal)
  } finally {
    await tenants.close()
    await closeKeys()
  }
}

/** Returns a function that closes the keys; call it once the stores are closed. */
async function answerQueuedBatches(
  { settings, stores }: OpenTenants,
  onError: (message: string, error?: unknown) => void,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  const { AuditLog } = await import('../app/audit/audit-log.ts')
  const { answerBatches } = await import('../server.ts')
  const keys = await openKeys({ settings, stores }, onError, signal)
  if (!keys) return async () => {}
  const { audit } = settings.server
  const auditLog = audit && new AuditLog(settings.home, audit, onError)
  const close = async () => {
    await auditLog?.close()
    await keys.close()
  }
  const options = { settings: settings.server, keys, log: onError, auditLog }
  await answerBatches(stores, options, signal).catch(async error => {
    await close()
    throw error
  })
  return close
}

/** Retries while the database is down. Opens the store first, which refuses an unmounted disk. */
async function openKeys(
  { settings, stores }: OpenTenants,
  onError: (message: string, error: unknown) => void,
  signal: AbortSignal,
): Promise<Keys | undefined> {
  const { DEFAULT_TENANT, Keys } = await import('../app/tenants/keys.ts')
  while (!signal.aborted) {
    try {
      ;(await stores.acquire(DEFAULT_TENANT)).release()
      return await Keys.open(settings)
    } catch (error) {
      onError('Batches cannot be answered yet. The next attempt follows in seconds.', error)
    }
    await sleep(KEYS_RETRY_MS, undefined, { signal }).catch(() => {}) // the loop ends
  }
  return undefined
}
