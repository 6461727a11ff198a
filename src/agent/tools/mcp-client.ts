import type { Client, Transport } from '@modelcontextprotocol/client'
import { AppError } from '../../errors.ts'
import { hashParts } from '../../system/digest.ts'
import { requireKnownNames } from '../known-names.ts'
import type { ParametersSchema } from '../model.ts'
import type { Tool } from '../tool.ts'

/** Started here, or reached over HTTP. */
export type McpServerConfig =
  | {
      readonly command: string
      readonly args?: readonly string[] | undefined
      readonly env?: Readonly<Record<string, string>> | undefined
      readonly cwd?: string | undefined
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }

type McpClientOptions = {
  readonly connectTimeoutMs?: number
  readonly callTimeoutMs?: number
  readonly signal?: AbortSignal | undefined
}

const OPTIONS: Readonly<Record<keyof McpClientOptions, true>> = {
  connectTimeoutMs: true,
  callTimeoutMs: true,
  signal: true,
}

export type McpConnection = {
  readonly tools: readonly Tool[]
  readonly failures: readonly { readonly server: string; readonly message: string }[]
  close(): Promise<void>
}

type Limits = { readonly connectTimeoutMs: number; readonly callTimeoutMs: number }

const CLIENT = { name: 'passim', version: '1' }

/** UTF-16 units of a result, so that it fits models' contexts. */
const MAX_ANSWER = 200_000

/** Gives tools distinct names. Unreachable servers are failures. */
export async function connectMcpServers(
  servers: Readonly<Record<string, McpServerConfig>>,
  options: McpClientOptions = {},
): Promise<McpConnection> {
  requireKnownNames('connectMcpServers()', options, OPTIONS)
  const { connectTimeoutMs = 30_000, callTimeoutMs = 60_000, signal } = options
  const limits = { connectTimeoutMs, callTimeoutMs }
  const remotes = Object.entries(servers).map(
    ([name, config]) => new RemoteServer(name, config, limits),
  )
  const outcomes = await Promise.allSettled(remotes.map(remote => remote.listTools(signal)))
  const failures = outcomes.flatMap((outcome, at) =>
    outcome.status === 'rejected'
      ? [{ server: remotes[at]!.name, message: toSentence(outcome.reason) }]
      : [],
  )
  const close = async () => {
    await Promise.all(remotes.map(remote => remote.close()))
  }
  if (signal?.aborted) {
    await close()
    signal.throwIfAborted()
  }
  const groups = outcomes.map((outcome, at) => {
    return { origin: remotes[at]!.name, tools: outcome.status === 'fulfilled' ? outcome.value : [] }
  })
  return { tools: makeNamesDistinct(groups), failures, close }
}

class RemoteServer {
  readonly name: string
  readonly #config: McpServerConfig
  readonly #limits: Limits
  #client: Promise<Client> | undefined

  constructor(name: string, config: McpServerConfig, limits: Limits) {
    this.name = name
    this.#config = config
    this.#limits = limits
  }

