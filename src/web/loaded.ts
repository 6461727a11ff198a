import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { reconnections } from './connection.ts'
import { type Notice, toNotice } from './notice.tsx'

/** Empty while loading; then a value or a problem. */
type Loaded<Value> = { readonly value?: Value; readonly problem?: Notice }

/** Loads again when one of `keys` changes or the service is back. */
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
        const problem = controller.signal.aborted ? undefined : toNotice(error)
        if (problem) loaded.value = { problem } // without a problem the service is offline, and a reconnection loads again
      },
    )
    return () => controller.abort()
  }, [...keys, attempt])
  return loaded
}
