import type { Failure } from '../../../errors.ts'
import type { ParserEvent, ParserInput } from '../parser.ts'

/** Maximum number of batches under way, so that a slow consumer holds the child back instead of filling memory. */
export const MAX_UNACKNOWLEDGED = 2

/** Message to a parser process: parse a file, or a batch of events has been consumed. */
export type ParserRequest =
  | { readonly type: 'parse'; readonly parserId: string; readonly input: ParserInput }
  | { readonly type: 'acknowledge' }

/**
 * Messages of the process: `ready` once, when it has loaded its parsers; then for each file any number of `events` in batches, and
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
