import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Refusal, reconnections, Unreachable } from './connection.ts'

/** What was asked for: not there yet, there, or refused in a sentence. */
export type Loaded<Value> = { readonly value?: Value; readonly problem?: string; readonly code?: string }

/** What `load` gives, asked for again when one of `keys` changes and when the service answers anew. */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
): Signal<Loaded<Value>> {
  const loaded = useSignal<Loaded<Value>>({})
  const attempt = reconnections.value
  useEffect(() => {
    const controller = new AbortController()
    load(controller.signal).then(
      value => {
        if (!controller.signal.aborted) loaded.value = { value }
      },
      error => {
        if (controller.signal.aborted || error instanceof Unreachable) return // it is asked again by itself
        loaded.value = { problem: sentenceOf(error), ...(error instanceof Refusal && { code: error.code }) }
      },
    )
    return () => controller.abort()
  }, [...keys, attempt])
  return loaded
}

/** An error as a sentence to be shown. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
