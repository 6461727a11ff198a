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
  readonly connectTimeoutMs: number
  readonly callTimeoutMs: number
  readonly onFailure: (server: string, message: string) => void
  readonly now?: () => number
}

type McpToolsRequest = {
  readonly servers?: readonly string[] | undefined
  readonly usedNames?: readonly string[] | undefined
  readonly isReadOnly?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** Wait before a retry, so that questions do not wait for an unreachable server. */
const RETRY_MS = 60_000

export class McpTools {
  readonly #options: McpToolsOptions
  readonly #connections = new Map<string, Promise<McpConnection>>()
  readonly #retryAt = new Map<string, number>()
  #isClosed = false

  constructor(options: McpToolsOptions) {
    this.#options = options
  }

  /** Leaves out servers that do not answer. Throws only if aborted. */
  async listTools({
    servers,
    usedNames,
    isReadOnly = false,
    signal,
  }: McpToolsRequest = {}): Promise<readonly Tool[]> {
    const requested = Object.entries(this.#options.servers).filter(
      ([name]) => servers?.includes(name) ?? true,
    )
    const groups = await Promise.all(
      requested.map(([name, config]) => this.#listGroup(name, config, signal)),
    )
    signal?.throwIfAborted()
    const tools = makeNamesDistinct(groups, usedNames)
    return isReadOnly ? tools.filter(tool => tool.isReadOnly === true) : tools
  }

  /** Connects anew, for a caller who closes it. */
  async connect(signal?: AbortSignal): Promise<McpConnection> {
    const { servers, connectTimeoutMs, callTimeoutMs } = this.#options
    return await connectMcpServers(servers, { connectTimeoutMs, callTimeoutMs, signal })
  }

  createFinder(request: Pick<McpToolsRequest, 'servers' | 'isReadOnly'>): MoreTools {
    return (usedNames, signal) => this.listTools({ ...request, usedNames, signal })
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

  async #listGroup(
    name: string,
    config: McpServerConfig,
    signal?: AbortSignal,
  ): Promise<ToolGroup> {
    if (this.#isClosed || (this.#retryAt.get(name) ?? 0) > this.#getNow())
      return { origin: name, tools: [] }
    const connection = this.#connections.get(name) ?? this.#connect(name, config)
    this.#connections.set(name, connection)
    const { tools } = await raceAbort(connection, signal)
    return { origin: name, tools }
  }

  /** Has its own time limit: others may wait for the server. */
  async #connect(name: string, config: McpServerConfig): Promise<McpConnection> {
    const { connectTimeoutMs, callTimeoutMs, onFailure } = this.#options
    const connection = await connectMcpServers(
      { [name]: config },
      { connectTimeoutMs, callTimeoutMs },
    )
    const [failure] = connection.failures
    if (failure) {
      this.#connections.delete(name)
      this.#retryAt.set(name, this.#getNow() + RETRY_MS)
      onFailure(name, failure.message)
      await connection.close().catch(error => onFailure(name, toFailure(error).message))
    }
    return connection
  }

  #getNow(): number {
    return (this.#options.now ?? Date.now)()
  }
}
