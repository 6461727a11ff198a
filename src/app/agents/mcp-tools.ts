import { z } from 'zod'
import type { MoreTools, Tool } from '../../agent/tool.ts'
import {
  connectMcpServers,
  type McpClientOptions,
  type McpConnection,
  type McpServerConfig,
  makeNamesDistinct,
  type ToolGroup,
} from '../../agent/tools/mcp-client.ts'
import { requireList, type ToolSpec } from '../../agent/tools/tool-registry.ts'
import { mcpServersSchema } from '../../config/agents.ts'
import { toFailure } from '../../errors.ts'
import { raceAbort } from '../../system/unless-aborted.ts'
import { parseToolSettings } from './tool-settings.ts'

export type McpCaller = Pick<McpClientOptions, 'signal' | 'elicit'>

type McpToolsOptions = {
  readonly servers: Servers
  readonly connectTimeoutMs: number
  readonly callTimeoutMs: number
  readonly roots?: readonly string[] | undefined
  readonly elicit?: McpCaller['elicit']
  readonly onFailure: (server: string, message: string) => void
  readonly now?: () => number
}

type Servers = Readonly<Record<string, McpServerConfig>>

type McpToolsRequest = {
  readonly servers?: readonly string[] | undefined
  readonly more?: Servers | undefined
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
    more = {},
    usedNames,
    isReadOnly = false,
    signal,
  }: McpToolsRequest = {}): Promise<readonly Tool[]> {
    const requested = Object.entries(this.#options.servers).filter(
      ([name]) => servers?.includes(name) ?? true,
    )
    const groups = await Promise.all(
      [...requested, ...Object.entries(more)].map(([name, config]) =>
        this.#listGroup(name, config, signal),
      ),
    )
    signal?.throwIfAborted()
    const tools = makeNamesDistinct(groups, usedNames)
    return isReadOnly ? tools.filter(tool => tool.isReadOnly === true) : tools
  }

  async connect(caller: AbortSignal | McpCaller): Promise<McpConnection> {
    const { servers, onFailure: _, now: _now, ...host } = this.#options
    const how = caller instanceof AbortSignal ? { signal: caller } : caller
    return await connectMcpServers(servers, { ...host, ...how })
  }

  createFinder(request: Pick<McpToolsRequest, 'servers' | 'more' | 'isReadOnly'>): MoreTools {
    return (usedNames, signal) => this.listTools({ ...request, usedNames, signal })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const connections = [...this.#connections.values()]
    this.#connections.clear()
    const ended = await Promise.allSettled(
      connections.map(async connection => (await connection).close()),
    )
    for (const result of ended) if (result.status === 'rejected') throw result.reason
  }

  async #listGroup(
    name: string,
    config: McpServerConfig,
    signal?: AbortSignal,
  ): Promise<ToolGroup> {
    const key = JSON.stringify([name, config])
    if (this.#isClosed || (this.#retryAt.get(key) ?? 0) > this.#getNow())
      return { origin: name, tools: [] }
    const connection = this.#connections.get(key) ?? this.#connect(key, name, config)
    this.#connections.set(key, connection)
    const { tools } = await raceAbort(connection, signal)
    return { origin: name, tools }
  }

  /** Has its own time limit: others may wait for the server. */
  async #connect(key: string, name: string, config: McpServerConfig): Promise<McpConnection> {
    const { servers: _, onFailure, now: _now, ...host } = this.#options
    const connection = await connectMcpServers({ [name]: config }, host)
    const [failure] = connection.failures
    if (failure) {
      this.#connections.delete(key)
      this.#retryAt.set(key, this.#getNow() + RETRY_MS)
      onFailure(name, failure.message)
      await connection.close().catch(error => onFailure(name, toFailure(error).message))
    }
    return connection
  }

  #getNow(): number {
    return (this.#options.now ?? Date.now)()
  }
}

/** Servers in a list of tools, as Qwen-Agent writes them. */
export type ServersSpec = { readonly mcpServers: Servers }

const serversSchema = z.strictObject({ mcpServers: mcpServersSchema })

export function splitServers(tools: readonly (ToolSpec | ServersSpec)[]): {
  readonly specs: readonly ToolSpec[]
  readonly servers: Servers
} {
  requireList(tools)
  const specs: ToolSpec[] = []
  let servers: Servers = {}
  for (const spec of tools)
    if (typeof spec === 'object' && 'mcpServers' in spec)
      servers = { ...servers, ...parseToolSettings('mcpServers', serversSchema, spec).mcpServers }
    else specs.push(spec)
  return { specs, servers }
}
