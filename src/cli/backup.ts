import type { Command } from 'commander'
import { loadSettings } from '../config.ts'
import type { BackupSummary, ImportJson } from '../wire/backup.ts'
import { type AddCommand, formatExample, getAllOptions } from './command.ts'
import { EXIT, formatCount, type GlobalOptions, Output } from './output.ts'
import { IndexProgress, StepProgress } from './progress.ts'
import { getUserSentences } from './sentences/sentences.ts'
import { createInterruption, openOptions, withExisting, withPassim } from './session.ts'

export const addExport: AddCommand = program => {
  program
    .command('export')
    .description('write a backup of the store to one file, while the store stays in use')
    .argument('<file>', 'file to create; it must not exist')
    .addHelpText('after', getUserSentences().notes.backup)
    .addHelpText('after', formatExample('passim export ~/passim.backup'))
    .action(async (file: string, _options, command: Command) =>
      exportTo(file, getAllOptions(command)),
    )
}

export const addImport: AddCommand = program => {
  program
    .command('import')
    .description('create a store from a backup')
    .argument('<file>', 'backup written by passim export')
    .addHelpText('after', formatExample('passim --home ~/restored import ~/passim.backup'))
    .action(async (file: string, _options, command: Command) =>
      importFrom(file, getAllOptions(command)),
    )
}

async function exportTo(file: string, options: GlobalOptions): Promise<void> {
  const output = new Output(options)
  const steps = new StepProgress(output, 'content')
  const summary = await withExisting(options, (passim, signal) =>
    passim.export(file, { signal, onProgress: (done, total) => steps.show(done, total) }),
  )
  output.writeDone<BackupSummary>(summary, () =>
    output.sentences.results.exported(formatSummary(summary), file),
  )
  if (!output.isJson) output.writeMessage(output.sentences.results.restoreBackup(file))
  reportMissing(summary, output)
}

/** Builds the index too, so that documents are found when the command ends. */
async function importFrom(file: string, options: GlobalOptions): Promise<void> {
  const output = new Output(options)
  const steps = new StepProgress(output, 'piece')
  const signal = createInterruption()
  const { importStore } = await import('../app/stores/import-store.ts')
  const settings = await loadSettings(openOptions(options))
  const { home } = settings
  const onProgress = (done: number, total: number) => steps.show(done, total)
  const finish = async () => {
    if (settings.catalog.url !== undefined)
      await (await import('../app/tenants/migrate.ts')).migrate(settings)
    await makeIndex(options, output)
  }
  const summary = await importStore(home, file, { signal, onProgress, finish })
  output.writeDone<ImportJson>({ ...summary, home }, () =>
    output.sentences.results.imported(formatSummary(summary), home),
  )
  reportMissing(summary, output)
}

async function makeIndex(options: GlobalOptions, output: Output): Promise<void> {
  const progress = new IndexProgress(output)
  await withPassim(options, (passim, signal) =>
    passim.background.drainAll({
      signal,
      noWait: !options.wait,
      onEvent: event => progress.show(event),
    }),
  ).finally(() => progress.stop())
}

function formatSummary({ contents }: BackupSummary): string {
  return formatCount(contents, 'stored file')
}

function reportMissing({ missing }: BackupSummary, output: Output): void {
  if (missing === 0) return
  output.writeMessage(output.sentences.results.missingContents(formatCount(missing, 'content')))
  process.exitCode = EXIT.failed
}
