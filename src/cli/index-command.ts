import type { Command } from 'commander'
import { type AddCommand, allOptions, example, several } from './command.ts'
import { EXIT, Output } from './output.ts'
import { IndexProgress } from './progress.ts'
import { withPassim } from './session.ts'

type Options = {
  readonly collection?: string
  readonly force?: boolean
  readonly vectors: boolean
  readonly dryRun?: boolean
  readonly keep?: boolean
  readonly prune?: boolean
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

export const addIndex: AddCommand = program => {
  program
    .command('index')
    .description('index files and folders; unchanged ones are skipped, gone ones removed')
    .argument('<path...>', 'files and folders')
    .option('-c, --collection <name>', 'collection, made if it is not there', 'default')
    .option('--force', 'index again what is unchanged')
    .option('--no-vectors', 'keyword search only: nothing is embedded')
    .option('--dry-run', 'only say what would change')
    .option('--keep', 'leave documents whose file is gone')
    .option('--prune', 'remove the documents of a path that is missing or empty')
    .option('--include <glob>', 'only files that match (may be repeated)', several)
    .option('--exclude <glob>', 'no files that match (may be repeated)', several)
    .addHelpText('after', example('passim index ~/papers -c papers', "passim index . --include '*.md' --dry-run"))
    .action(async (paths: readonly string[], _options, command: Command) => run(paths, allOptions<Options>(command)))
}

async function run(paths: readonly string[], options: ReturnType<typeof allOptions<Options>>): Promise<void> {
  const output = new Output(options)
  const progress = new IndexProgress(output)
  const result = await withPassim(options, (passim, signal) =>
    passim
      .index(paths, {
        ...options,
        signal,
        withoutVectors: !options.vectors,
        noWait: !options.wait,
        onEvent: event => progress.show(event),
        onWait: holder => progress.waiting(holder),
      })
      .finally(() => progress.stop()),
  )
  const { totals, seconds } = result
  output.result(result, () => {
    const counts = Object.entries(totals).filter(([name, count]) => count > 0 && name !== 'chunks')
    const summary = counts.map(([name, count]) => `${count} ${name}`).join(', ') || 'nothing to do'
    const problems = result.documents.flatMap(({ source, error, warnings }) => [
      ...(error ? [`${source}: ${error.message} (${error.code})`] : []),
      ...warnings.map(warning => `${source}: ${warning.message}`),
    ])
    return [...problems, `${summary}; ${totals.chunks} chunks; ${seconds.toFixed(1)} s`].join('\n')
  })
  process.exitCode = totals.failed > 0 ? EXIT.failed : EXIT.done
}
