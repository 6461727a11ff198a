import { once } from 'node:events'
import { AppError } from '../../errors.ts'
import { Child, childEntry } from '../../ingest/isolation/child.ts'
import type { UpkeepAnswer } from './upkeep-process.ts'

/**
 * LanceDB's builder of full-text indexes in little memory: one partition at a time, and an allocator that gives back what
 * it does not need. A query goes through all partitions: 97,885 chunks of 1 KB are 105 of them at 32 MiB, where a query takes 22 ms
 * of CPU, 16 at 128 MiB and 6 at 256 MiB, where it takes 5.
 */
const LITTLE_MEMORY = {
  LANCE_CPU_THREADS: '1',
  LANCE_IO_THREADS: '2',
  LANCE_FTS_NUM_SHARDS: '1',
  LANCE_FTS_PARTITION_SIZE: '128',
  LANCE_FTS_WRITE_QUEUE_SIZE: '1',
  LANCE_FTS_POSTING_BATCH_ROWS: '64',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1000000',
  MALLOC_TRIM_THRESHOLD_: '1000000',
}

/** What `optimizeTable` does, for a large table and in a process of its own: the memory that it takes is bounded, and gone with it. */
export async function optimizeLargeTable(folder: string, name: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const child = new Child(childEntry('./upkeep-process', import.meta.url), [folder, name], LITTLE_MEMORY)
  const kill = () => void child.kill()
  signal?.addEventListener('abort', kill)
  try {
    const answered = once(child.events, 'message') as Promise<[UpkeepAnswer]> // what the process sends
    const answer = await Promise.race([answered.then(([message]) => message), child.ended])
    signal?.throwIfAborted()
    if (!answer) throw died(child)
    if (answer.failure) throw new AppError(answer.failure.code, answer.failure.message)
    await child.ended
  } finally {
    signal?.removeEventListener('abort', kill)
  }
}

function died({ ending, lastWords: cause }: Child): AppError {
  const message = `The process that brings the index in order died (${ending}). Check free memory and disk, and try again.`
  return new AppError('internal', message, { cause })
}
