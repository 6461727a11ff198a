import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A line to a service that can be cut, or die without a word, and be mended. */
export class Line {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isCut = false
  #isSilent = false

  private constructor(server: Server) {
    this.#server = server
  }

  static async to(port: number): Promise<Line> {
    const server = createServer()
    const line = new Line(server)
    server.on('connection', socket => line.#join(socket, port))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return line
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}` // it listens on TCP
  }

  cut(): void {
    this.#isCut = true
    for (const socket of this.#sockets) socket.destroy()
  }

  /** What stands now hears nothing any more, and nobody says so; nor does what is connected until it is mended. */
  silence(): void {
    this.#isSilent = true
    for (const socket of this.#sockets) socket.pause()
  }

  mend(): void {
    this.#isCut = false
    this.#isSilent = false
  }

  close(): void {
    this.cut()
    this.#server.close()
  }

  #join(socket: Socket, port: number): void {
    if (this.#isCut) return void socket.destroy()
    const service = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [socket, service],
      [service, socket],
    ] as const) {
      this.#sockets.add(one)
      one
        .on('error', () => other.destroy())
        .on('close', () => this.#sockets.delete(one) && other.destroy())
      one.pipe(other)
      if (this.#isSilent) one.pause()
    }
  }
}
