import { access, constants } from 'node:fs/promises'
import type { Change, CompareOptions } from '../../ingest/sources/change.ts'
import { looksLikeUrl } from '../../ingest/sources/web/web-url.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'

type UnreadDeps = {
  readonly sync: {
    compare(collection: Collection, root: string, options: CompareOptions): AsyncIterable<Change>
  }
}

/** Returns why no source can be read, before a collection is made for a mistyped path. */
export async function explainUnread(
  { sync }: UnreadDeps,
  planned: Collection,
  roots: readonly string[],
  options: CompareOptions,
): Promise<readonly Change[] | undefined> {
  const failures: Change[] = []
  for (const root of roots) {
    if (looksLikeUrl(root) || (await canOpen(root))) return undefined
    for await (const change of sync.compare(planned, root, { ...options, dryRun: true })) {
      if (change.kind !== 'failed') return undefined
      failures.push(change)
    }
  }
  return failures.length > 0 ? failures : undefined
}

async function canOpen(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}
