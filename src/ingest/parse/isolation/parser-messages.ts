import type { Failure } from '../../../errors.ts'
import type { ParserEvent, ParserInput } from '../parser.ts'

/** Batches that may be under way to a consumer; with that many the child waits. */
export const MAX_UNACKNOWLEDGED = 2

/** Message to a parser process: parse a file, or a batch of events has been consumed. */
export type ParserRequest =
  | { readonly type: 'parse'; readonly parserId: string; readonly input: ParserInput }
  | { readonly type: 'acknowledge' }

/**
 * What it tells: `ready` once, when it has loaded its parsers; then of each file any number of `events` in batches, and
 * `done` with the last ones, or `failed`.
 */
export type ParserMessage =
  | { readonly type: 'ready' }
  | {
      readonly type: 'events' | 'done'
      readonly events: readonly ParserEvent[]
      readonly bytes: number
    }
  | { readonly type: 'failed'; readonly failure: Failure; readonly stack: string }
  /** Its memory, and the processor time of its whole life: told where the parent cannot look. */
  | { readonly type: 'use'; readonly memoryBytes: number; readonly processorMs: number }
