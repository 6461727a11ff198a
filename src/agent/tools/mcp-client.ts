import { ChildProcess } from 'node:child_process'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Client, Transport } from '@modelcontextprotocol/client'
import { AppError, getSystemCode } from '../../errors.ts'
import { hashParts } from '../../system/digest.ts'
import { requireKnownNames } from '../known-names.ts'
import type { ParametersSchema } from '../model.ts'
import { joinTexts, type Tool, type ToolContent } from '../tool.ts'
import { toToolResult } from './mcp-results.ts'

type ServerType = 'stdio' | 'http' | 'streamable-http' | 'sse'

/** Started here, or reached over HTTP, by the older SSE transport if the server has no other. */
export type McpServerConfig =
  | {
      readonly type?: ServerType | undefined
      readonly command: string
      readonly args?: readonly string[] | undefined
      readonly env?: Readonly<Record<string, string>> | undefined
      readonly cwd?: string | undefined
    }
  | {
      readonly type?: ServerType | undefined
      readonly url: string
      readonly headers?: Readonly<Record<string, string>> | undefined
    }

/** Form that a server asks its user to fill in. `schema` is a flat JSON Schema. */
type Form = {
  readonly server: string
  readonly message: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** Asks the user; undefined declines. */
export type Elicit = (
  form: Form,
  signal: AbortSignal,
) => Promise<Readonly<Record<string, string | number | boolean | string[]>> | undefined>

export type McpClientOptions = {
  readonly connectTimeoutMs?: number
  readonly callTimeoutMs?: number
  /** Folders that servers started here may ask for. */
  readonly roots?: readonly string[] | undefined
  readonly elicit?: Elicit | undefined
  readonly signal?: AbortSignal | undefined
}

const OPTIONS: Readonly<Record<keyof McpClientOptions, true>> = {
  connectTimeoutMs: true,
  callTimeoutMs: true,
  roots: true,
  elicit: true,
  signal: true,
}

export type McpConnection = {
  readonly tools: readonly Tool[]
  readonly failures: readonly { readonly server: string; readonly message: string }[]
  close(): Promise<void>
}

type Host = Required<Pick<McpClientOptions, 'connectTimeoutMs' | 'callTimeoutMs'>> &
  Pick<McpClientOptions, 'roots' | 'elicit'>

const CLIENT = { name: 'passim', version: '1' }

/** Gives tools distinct names. Unreachable servers are failures. */
export async function connectMcpServers(
  servers: Readonly<Record<string, McpServerConfig>>,
  options: McpClientOptions = {},
): Promise<McpConnection> {
  requireKnownNames('connectMcpServers()', options, OPTIONS)
  const { connectTimeoutMs = 30_000, callTimeoutMs = 60_000, signal, ...more } = options
  const host = { connectTimeoutMs, callTimeoutMs, ...more }
  const remotes = Object.entries(servers).map(
    ([name, config]) => new RemoteServer(name, config, host),
  )
  const outcomes = await Promise.allSettled(remotes.map(remote => remote.listTools(signal)))
  const failures = outcomes.flatMap((outcome, index) =>
    outcome.status === 'rejected'
      ? [{ server: remotes[index]!.name, message: toSentence(outcome.reason) }]
      : [],
  )
  const close = async () => {
    await Promise.all(remotes.map(remote => remote.close()))
  }
  if (signal?.aborted) {
    await close()
    signal.throwIfAborted()
  }
  const groups = outcomes.map((outcome, index) => {
    return {
      origin: remotes[index]!.name,
      tools: outcome.status === 'fulfilled' ? outcome.value : [],
    }
  })
  return { tools: makeNamesDistinct(groups), failures, close }
}

class RemoteServer {
  readonly name: string
  readonly #config: McpServerConfig
  readonly #host: Host
  #client: Promise<Client> | undefined

  constructor(name: string, config: McpServerConfig, host: Host) {
    this.name = name
    this.#config = config
    this.#host = host
  }

  async listTools(signal?: AbortSignal): Promise<readonly Tool[]> {
    const client = await this.#getClient()
    const { tools } = await client.listTools(
      undefined,
      this.#createOptions(this.#host.connectTimeoutMs, signal),
    )
    const once = tools.filter(
      (tool, index) => tools.findIndex(other => other.name === tool.name) === index,
    )
    return once.map(({ name, description = '', inputSchema, annotations }) => ({
      name: createToolName(this.name, name),
      description,
      parameters: inputSchema as ParametersSchema, // an object by the protocol
      ...(annotations?.readOnlyHint !== undefined && { isReadOnly: annotations.readOnlyHint }),
      ...(annotations?.idempotentHint !== undefined && { mayRepeat: annotations.idempotentHint }),
      needsApproval: annotations?.readOnlyHint !== true,
      call: async (args: unknown, abort?: AbortSignal) => {
        const mayRepeat = annotations?.readOnlyHint || annotations?.idempotentHint
        const isRepeated = (error: unknown) =>
          isSessionLost(error) || (mayRepeat === true && isNetworkFault(error))
        return await this.#call({ name, args, isRepeated }, abort)
      },
    }))
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined) // never connected
    this.#client = undefined
    await client?.close()
  }

  async #call(
    { name, args, isRepeated }: RemoteCall,
    signal?: AbortSignal,
  ): Promise<string | ToolContent> {
    const params = { name, arguments: (args ?? {}) as Record<string, unknown> } // the server checks its arguments
    const options = this.#createOptions(this.#host.callTimeoutMs, signal)
    const client = await this.#getClient()
    const result = await client.callTool(params, options).catch(async (error: unknown) => {
      if (!isRepeated(error)) throw describeFailure(error)
      await this.#disconnect(client)
      return await (await this.#getClient()).callTool(params, options)
    })
    const answer = toToolResult(result)
    if (!result.isError) return answer
    throw new AppError('internal', typeof answer === 'string' ? answer : joinTexts(answer))
  }

  async #disconnect(client: Client): Promise<void> {
    if ((await this.#client) === client) this.#client = undefined
    await client.close()
  }

  #createOptions(timeout: number, signal?: AbortSignal) {
    return { timeout, maxTotalTimeout: timeout, ...(signal && { signal }) }
  }

  #getClient(): Promise<Client> {
    if (this.#client) return this.#client
    const forget = () => {
      if (this.#client === client) this.#client = undefined
    }
    const client = this.#connect(forget).catch(error => {
      forget()
      throw describeFailure(error)
    })
    this.#client = client
    return client
  }

  /** Servers without the newer transport refuse its first request. */
  async #connect(onClose: () => void): Promise<Client> {
    const [first, ...others] = listTransports(this.#config)
    try {
      return await this.#open(first, onClose).catch((error: unknown) => {
        if (!isNetworkFault(error)) throw error
        return this.#open(first, onClose) // the socket was that of an earlier server
      })
    } catch (error) {
      const status = readStatus(error)
      if (others[0] === undefined || status === undefined || !OTHER_TRANSPORT.has(status))
        throw error
      return await this.#open(others[0], onClose).catch(() => {
        throw error // the server speaks neither
      })
    }
  }

  async #open(type: TransportType, onClose: () => void): Promise<Client> {
    const { Client } = await import('@modelcontextprotocol/client')
    const { elicit, roots = [], connectTimeoutMs } = this.#host
    const offeredRoots = type === 'stdio' ? roots : [] // paths of this machine
    const client = new Client(CLIENT, {
      versionNegotiation: { mode: type === 'sse' ? 'legacy' : 'auto' },
      capabilities: {
        ...(offeredRoots.length > 0 && { roots: {} }),
        ...(elicit && { elicitation: { form: {} } }),
      },
    })
    if (offeredRoots.length > 0)
      client.setRequestHandler('roots/list', () => ({
        roots: offeredRoots.map(root => ({ uri: pathToFileURL(root).href, name: basename(root) })),
      }))
    if (elicit)
      client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
        if (params.mode === 'url') return { action: 'decline' }
        const { message, requestedSchema: schema } = params
        const content = await elicit({ server: this.name, message, schema }, mcpReq.signal)
        return content ? { action: 'accept', content } : { action: 'decline' }
      })
    client.onclose = onClose
    const { transport, getLastWords } = await openTransport(type, this.#config)
    try {
      await client.connect(transport, { timeout: connectTimeoutMs })
    } catch (error) {
      await transport.close()
      const words = getLastWords()
      throw words === '' ? error : new Error(`${toSentence(error)}. It wrote: ${words}`)
    }
    return client
  }
}

