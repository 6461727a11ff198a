import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A line on loopback to a port, which can be pointed elsewhere, cut off, or made silent: nothing is lost then, nothing arrives, and nobody hangs up. */
export class Forwarder {
  #target: number
  #isSilent = false
  #isCut = false
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer({ allowHalfOpen: true }, near => this.#join(near))

  private constructor(target: number) {
    this.#target = target
  }

  static async to(target: number): Promise<Forwarder> {
    const forwarder = new Forwarder(target)
    forwarder.#server.listen(0, '127.0.0.1')
    await once(forwarder.#server, 'listening')
    return forwarder
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port // it listens on a port
  }

  /** As an operator's address that moves to another machine. */
  pointTo(target: number): void {
    this.#target = target
    this.#hangUp()
  }

  /** Connections end, and new ones are refused as soon as they are made. */
  cut(): void {
    this.#isCut = true
    this.#hangUp()
  }

  /** Nothing comes through, and nobody is told. */
  silence(): void {
    this.#isSilent = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** Whatever was sent meanwhile arrives. */
  restore(): void {
    this.#isSilent = false
    this.#isCut = false
    for (const socket of this.#sockets) socket.resume()
  }

  async close(): Promise<void> {
    this.#hangUp()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #hangUp(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #join(near: Socket): void {
    if (this.#isCut) return void near.destroy()
    const far = connect({ port: this.#target, host: '127.0.0.1', allowHalfOpen: true })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from)
      from.on('data', bytes => to.write(bytes))
      from.on('end', () => to.end())
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroySoon()
      })
      if (this.#isSilent) from.pause()
    }
  }
}
