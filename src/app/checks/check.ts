import type { Failure } from '../../errors.ts'

/** One thing that `passim doctor` has tried. */
export type Check = { readonly name: string; readonly ok: boolean; readonly detail: string; readonly error?: Failure }
