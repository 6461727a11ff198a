import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The connections of a server, to be closed as soon as each has answered. Node's own `closeIdleConnections` leaves those
 * that never asked anything, as browsers open in advance, and a server waits for them.
 */
export class Connections {
  /** How many requests each has under way. */
  readonly #busy = new Map<Socket, number>()
  readonly #server: Server
  #isClosing = false

  constructor(server: Server) {
    this.#server = server
    server.on('connection', socket => {
      this.#busy.set(socket, 0)
      socket.once('close', () => this.#busy.delete(socket))
    })
    server.on('request', ({ socket }, response) => {
      this.#count(socket, 1)
      response.once('close', () => this.#count(socket, -1))
    })
  }

  /** Accept no more, let requests under way end, and cut those that take longer. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true
    const closed = new Promise(resolve => this.#server.close(resolve))
    const grace = setTimeout(() => this.#server.closeAllConnections(), graceMs)
    for (const socket of this.#busy.keys()) this.#count(socket, 0)
    await closed
    clearTimeout(grace)
  }

  #count(socket: Socket, change: -1 | 0 | 1): void {
    const before = this.#busy.get(socket)
    if (before === undefined) return // it is closed
    this.#busy.set(socket, before + change)
    if (this.#isClosing && before + change === 0) socket.destroySoon()
  }
}
