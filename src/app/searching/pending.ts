import { type LocalizableMessage, localizable, withMessage } from '../../errors/localizable.ts'
import type { Warning } from '../../ingest/parse/parser.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { UnfinishedCount } from '../../ingest/store/catalog/document-counts.ts'
import type { Scope } from '../documents/scope.ts'

export async function findPendingWarnings(
  { unfound, byWords }: UnfinishedCount,
  collections: readonly Collection[],
  scope: Pick<Scope, 'areWorkedOn'>,
): Promise<readonly Warning[]> {
  if (unfound + byWords === 0) return []
  const advice = (await scope.areWorkedOn(collections))
    ? 'passim jobs shows the progress.'
    : 'passim index PATH or passim serve continues indexing; passim jobs shows the progress.'
  return [
    ...(unfound > 0
      ? [
          withMessage(
            { code: 'pending' },
            localizable`${countText(unfound)} cannot be found yet.`,
            advice,
          ),
        ]
      : []),
    ...(byWords > 0
      ? [
          withMessage(
            { code: 'words_only' },
            localizable`${countText(byWords)} can be found by keyword, but not by meaning yet.`,
            advice,
          ),
        ]
      : []),
  ]
}

export function isPendingWarning({ code }: Warning): boolean {
  return code === 'pending' || code === 'words_only'
}

function countText(count: number): LocalizableMessage {
  return count === 1 ? localizable`${count} document` : localizable`${count} documents`
}
