import path from 'node:path'
import { type Failure, toFailure } from '../../errors.ts'
import { FolderWatch, type FolderWatchOptions } from '../../ingest/sources/folders/folder-watch.ts'
import { looksLikeUrl } from '../../ingest/sources/web/web-url.ts'
import type { IndexResult } from '../../wire/indexing.ts'
import type { IndexOptions } from './index-documents.ts'

export type WatchOptions = Omit<IndexOptions, 'only' | 'dryRun'> & Partial<FolderWatchOptions>

/** A failed run is repeated with the next change. */
export type WatchResult = IndexResult | { readonly error: Failure }

type WatchDeps = {
  readonly index: (paths: readonly string[], options: IndexOptions) => Promise<IndexResult>
  readonly defaults: Pick<FolderWatchOptions, 'settleMs' | 'compareMs' | 'except'>
}

/**
 * Indexes now and on changes; compares everything at intervals. Ends with the signal or the
 * loop.
 */
export async function* watchSources(
  { index, defaults }: WatchDeps,
  paths: readonly string[],
  { signal = new AbortController().signal, ...options }: WatchOptions,
): AsyncGenerator<WatchResult> {
  const local = paths.filter(source => !looksLikeUrl(source)).map(source => path.resolve(source))
  const folders = new FolderWatch(local, { onProblem: () => {}, ...defaults, ...options })
  try {
    await folders.refresh(signal)
    yield await index(paths, { ...options, signal })
    for (;;) {
      const only = await folders.next(signal)
      const changed = only ? local : paths
      if (changed.length === 0) continue
      const result = await tryRun(() => index(changed, { ...options, signal, only }), signal)
      if ('error' in result || result.documents.length > 0) yield result
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    folders.close()
  }
}

async function tryRun(run: () => Promise<IndexResult>, signal: AbortSignal): Promise<WatchResult> {
  try {
    return await run()
  } catch (error) {
    signal.throwIfAborted()
    return { error: toFailure(error) }
  }
}
