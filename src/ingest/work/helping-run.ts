import { toFailure } from '../../errors.ts'
import type { Collection } from '../store/catalog/collections.ts'
import { JobJournal, type Verdict } from '../store/catalog/job-journal.ts'
import { getWriterLease, isLeased } from '../store/catalog/lease.ts'
import type { ReEmbeddings } from '../store/catalog/re-embeddings.ts'
import type { Statements } from '../store/catalog.ts'
import { endsRun, FINAL_WITHIN_LIMITS } from './run-failures.ts'
import {
  type Attempt,
  createUnclaimedLister,
  type WorkDeps,
  WorkInProgress,
} from './work-in-progress.ts'
import { type ListQueued, WorkQueue } from './work-queue.ts'

type HelpingRunDeps = WorkDeps & {
  readonly catalog: Statements
  readonly reEmbeddings: ReEmbeddings
  /** Documents of each part of the queue at a time. */
  readonly concurrency: number
}

type HelpingRunOptions = {
  readonly signal: AbortSignal
  /** Lease that tells others that this helper is alive. */
  readonly helper: string
  /** Once true, nothing more is started. */
  readonly isEnough: () => boolean
}

/**
 * Prepares unclaimed documents of another process's collection, and hands them over. Returns if
 * nothing is left, there is no writer, or `isEnough`.
 */
export async function helpWriter(
  deps: HelpingRunDeps,
  collection: Collection,
  { signal, helper, isEnough }: HelpingRunOptions,
): Promise<void> {
  const { catalog, concurrency } = deps
  const journal = new JobJournal(catalog, { collectionId: collection.id, helper })
  const queue = new WorkQueue<Attempt>(
    createListerForWriter(deps, collection, journal),
    concurrency,
  )
  const work = new WorkInProgress(deps, { collection, journal })
  const ended = new AbortController()
  const running = AbortSignal.any([signal, work.failed, ended.signal])
  try {
    for await (const attempt of queue.run((requested, part) =>
      work.runAttempt({ requested, part }, running),
    )) {
      running.throwIfAborted()
      if (attempt) {
        await handOver(deps, journal, attempt)
        queue.release(attempt.requested.id)
      }
      if (isEnough()) {
        queue.close('unpublished')
        queue.close('published')
      }
    }
  } catch (error) {
    ended.abort(error)
    throw error
  } finally {
    await work.close()
  }
}

/**
 * Returns nothing without a writer, or during a change of models, whose old vectors would be
 * left behind.
 */
function createListerForWriter(
  { documents, catalog, reEmbeddings }: HelpingRunDeps,
  collection: Collection,
  journal: JobJournal,
): ListQueued {
  const { id } = collection
  const lookUp = createUnclaimedLister(documents, journal, collection)
  return async (...query) => {
    const isUseful =
      (await isLeased(catalog, getWriterLease(id))) && !(await reEmbeddings.findOpen(id))
    return isUseful ? await lookUp(...query) : []
  }
}

async function handOver(
  { catalog, preparer }: HelpingRunDeps,
  journal: JobJournal,
  attempt: Attempt,
): Promise<void> {
  const { requested, result } = attempt
  if (result === 'taken') return
  if (result === 'dropped') return await journal.drop(catalog, requested)
  if (result === 'prepared') return await journal.handOver(requested)
  if (endsRun(attempt.error)) throw attempt.error
  const verdict: Verdict | undefined = FINAL_WITHIN_LIMITS.has(attempt.error.code)
    ? { failure: toFailure(attempt.error), attempt: preparer.computeAttemptKey(requested) }
    : undefined
  await journal.handOver(requested, verdict)
}
