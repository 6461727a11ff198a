import type { ServerContext } from '@modelcontextprotocol/server'

export class Progress {
  readonly #request: ServerContext['mcpReq']
  #reached = 0

  constructor({ mcpReq }: ServerContext) {
    this.#request = mcpReq
  }

  get isRequested(): boolean {
    return this.#request._meta?.progressToken !== undefined
  }

  /** Reports a step of unknown total. */
  step(message: string): void {
    this.#notify({ progress: this.#reached + 1, message })
  }

  /** Ignores progress that did not increase. */
  reach(progress: number, total: number, message: string): void {
    if (progress > this.#reached) this.#notify({ progress, total, message })
  }

  #notify(params: {
    readonly progress: number
    readonly total?: number
    readonly message: string
  }): void {
    if (!this.isRequested || this.#request.signal.aborted) return
    this.#reached = params.progress
    const progressToken = this.#request._meta?.progressToken
    this.#request
      .notify({ method: 'notifications/progress', params: { progressToken, ...params } })
      .catch(() => {}) // a lost connection ends the call by its signal
  }
}
