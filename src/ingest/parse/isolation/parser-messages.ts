import type { Failure } from '../../../errors.ts'
import type { ParserEvent, ParserInput } from '../parser.ts'

/** Maximum number of batches under way, so that a slow consumer holds the child back instead of filling memory. */
export const MAX_UNACKNOWLEDGED = 2

export type ParserRequest =
  | { readonly type: 'parse'; readonly parserId: string; readonly input: ParserInput }
  | { readonly type: 'acknowledge' }

/**
 * `ready` once the parsers are loaded; for each file any number of `events` in batches, then
 * `done` or `failed`.
 */
export type ParserMessage =
  | { readonly type: 'ready' }
  | {
      readonly type: 'events' | 'done'
      readonly events: readonly ParserEvent[]
      readonly bytes: number
    }
  | { readonly type: 'failed'; readonly failure: Failure; readonly stack: string }
  /** Memory and processor time of the process, for systems where the parent cannot read them. */
  | { readonly type: 'use'; readonly memoryBytes: number; readonly processorMs: number }