type RemoteCall = {
  readonly name: string
  readonly args: unknown
  readonly isRepeated: (error: unknown) => boolean
}

type TransportType = 'stdio' | 'http' | 'sse'

function listTransports(config: McpServerConfig): readonly [TransportType, ...TransportType[]] {
  if (!('url' in config)) return ['stdio']
  return config.type === 'sse' ? ['sse'] : ['http', 'sse']
}

/** Statuses of a server that takes no POST at the address, or not of this form. */
const OTHER_TRANSPORT: ReadonlySet<number> = new Set([400, 404, 405, 406, 415])

function readStatus(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  const data: unknown = 'data' in error ? error.data : undefined
  if (typeof data === 'object' && data !== null && 'status' in data)
    return typeof data.status === 'number' ? data.status : undefined
  const [, status] = /\(HTTP (\d{3})\)/.exec(error.message) ?? []
  return status === undefined ? undefined : Number(status)
}

function isSessionLost(error: unknown): boolean {
  const status = readStatus(error)
  return status === 400 || status === 404
}

/** `fetch` reports every fault of the network in these words. */
function isNetworkFault(error: unknown): boolean {
  return error instanceof Error && error.message.includes('fetch failed')
}

/** Replaces the words of `fetch`, which hide the cause. Users of tools read it, so it has no address. */
function describeFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !isNetworkFault(error)) return error
  let cause: Error = error
  for (let depth = 0; depth < MAX_CAUSES && cause.cause instanceof Error; depth++)
    cause = cause.cause
  const reason = 'syscall' in cause ? getSystemCode(cause) : cause.message
  return new Error(
    `The server cannot be reached: ${reason || getSystemCode(cause) || error.message}`,
    {
      cause: error,
    },
  )
}

