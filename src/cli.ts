#!/usr/bin/env node
import module from 'node:module'
import { CommanderError } from 'commander'
import { readPackageVersion } from './app/version.ts'
import { type AddCommand, GuidedCommand } from './cli/command.ts'
import { explainMissingPart } from './cli/missing-part.ts'
import { EXIT, exitOnBrokenPipe, getExitCode, Output } from './cli/output.ts'
import { toPrintable } from './cli/printable.ts'
import { toAppError } from './errors.ts'
import type { CommandErrorJson } from './wire/error.ts'

/** Sorted as in the help. Loads the command that runs, or all for the help. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  index: async () => (await import('./cli/index-command.ts')).addIndex,
  put: async () => (await import('./cli/documents.ts')).addPut,
  find: async () => (await import('./cli/search/find.ts')).addFind,
  search: async () => (await import('./cli/search/search.ts')).addSearch,
  ask: async () => (await import('./cli/ask.ts')).addAsk,
  chat: async () => (await import('./cli/chat.ts')).addChat,
  conversations: async () => (await import('./cli/conversations.ts')).addConversations,
  parse: async () => (await import('./cli/parse.ts')).addParse,
  chunks: async () => (await import('./cli/parse.ts')).addChunks,
  tables: async () => (await import('./cli/tables.ts')).addTables,
  list: async () => (await import('./cli/documents.ts')).addList,
  show: async () => (await import('./cli/documents.ts')).addShow,
  delete: async () => (await import('./cli/deleting.ts')).addDelete,
  restore: async () => (await import('./cli/deleting.ts')).addRestore,
  collections: async () => (await import('./cli/collections.ts')).addCollections,
  synonyms: async () => (await import('./cli/synonyms.ts')).addSynonyms,
  jobs: async () => (await import('./cli/jobs.ts')).addJobs,
  keys: async () => (await import('./cli/keys.ts')).addKeys,
  serve: async () => (await import('./cli/serve.ts')).addServe,
  work: async () => (await import('./cli/jobs.ts')).addWork,
  mcp: async () => (await import('./cli/mcp.ts')).addMcp,
  eval: async () => (await import('./cli/eval.ts')).addEval,
  verify: async () => (await import('./cli/maintenance.ts')).addVerify,
  export: async () => (await import('./cli/backup.ts')).addExport,
  import: async () => (await import('./cli/backup.ts')).addImport,
  doctor: async () => (await import('./cli/maintenance.ts')).addDoctor,
  migrate: async () => (await import('./cli/maintenance.ts')).addMigrate,
}

/** Commands that keep their work when stopped and continue it later. */
const GOES_ON: ReadonlySet<string> = new Set(['index', 're-embed', 'retry', 'eval'])

let running = ''
const program = new GuidedCommand('passim')
  .description(
    'Index documents and answer questions about them, with citations that can be checked.',
  )
  .version(readPackageVersion())
  .option('--home <dir>', 'folder of the store (default $PASSIM_HOME or ~/.passim)')
  .option('--config <file>', 'settings file to use instead of config.yaml in the home')
  .option('--json', 'print JSON')
  .option('-q, --quiet', 'print results and errors only')
  .option('--no-wait', 'fail instead of waiting if a collection or store is in use')
  .exitOverride()
  .configureOutput({ writeErr: text => process.stderr.write(toPrintable(text)) })
  .hook('preAction', (_, command) => {
    running = command.name()
  })

exitOnBrokenPipe()
keepCompiledCode()
try {
  for (const load of selectCommands(program.parseOptions(process.argv.slice(2)).operands))
    (await load())(program)
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

/** Returns all without a name, so that Commander lists them. */
function selectCommands([name = '']: readonly string[]): readonly (() => Promise<AddCommand>)[] {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  return load ? [load] : Object.values(COMMANDS)
}

function report(error: unknown): number {
  const output = new Output(program.opts())
  if (error instanceof CommanderError) return reportUsage(error, output)
  const missing = explainMissingPart(error)
  const failure = missing ?? toAppError(error)
  const { code, message, advice } = failure
  const { sentences } = output
  if (output.isJson)
    output.writeJsonLine<CommandErrorJson>({ error: { code, message, ...(advice && { advice }) } })
  if (code === 'cancelled') {
    const told = GOES_ON.has(running) ? sentences.resumes : sentences.stopped
    output.writeFailure(sentences.passim(told))
    return EXIT.stopped
  }
  output.writeFailure(sentences.passim(sentences.failure(failure)))
  if (missing) process.exit(EXIT.unable) // Node reports the failure once per importing module
  return getExitCode(error)
}

function reportUsage({ code, exitCode }: CommanderError, output: Output): number {
  if (exitCode === 0) return EXIT.done
  const [name = ''] = program.parseOptions(process.argv.slice(2)).operands
  if (code !== 'commander.help')
    output.writeFailure(
      output.sentences.help(Object.hasOwn(COMMANDS, name) ? `passim ${name}` : 'passim'),
    )
  return EXIT.usage
}

/** Needs Node 22.8. */
function keepCompiledCode(): void {
  const { enableCompileCache } = module as { enableCompileCache?: () => void } // missing in the types of Node 20
  enableCompileCache?.()
}
