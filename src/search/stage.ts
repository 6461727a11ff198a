import type { Hit, Query, Searcher } from './searcher.ts'

/** Runs all earlier stages of a search, for up to `limit` hits. */
type Find = (limit: number) => Promise<readonly Hit[]>

/** One step of a search: takes the hits of the earlier stages, and returns them judged, reordered or cut. */
export type Stage = (query: Query, find: Find, signal?: AbortSignal) => Promise<readonly Hit[]>

/** The earlier stages of a first stage. */
const NOTHING: Searcher = { search: async () => [] }

/** Returns a searcher that runs the stages from first to last. */
export function runInOrder(stages: readonly Stage[]): Searcher {
  return stages.reduce<Searcher>(
    (before, stage) => ({
      search: (query, signal) =>
        stage(query, limit => before.search({ ...query, limit }, signal), signal),
    }),
    NOTHING,
  )
}

/** Returns a stage that runs for some queries only. */
export function when(condition: (query: Query) => boolean, stage: Stage): Stage {
  return async (query, find, signal) =>
    condition(query) ? await stage(query, find, signal) : await find(query.limit)
}
