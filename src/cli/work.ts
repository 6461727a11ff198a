import type { Command } from 'commander'
import { reasonOf } from '../errors.ts'
import { type AddCommand, allOptions, example } from './command.ts'
import { type GlobalOptions, Output } from './output.ts'
import { interruption, logLine, openOptions } from './session.ts'

export const addWork: AddCommand = program => {
  program
    .command('work')
    .description('index queued documents for services that run with --no-ingest, until stopped')
    .addHelpText('after', example('passim serve --no-ingest', 'passim work'))
    .action(async (_options, command: Command) => run(allOptions(command)))
}

async function run(options: GlobalOptions): Promise<void> {
  const { openTenants } = await import('../app/tenants/tenants.ts')
  const signal = interruption()
  const tell = options.quiet ? () => {} : logLine
  const onError = (message: string, error: unknown) =>
    tell({ level: 'error', message, error: reasonOf(error) })
  const tenants = await openTenants({
    ...openOptions(options),
    settings: { server: { ingest: true } },
    onError,
  })
  try {
    new Output(options).message('passim work is indexing queued documents.')
    await tenants.runWork(signal)
  } finally {
    await tenants.close()
  }
}
