import type { Warning } from '../../ingest/parse/parser.ts'
import type { UnfinishedCount } from '../../ingest/store/catalog/document-counts.ts'

export function listPendingWarnings({ unfound, byWords }: UnfinishedCount): readonly Warning[] {
  const advice =
    'passim index PATH or passim serve continues indexing; passim jobs shows the progress.'
  return [
    ...(unfound > 0
      ? [{ code: 'pending', message: `${countText(unfound)} cannot be found yet.`, advice }]
      : []),
    ...(byWords > 0
      ? [
          {
            code: 'words_only',
            message: `${countText(byWords)} can be found by words, but not by meaning yet.`,
            advice,
          },
        ]
      : []),
  ]
}

export function isPendingWarning({ code }: Warning): boolean {
  return code === 'pending' || code === 'words_only'
}

function countText(count: number): string {
  return `${count} ${count === 1 ? 'document' : 'documents'}`
}
