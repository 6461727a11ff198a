import type { Server } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import type { SlowBodies } from './slow-bodies.ts'
import { rawRefusal } from './unreadable.ts'

type ConnectionLimits = {
  readonly maxConnections: number
  /** Of one IPv4 address, or one IPv6 network of 64 bits, for whoever has one address of it has all. */
  readonly maxConnectionsPerAddress: number
  readonly slowestOf: SlowBodies['slowestOf']
}

type Connection = { readonly network: string; requestsUnderWay: number; hasAsked: boolean }

/**
 * The connections of a server. Where there are too many, the one whose body comes slowest makes room, else the oldest that
 * never asked anything (a new one may not have been read yet), else the one that was answered longest ago, since a client
 * may be about to use it again. So whoever opens thousands and says little keeps nobody out; only where all are at work is
 * a new one refused. When the server closes, each ends as soon as it has answered: Node's own `closeIdleConnections` leaves
 * those that never asked anything, as browsers open in advance, and a server waits for them.
 */
export class Connections {
  /** In the order in which they were opened or last answered. */
  readonly #open = new Map<Socket, Connection>()
  readonly #perNetwork = new Map<string, number>()
  readonly #server: Server
  readonly #limits: ConnectionLimits
  #isClosing = false

  constructor(server: Server, limits: ConnectionLimits) {
    this.#server = server
    this.#limits = limits
    server.on('connection', socket => this.#admit(socket))
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
    for (const socket of this.#open.keys()) this.#count(socket, 0)
    await closed
    clearTimeout(grace)
  }

  #admit(socket: Socket): void {
    const network = networkOf(socket.remoteAddress ?? '')
    const ofNetwork = this.#perNetwork.get(network) ?? 0
    const isNeighbour = (other: Connection) => other.network === network
    const hasRoom =
      this.#makeRoom(socket, ofNetwork, 'maxConnectionsPerAddress', isNeighbour) &&
      this.#makeRoom(socket, this.#open.size, 'maxConnections', () => true)
    if (!hasRoom) return
    this.#open.set(socket, { network, requestsUnderWay: 0, hasAsked: false })
    this.#perNetwork.set(network, (this.#perNetwork.get(network) ?? 0) + 1)
    socket.once('close', () => this.#forget(socket))
  }

  #forget(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (!connection) return // it made room for another
    this.#open.delete(socket)
    const left = (this.#perNetwork.get(connection.network) ?? 0) - 1
    if (left > 0) this.#perNetwork.set(connection.network, left)
    else this.#perNetwork.delete(connection.network)
  }

  /** Refuses the new one, and gives false, where there are as many as the setting allows and all are at work. */
  #makeRoom(
    newcomer: Socket,
    count: number,
    setting: 'maxConnections' | 'maxConnectionsPerAddress',
    isOne: (connection: Connection) => boolean,
  ): boolean {
    const max = this.#limits[setting]
    if (count < max) return true
    const others = [...this.#open].filter(([, connection]) => isOne(connection))
    const idle = others.filter(([, { requestsUnderWay }]) => requestsUnderWay === 0)
    const [silent] = idle.find(([, { hasAsked }]) => !hasAsked) ?? idle[0] ?? []
    const idlest = this.#limits.slowestOf(others.map(([socket]) => socket)) ?? silent
    if (idlest) {
      this.#forget(idlest)
      idlest.destroy()
      return true
    }
    const message = `${max} connections are at work, as many as server.${setting} allows. Try again when one has ended.`
    newcomer.end(rawRefusal(503, { code: 'rate_limited', message }), () => newcomer.destroy())
    return false
  }

  #count(socket: Socket, change: -1 | 0 | 1): void {
    const connection = this.#open.get(socket)
    if (!connection) return // it is closed
    connection.requestsUnderWay += change
    connection.hasAsked ||= change > 0
    if (change < 0) this.#moveToEnd(socket, connection)
    if (this.#isClosing && connection.requestsUnderWay === 0) socket.destroySoon()
  }

  #moveToEnd(socket: Socket, connection: Connection): void {
    this.#open.delete(socket)
    this.#open.set(socket, connection)
  }
}

/** An IPv4 address as it is, of an IPv6 one its first 64 bits. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [front = [], back = []] = address.split('::').map(half => half.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0')
  return [...front, ...zeros, ...back].slice(0, 4).join(':')
}
