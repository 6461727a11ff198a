/** Poll interval for other processes' writes, so that streams stay live. */
const POLL_MS = 250

export class Listeners {
  readonly #waiting = new Map<string, Set<() => void>>()

  notify(id: string): void {
    for (const wake of [...(this.#waiting.get(id) ?? [])]) wake()
  }

  /** Resolves on a change here, a possible one elsewhere, or an abort. */
  async waitForChange(id: string, signal: AbortSignal): Promise<void> {
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
