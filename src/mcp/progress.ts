import type { ServerContext } from '@modelcontextprotocol/server'

/** Tells a client how far its call is, where it asked to be told. */
export class Progress {
  readonly #request: ServerContext['mcpReq']
  #reached = 0

  constructor({ mcpReq }: ServerContext) {
    this.#request = mcpReq
  }

  get isWanted(): boolean {
    return this.#request._meta?.progressToken !== undefined
  }

  /** One step further on a way of unknown length. */
  step(message: string): void {
    this.#tell({ progress: this.#reached + 1, message })
  }

  /** So far of `total`; what is no further than the last that was told is not told. */
  reach(progress: number, total: number, message: string): void {
    if (progress > this.#reached) this.#tell({ progress, total, message })
  }

  #tell(params: {
    readonly progress: number
    readonly total?: number
    readonly message: string
  }): void {
    if (!this.isWanted || this.#request.signal.aborted) return
    this.#reached = params.progress
    const progressToken = this.#request._meta?.progressToken
    this.#request
      .notify({ method: 'notifications/progress', params: { progressToken, ...params } })
      .catch(() => {}) // the connection is gone: the call ends by its signal
  }
}