  async listTools(signal?: AbortSignal): Promise<readonly Tool[]> {
    const client = await this.#getClient()
    const { tools } = await client.listTools(
      undefined,
      this.#createOptions(this.#limits.connectTimeoutMs, signal),
    )
    const once = tools.filter(
      (tool, at) => tools.findIndex(other => other.name === tool.name) === at,
    )
    return once.map(({ name, description = '', inputSchema, annotations }) => ({
      name: createToolName(this.name, name),
      description,
      parameters: inputSchema as ParametersSchema, // an object by the protocol
      ...(annotations?.readOnlyHint !== undefined && { isReadOnly: annotations.readOnlyHint }),
      ...(annotations?.idempotentHint !== undefined && { mayRepeat: annotations.idempotentHint }),
      needsApproval: annotations?.readOnlyHint !== true,
      call: (args: unknown, abort?: AbortSignal) => this.#call(name, args, abort),
    }))
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined) // never connected
    this.#client = undefined
    await client?.close()
  }

  async #call(name: string, args: unknown, signal?: AbortSignal): Promise<string> {
    const client = await this.#getClient()
    const given = (args ?? {}) as Record<string, unknown> // the server checks its arguments
    const options = this.#createOptions(this.#limits.callTimeoutMs, signal)
    const { content, structuredContent, isError } = await client.callTool(
      { name, arguments: given },
      options,
    )
    const text = content
      .map(part => (part.type === 'text' ? part.text : `[${part.type}]`))
      .join('\n')
    const answer = cutAnswer(text || JSON.stringify(structuredContent ?? ''))
    if (isError) throw new AppError('internal', answer)
    return answer
  }

  #createOptions(timeout: number, signal?: AbortSignal) {
    return { timeout, maxTotalTimeout: timeout, ...(signal && { signal }) }
  }

  #getClient(): Promise<Client> {
    if (this.#client) return this.#client
    const forget = () => {
      if (this.#client === client) this.#client = undefined // keeps a later one
    }
    const client = this.#connect(forget).catch(error => {
      forget()
      throw error
    })
    this.#client = client
    return client
  }

  async #connect(onClose: () => void): Promise<Client> {
    const { Client } = await import('@modelcontextprotocol/client')
    const client = new Client(CLIENT, { versionNegotiation: { mode: 'auto' } })
    client.onclose = onClose
    const transport = await openTransport(this.#config)
    try {
      await client.connect(transport, { timeout: this.#limits.connectTimeoutMs })
    } catch (error) {
      await transport.close()
      throw error
    }
    return client
  }
}

function cutAnswer(answer: string): string {
  if (answer.length <= MAX_ANSWER) return answer
  return `${answer.slice(0, MAX_ANSWER)}\n[This answer is cut to ${MAX_ANSWER} characters: ask for less.]`
}

async function openTransport(config: McpServerConfig): Promise<Transport> {
  if ('url' in config) {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    const requestInit = { headers: { ...config.headers } }
    return new StreamableHTTPClientTransport(new URL(config.url), { requestInit })
  }
  const { getDefaultEnvironment, StdioClientTransport } = await import(
    '@modelcontextprotocol/client/stdio'
  )
  const { command, args = [], env, cwd } = config
  const environment = { ...getDefaultEnvironment(), ...env }
  return new StdioClientTransport({
    command,
    args: [...args],
    env: environment,
    stderr: 'ignore',
    ...(cwd && { cwd }),
  })
}

/** Builds `server-tool` within models' naming rules. */
function createToolName(server: string, tool: string): string {
  const name = `${server}-${tool}`.replace(/[^A-Za-z0-9_-]/g, '_')
  return name.length <= 64 ? name : withDigest(name, server)
}

function toSentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export type ToolGroup = { readonly origin: string; readonly tools: readonly Tool[] }

/** OpenAI's limit of 64, and digits of a digest. */
const MAX_NAME = 64
const DIGEST = 8

/** Adds a digest of the origin to equal names. */
export function makeNamesDistinct(
  groups: readonly ToolGroup[],
  usedNames: readonly string[] = [],
): readonly Tool[] {
  const names = new Set(usedNames)
  const free = (tool: Tool, origins: readonly string[]) => {
    const others = origins.map(origin => withDigest(tool.name, origin))
    return [tool.name, ...others].find(name => !names.has(name))
  }
  return groups.flatMap(({ origin, tools }) =>
    tools.flatMap((tool, at) => {
      const name = free(tool, [origin, `${origin} ${at}`])
      if (name === undefined) return []
      names.add(name)
      return [name === tool.name ? tool : { ...tool, name }]
    }),
  )
}

function withDigest(name: string, origin: string): string {
  return `${name.slice(0, MAX_NAME - DIGEST - 1)}_${hashParts(origin, name).slice(0, DIGEST)}`
}
