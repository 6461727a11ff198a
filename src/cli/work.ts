import type { Command } from 'commander'
import { getReason } from '../errors.ts'
import { type AddCommand, formatExample, getAllOptions } from './command.ts'
import { type GlobalOptions, Output } from './output.ts'
import { createInterruption, logLine, openOptions } from './session.ts'

export const addWork: AddCommand = program => {
  program
    .command('work')
    .description('index queued documents for services that run with --no-ingest, until stopped')
    .addHelpText('after', formatExample('passim serve --no-ingest', 'passim work'))
    .action(async (_options, command: Command) => run(getAllOptions(command)))
}

async function run(options: GlobalOptions): Promise<void> {
  const { openTenants } = await import('../app/tenants/tenants.ts')
  const signal = createInterruption()
  const tell = options.quiet ? () => {} : logLine
  const onError = (message: string, error: unknown) =>
    tell({ level: 'error', message, error: getReason(error) })
  const tenants = await openTenants({
    ...openOptions(options),
    settings: { server: { ingest: true } },
    onError,
  })
  try {
    new Output(options).writeMessage('passim work is indexing queued documents.')
    await tenants.runWork(signal)
  } finally {
    await tenants.close()
  }
}
