import { once } from 'node:events'
import type { Command } from 'commander'
import { open } from '../app.ts'
import { type AddCommand, allOptions, example } from './command.ts'
import { type GlobalOptions, Output } from './output.ts'
import { interruption, openOptions } from './session.ts'

type Options = { readonly host?: string; readonly port?: string }

export const addServe: AddCommand = program => {
  program
    .command('serve')
    .description('serve the HTTP API')
    .option('--host <address>', 'address to listen on (default 127.0.0.1)')
    .option('--port <number>', 'port to listen on (default 7700)')
    .addHelpText('after', example('passim serve --port 7700'))
    .action(async (_options, command: Command) => run(allOptions<Options>(command)))
}

async function run(options: Options & GlobalOptions): Promise<void> {
  const { serve } = await import('../server.ts') // only this command needs the HTTP face
  const output = new Output(options)
  const signal = interruption()
  const server = { host: options.host, port: options.port === undefined ? undefined : Number(options.port) }
  const passim = await open({
    ...openOptions(options),
    settings: { server },
    onBackgroundError: (message, error) =>
      output.message(`${message} ${error instanceof Error ? error.message : error}`),
  })
  try {
    const service = await serve(passim, passim.settings.server)
    passim.background.resume()
    passim.expiry.start()
    process.stdout.write(`passim listening on ${service.url}\n`)
    if (!signal.aborted) await once(signal, 'abort')
    await service.close()
  } finally {
    await passim.close()
  }
}