/** Above the depth of any real chain of causes, which may be a circle. */
const MAX_CAUSES = 10

/** Characters of the end of a server's messages, so that a failure stays readable. */
const MAX_LAST_WORDS = 500

type OpenTransport = {
  readonly transport: Transport
  readonly getLastWords: () => string
}

async function openTransport(type: TransportType, config: McpServerConfig): Promise<OpenTransport> {
  if ('url' in config) {
    const { SSEClientTransport, StreamableHTTPClientTransport } = await import(
      '@modelcontextprotocol/client'
    )
    const options = { requestInit: { headers: { ...config.headers } } }
    const url = new URL(config.url)
    const transport =
      type === 'sse'
        ? new SSEClientTransport(url, options)
        : new StreamableHTTPClientTransport(url, options)
    return { transport, getLastWords: () => '' }
  }
  const { getDefaultEnvironment, StdioClientTransport } = await import(
    '@modelcontextprotocol/client/stdio'
  )
  const { command, args = [], env, cwd } = config
  const environment = { ...getDefaultEnvironment(), ...env }
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: environment,
    stderr: 'pipe',
    ...(cwd && { cwd }),
  })
  let lastWords = ''
  transport.stderr?.on('data', (bytes: Buffer) => {
    lastWords = `${lastWords}${bytes}`.slice(-MAX_LAST_WORDS)
  })
  const start = transport.start.bind(transport)
  transport.start = async () => {
    await start()
    closeAtExit(transport)
  }
  return { transport, getLastWords: () => lastWords.trim().split('\n').at(-1) ?? '' }
}

/** Ends the pipes with the server. Otherwise a process that it started could keep them open. */
function closeAtExit(transport: Transport): void {
  const server: unknown = Reflect.get(transport, '_process')
  if (!(server instanceof ChildProcess)) return
  const endOutput = () => {
    server.stdout?.destroy()
    server.stderr?.destroy()
  }
  server.once('exit', () => setImmediate(() => setImmediate(endOutput))) // last output is read between
}

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
    tools.flatMap((tool, index) => {
      const name = free(tool, [origin, `${origin} ${index}`])
      if (name === undefined) return []
      names.add(name)
      return [name === tool.name ? tool : { ...tool, name }]
    }),
  )
}

function withDigest(name: string, origin: string): string {
  return `${name.slice(0, MAX_NAME - DIGEST - 1)}_${hashParts(origin, name).slice(0, DIGEST)}`
}
