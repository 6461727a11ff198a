import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { reconnections } from './connection.ts'
import { type Told, toldOf } from './told.tsx'

/** What was asked for: not there yet, there, or refused in a sentence. */
type Loaded<Value> = { readonly value?: Value; readonly problem?: Told }

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
        const problem = controller.signal.aborted ? undefined : toldOf(error)
        if (problem) loaded.value = { problem } // else it is asked again by itself
      },
    )
    return () => controller.abort()
  }, [...keys, attempt])
  return loaded
}
