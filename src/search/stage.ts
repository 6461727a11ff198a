import type { Hit, Query, Searcher } from './searcher.ts'

type Find = (limit: number) => Promise<readonly Hit[]>

/** Calls `find` for the hits of the stages above, of which it may request more. */
export type Stage = (query: Query, find: Find, signal?: AbortSignal) => Promise<readonly Hit[]>

const NOTHING: Searcher = { search: async () => [] }

export function runInOrder(stages: readonly Stage[]): Searcher {
  return stages.reduce<Searcher>(
    (before, stage) => ({
      search: (query, signal) =>
        stage(query, limit => before.search({ ...query, limit }, signal), signal),
    }),
    NOTHING,
  )
}

export function applyWhen(condition: (query: Query) => boolean, stage: Stage): Stage {
  return async (query, find, signal) =>
    condition(query) ? await stage(query, find, signal) : await find(query.limit)
}
