import type { Found } from '../tracing.ts'
import { readPackageVersion } from '../version.ts'

/** Protects the size of a line. */
export const MAX_QUERY_CHARS = 2_000

/** OCSF 1.5: API Activity and Datastore Activity. */
export const API_ACTIVITY = { category_uid: 6, class_uid: 6003 }
const DATASTORE_ACTIVITY = { category_uid: 6, class_uid: 6005 }
const QUERY = 4
const INFORMATIONAL = 1

export type Origin = {
  readonly operation: string
  readonly correlationId: string
  readonly tenant?: string
  readonly user: { readonly uid?: string; readonly name: string }
  readonly ip?: string
}

export function describeActivity(
  { correlationId, tenant, user, ip }: Origin,
  activityClass: { readonly category_uid: number; readonly class_uid: number },
  activity: number,
): object {
  return {
    ...activityClass,
    activity_id: activity,
    type_uid: activityClass.class_uid * 100 + activity,
    time: Date.now(),
    severity_id: INFORMATIONAL,
    metadata: {
      version: '1.5.0',
      product: { name: 'Passim', vendor_name: 'Passim', version: readPackageVersion() },
      correlation_uid: correlationId,
      ...(tenant !== undefined && { tenant_uid: tenant }),
    },
    actor: { user },
    ...(ip !== undefined && { src_endpoint: { ip } }),
  }
}

export function describeSearch(origin: Origin, { query, hits }: Found, hasText: boolean): object {
  return {
    ...describeActivity(origin, DATASTORE_ACTIVITY, QUERY),
    status_id: 1,
    api: { operation: origin.operation },
    query_info: { query_string: query.text.slice(0, MAX_QUERY_CHARS) },
    resources: [
      ...query.collectionIds.map(uid => ({ uid, type: 'collection' })),
      ...hits.map(({ documentId: uid, charStart, charEnd, text }) => ({
        uid,
        type: 'passage',
        data: { charStart, charEnd, ...(hasText && { text }) },
      })),
    ],
  }
}
