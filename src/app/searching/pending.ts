import type { Warning } from '../../ingest/parse/parser.ts'
import type { UnfinishedCount } from '../../ingest/store/catalog/document-counts.ts'

/** Of documents that wait to be indexed, or are at it; none where there are none. */
export function listPendingWarnings({ unfound, byWords }: UnfinishedCount): readonly Warning[] {
  const goesOn =
    'passim jobs shows whether they are worked on, passim index PATH or passim serve goes on with them.'
  return [
    ...(unfound > 0
      ? [{ code: 'pending', message: `${countText(unfound)} cannot be found yet: ${goesOn}` }]
      : []),
    ...(byWords > 0
      ? [
          {
            code: 'words_only',
            message: `${countText(byWords)} can be found by words, but not by meaning yet: ${goesOn}`,
          },
        ]
      : []),
  ]
}

/** Returns whether a warning is about documents that are still being indexed. */
export function isPendingWarning({ code }: Warning): boolean {
  return code === 'pending' || code === 'words_only'
}

function countText(count: number): string {
  return `${count} ${count === 1 ? 'document' : 'documents'}`
}
