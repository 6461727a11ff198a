import { access, constants } from 'node:fs/promises'
import type { Change, CompareOptions } from '../../ingest/sources/change.ts'
import type { SourceRoot } from '../../ingest/sources/source.ts'
import type { SourceSync } from '../../ingest/sources/source-sync.ts'
import { looksLikeUrl } from '../../ingest/sources/web/web-url.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'

type UnreadDeps = {
  readonly sourceSync: SourceSync
}

/** Returns why no source can be read, before a collection is made for a mistyped path. */
export async function explainUnread(
  { sourceSync }: UnreadDeps,
  planned: Collection,
  places: readonly SourceRoot[],
  options: CompareOptions,
): Promise<readonly Change[] | undefined> {
  const failures: Change[] = []
  for (const place of places) {
    if (looksLikeUrl(place.root) || (await canOpen(place.root))) return undefined
    for await (const change of sourceSync.compare(planned, place, { ...options, dryRun: true })) {
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
