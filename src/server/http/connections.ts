import type { Server } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import type { SlowBodies } from './slow-bodies.ts'
import { formatRawRefusal } from './unreadable.ts'

type ConnectionLimits = {
  readonly maxConnections: number
  /** Per IPv4 address or IPv6 /64 network. */
  readonly maxConnectionsPerAddress: number
  readonly findSlowest: SlowBodies['findSlowest']
}

type Connection = { readonly network: string; requestsUnderWay: number; hasSentRequest: boolean }

/**
 * Makes room by closing the slowest body, the oldest unused connection, or the longest idle one.
 * On close each ends after its answer.
 */
export class Connections {
  /** Sorted by opening or last answer. */
  readonly #open = new Map<Socket, Connection>()
  readonly #perNetwork = new Map<string, number>()
  readonly #server: Server
  readonly #limits: ConnectionLimits
  #isClosing = false

  constructor(server: Server, limits: ConnectionLimits) {
    this.#server = server
    this.#limits = limits
    server.on('connection', socket => this.#acceptConnection(socket))
    server.on('request', ({ socket }, response) => {
      this.#count(socket, 1)
      response.once('close', () => this.#count(socket, -1))
    })
  }

  /** Lets running requests end, up to `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true
    const closed = new Promise(resolve => this.#server.close(resolve))
    const grace = setTimeout(() => this.#server.closeAllConnections(), graceMs)
    for (const socket of this.#open.keys()) this.#count(socket, 0)
    await closed
    clearTimeout(grace)
  }

  #acceptConnection(socket: Socket): void {
    const network = toNetwork(socket.remoteAddress ?? '')
    const ofNetwork = this.#perNetwork.get(network) ?? 0
    const isNeighbour = (other: Connection) => other.network === network
    const hasRoom =
      this.#makeRoom(socket, ofNetwork, 'maxConnectionsPerAddress', isNeighbour) &&
      this.#makeRoom(socket, this.#open.size, 'maxConnections', () => true)
    if (!hasRoom) return
    this.#open.set(socket, { network, requestsUnderWay: 0, hasSentRequest: false })
    this.#perNetwork.set(network, (this.#perNetwork.get(network) ?? 0) + 1)
    socket.once('close', () => this.#forget(socket))
  }

  #forget(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (!connection) return // closed to make room
    this.#open.delete(socket)
    const remaining = (this.#perNetwork.get(connection.network) ?? 0) - 1
    if (remaining > 0) this.#perNetwork.set(connection.network, remaining)
    else this.#perNetwork.delete(connection.network)
  }

  /** Returns false and refuses if all are busy. */
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
    const [silent] = idle.find(([, { hasSentRequest }]) => !hasSentRequest) ?? idle[0] ?? []
    const idlest = this.#limits.findSlowest(others.map(([socket]) => socket)) ?? silent
    if (idlest) {
      this.#forget(idlest)
      idlest.destroy()
      return true
    }
    const message = `${max} connections are open, as many as server.${setting} allows. Try again when one has ended.`
    newcomer.end(formatRawRefusal(503, { code: 'rate_limited', message }), () => newcomer.destroy())
    return false
  }

  #count(socket: Socket, change: -1 | 0 | 1): void {
    const connection = this.#open.get(socket)
    if (!connection) return // closed
    connection.requestsUnderWay += change
    connection.hasSentRequest ||= change > 0
    if (change < 0) this.#moveToEnd(socket, connection)
    if (this.#isClosing && connection.requestsUnderWay === 0) socket.destroySoon()
  }

  #moveToEnd(socket: Socket, connection: Connection): void {
    this.#open.delete(socket)
    this.#open.set(socket, connection)
  }
}

/** Returns an IPv4 address, or the first 64 bits of an IPv6 one. */
export function toNetwork(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [front = [], back = []] = address.split('::').map(half => half.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0')
  return [...front, ...zeros, ...back].slice(0, 4).join(':')
}
