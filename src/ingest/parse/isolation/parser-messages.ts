import type { Failure } from '../../../errors.ts'
import type { ParserEvent, ParserInput } from '../parser.ts'

/** Bounded, so that a slow consumer holds the child back instead of filling memory. */
export const MAX_UNACKNOWLEDGED = 2

export type ParserRequest =
  | { readonly type: 'parse'; readonly parserId: string; readonly input: ParserInput }
  | { readonly type: 'acknowledge' }

/** `ready` once; for each file `events` in batches, then `done` or `failed`. */
export type ParserMessage =
  | { readonly type: 'ready' }
  | {
      readonly type: 'events' | 'done'
      readonly events: readonly ParserEvent[]
      readonly bytes: number
    }
  | { readonly type: 'failed'; readonly failure: Failure; readonly stack: string }
  /** For systems where the parent cannot read it. */
  | { readonly type: 'use'; readonly memoryBytes: number; readonly processorMs: number }
