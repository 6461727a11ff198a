/** How often a reader looks for what another process wrote. */
const POLL_MS = 250

/** Who waits for more of something, by its id. */
export class Listeners {
  readonly #waiting = new Map<string, Set<() => void>>()

  /** There is more. */
  wake(id: string): void {
    for (const wake of [...(this.#waiting.get(id) ?? [])]) wake()
  }

  /** Until there is more here, or may be elsewhere; also when the signal aborts. */
  async changed(id: string, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(id) ?? new Set()
    this.#waiting.set(id, waiting)
    await new Promise<void>(resolve => {
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        waiting.delete(wake)
        if (waiting.size === 0) this.#waiting.delete(id)
        resolve()
      }
      const timer = setTimeout(wake, POLL_MS)
      signal.addEventListener('abort', wake, { once: true })
      waiting.add(wake)
    })
  }
}
