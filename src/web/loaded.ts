import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { reconnections, Unreachable } from './connection.ts'
import { type Told, toldOf } from './told.tsx'

/** What was asked for: not there yet, there, or refused in a sentence. */
export type Loaded<Value> = { readonly value?: Value; readonly problem?: Told }

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
        loaded.value = { problem: toldOf(error) }
      },
    )
    return () => controller.abort()
  }, [...keys, attempt])
  return loaded
}
