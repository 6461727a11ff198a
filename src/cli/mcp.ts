import { once } from 'node:events'
import type { Command } from 'commander'
import type { Passim } from '../app/passim.ts'
import { toAppError } from '../errors.ts'
import type { ServiceAddressJson } from '../wire/checks.ts'
import {
  type AddCommand,
  collectValues,
  formatExample,
  getAllOptions,
  parsePort,
} from './command.ts'
import { type GlobalOptions, Output } from './output.ts'
import { getUserSentences } from './sentences/sentences.ts'
import { createInterruption, openOptions, reportNewStore } from './session.ts'

type Options = {
  readonly http?: boolean
  readonly port?: number
  readonly collection?: readonly string[]
}

export const addMcp: AddCommand = program => {
  program
    .command('mcp')
    .description('serve the documents to agents over MCP, on stdio or HTTP')
    .option('--http', 'serve over HTTP on 127.0.0.1 instead of stdio')
    .option('--port <number>', 'port for --http (default 7701)', parsePort)
    .option('-c, --collection <name>', 'collection to offer (may be repeated)', collectValues)
    .addHelpText('after', formatExample('passim mcp -c papers', 'passim mcp --http --port 7701'))
    .action(async (_options, command: Command) => run(getAllOptions<Options>(command)))
}

async function run(options: Options & GlobalOptions): Promise<void> {
  const output = new Output(options)
  const signal = createInterruption()
  const { open } = await import('../app.ts')
  const passim = await open({ ...openOptions(options), onNewStore: reportNewStore(options) })
  const onError = (error: Error) =>
    output.writeMessage(`MCP: ${getUserSentences().describe(toAppError(error))}`)
  const scope = { collections: options.collection, onError }
  const onListening = async (url: string) =>
    output.writeResult<ServiceAddressJson>({ url }, () => output.sentences.mcpListening(url))
  try {
    if (options.collection) await passim.scope.findCollections(options.collection) // reports a misspelt name now
    if (options.http)
      await serveHttp(passim, { ...scope, onListening, port: options.port ?? 7701 }, signal)
    else await serveStdio(passim, scope, signal)
  } finally {
    await passim.close()
  }
}

type Scope = {
  readonly collections: readonly string[] | undefined
  readonly onError: (error: Error) => void
}

type HttpScope = Scope & { readonly port: number; readonly onListening: (url: string) => void }

async function serveHttp(
  passim: Passim,
  { onListening, ...scope }: HttpScope,
  signal: AbortSignal,
) {
  const { serveMcpHttp } = await import('../mcp/http.ts')
  const service = await serveMcpHttp(passim, scope)
  onListening(service.url)
  if (!signal.aborted) await once(signal, 'abort')
  await service.close()
}

async function serveStdio(passim: Passim, scope: Scope, signal: AbortSignal) {
  const { serveMcpStdio } = await import('../mcp.ts')
  const ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')])
  const service = serveMcpStdio(passim, scope)
  if (!signal.aborted) await Promise.race([ended, once(signal, 'abort')])
  await service.close()
}
