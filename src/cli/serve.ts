import { once } from 'node:events'
import type { Command } from 'commander'
import { AuditLog } from '../app/audit/audit-log.ts'
import type { Keys as OpenKeys } from '../app/tenants/keys.ts'
import type { AnswerMcp } from '../server/mcp.ts'
import type { ServiceAddressJson } from '../wire/checks.ts'
import { openInBrowser } from './browser.ts'
import { type AddCommand, formatExample, getAllOptions } from './command.ts'
import { type GlobalOptions, Output } from './output.ts'
import { createInterruption, describeError, logLine, openOptions } from './session.ts'

type Options = {
  readonly host?: string
  readonly port?: string
  readonly open?: boolean
  readonly ingest?: boolean
}

export const addServe: AddCommand = program => {
  program
    .command('serve')
    .description('serve the page and the HTTP API')
    .option('--host <address>', 'address to listen on (default 127.0.0.1)')
    .option('--port <number>', 'port to listen on (default 7700)')
    .option('--no-ingest', 'do not index uploads; leave them to passim work')
    .option('--open', 'open the page in the browser')
    .addHelpText('after', formatExample('passim serve --port 7700'))
    .action(async (_options, command: Command) => run(getAllOptions<Options>(command)))
}

async function run(options: Options & GlobalOptions): Promise<void> {
  const { openTenants } = await import('../app/tenants/tenants.ts')
  const { DEFAULT_TENANT, Keys } = await import('../app/tenants/keys.ts')
  const { serve } = await import('../server.ts')
  const signal = createInterruption()
  const server = {
    host: options.host,
    port: options.port === undefined ? undefined : Number(options.port),
    ...(options.ingest === false && { ingest: false }),
  }
  const writeLog = options.quiet ? () => {} : logLine
  const onError = (message: string, error: unknown) =>
    writeLog({ level: 'error', message, error: describeError(error) })
  const { settings, stores, modelSetting, ...tenants } = await openTenants({
    ...openOptions(options),
    settings: { server },
    onError,
    onNewStore: home => writeLog({ level: 'info', message: `Created a new store in ${home}.` }),
  })
  let keys: OpenKeys | undefined
  const { audit } = settings.server
  const auditLog = audit && new AuditLog(settings.home, audit, onError)
  try {
    const lease = await stores.acquire(DEFAULT_TENANT) // reports a store that cannot be opened before listening
    keys = await Keys.open(settings) // in the same folder, so not on an unmounted disk
    const log = (message: string) => writeLog({ level: 'error', message })
    const onRequest = (entry: object) => writeLog({ level: 'info', ...entry })
    const mcp = loadMcpOnDemand()
    const served = { settings: settings.server, keys, log, onRequest, mcp, auditLog, modelSetting }
    const service = await serve(stores, served)
    lease.release()
    const output = new Output(options)
    output.writeResult<ServiceAddressJson>({ url: service.url }, () =>
      output.sentences.listening(service.url),
    )
    if (options.open && !(await openInBrowser(service.url)))
      writeLog({ level: 'info', message: `Cannot start a browser. Open ${service.url}` })
    tenants.resume().catch(error => onError('Cannot list the stores of the tenants.', error))
    if (!signal.aborted) await once(signal, 'abort')
    await service.close()
  } finally {
    await tenants.close()
    await auditLog?.close()
    await keys?.close()
  }
}

/** Loads the MCP face with its first request. */
function loadMcpOnDemand(): AnswerMcp {
  let loaded: Promise<AnswerMcp> | undefined
  return async (...args) => {
    loaded ??= import('../mcp.ts').then(({ mcpService }) => mcpService())
    const answer = await loaded
    return await answer(...args)
  }
}
