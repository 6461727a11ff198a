import type { MoreTools, Tool } from '../../agent/tool.ts'
import {
  connectMcpServers,
  type McpConnection,
  type McpServerConfig,
  makeNamesDistinct,
  type ToolGroup,
} from '../../agent/tools/mcp-client.ts'
import { toFailure } from '../../errors.ts'
import { raceAbort } from '../../system/unless-aborted.ts'

type McpToolsOptions = {
  readonly servers: Readonly<Record<string, McpServerConfig>>
  /** Until a server has said what tools it has. */
  readonly connectTimeoutMs: number
  /** Of one call. */
  readonly callTimeoutMs: number
  /** Told of servers that cannot be reached; the others are used without them. */
  readonly onFailure: (server: string, message: string) => void
  /** For tests. */
  readonly now?: () => number
}

type McpToolsRequest = {
  /** Which servers; all when left out. */
  readonly servers?: readonly string[] | undefined
  /** Names that other tools have. */
  readonly taken?: readonly string[] | undefined
  /** Only tools that say that they change nothing. */
  readonly isReadOnly?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** A server that could not be reached is tried again after so long, in milliseconds. */
const RETRY_MS = 60_000

/** The tools of the configured MCP servers: each is connected when it is first needed, and kept until all are closed. */
export class McpTools {
  readonly #options: McpToolsOptions
  readonly #connections = new Map<string, Promise<McpConnection>>()
  /** When a server that failed may be tried again. */
  readonly #retryAt = new Map<string, number>()
  #isClosed = false

  constructor(options: McpToolsOptions) {
    this.#options = options
  }

  /** Of the servers that answer. Only an abort throws. */
  async listTools({
    servers,
    taken,
    isReadOnly = false,
    signal,
  }: McpToolsRequest = {}): Promise<readonly Tool[]> {
    const wanted = Object.keys(this.#options.servers).filter(
      name => servers?.includes(name) ?? true,
    )
    const groups = await Promise.all(wanted.map(name => this.#listGroup(name, signal)))
    signal?.throwIfAborted()
    const tools = makeNamesDistinct(groups, taken)
    return isReadOnly ? tools.filter(tool => tool.isReadOnly === true) : tools
  }

  /** The same for an agent, which asks when an answer begins. */
  createFinder(request: Pick<McpToolsRequest, 'servers' | 'isReadOnly'>): MoreTools {
    return (taken, signal) => this.listTools({ ...request, taken, signal })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const connections = [...this.#connections.values()]
    this.#connections.clear()
    const ended = await Promise.allSettled(
      connections.map(async connection => (await connection).close()),
    )
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  }

  async #listGroup(name: string, signal?: AbortSignal): Promise<ToolGroup> {
    if (this.#isClosed || (this.#retryAt.get(name) ?? 0) > this.#now())
      return { origin: name, tools: [] }
    const connection = this.#connections.get(name) ?? this.#connect(name)
    this.#connections.set(name, connection)
    const { tools } = await raceAbort(connection, signal)
    return { origin: name, tools }
  }

  /** Not ended by who asks first: others may wait for the same server. It has a time limit of its own. */
  async #connect(name: string): Promise<McpConnection> {
    const { servers, connectTimeoutMs, callTimeoutMs, onFailure } = this.#options
    const config = servers[name]! // one of its names
    const connection = await connectMcpServers(
      { [name]: config },
      { connectTimeoutMs, callTimeoutMs },
    )
    const [failure] = connection.failures
    if (failure) {
      this.#connections.delete(name)
      this.#retryAt.set(name, this.#now() + RETRY_MS)
      onFailure(name, failure.message)
      await connection.close().catch(error => onFailure(name, toFailure(error).message))
    }
    return connection
  }

  #now(): number {
    return (this.#options.now ?? Date.now)()
  }
}
