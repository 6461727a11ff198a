#!/usr/bin/env node
import module from 'node:module'
import { Command, CommanderError } from 'commander'
import { packageVersion } from './app/version.ts'
import { addAsk } from './cli/ask.ts'
import { addExport, addImport } from './cli/backup.ts'
import { addChat } from './cli/chat.ts'
import { addCollections } from './cli/collections.ts'
import { addConversations } from './cli/conversations.ts'
import { addDelete, addRestore } from './cli/deleting.ts'
import { addList, addShow } from './cli/documents.ts'
import { addEval } from './cli/eval.ts'
import { addIndex } from './cli/index-command.ts'
import { addJobs } from './cli/jobs.ts'
import { addKeys } from './cli/keys.ts'
import { addDoctor, addMigrate, addVerify } from './cli/maintenance.ts'
import { addMcp } from './cli/mcp.ts'
import { missingPart } from './cli/missing-part.ts'
import { EXIT, endQuietlyWhenUnread, exitCodeOf, Output } from './cli/output.ts'
import { addChunks, addParse } from './cli/parse.ts'
import { printable } from './cli/printable.ts'
import { addSearch } from './cli/search.ts'
import { addServe } from './cli/serve.ts'
import { addTables } from './cli/tables.ts'
import { addWork } from './cli/work.ts'
import { toAppError } from './errors.ts'

const COMMANDS = [
  addIndex,
  addSearch,
  addAsk,
  addChat,
  addConversations,
  addParse,
  addChunks,
  addTables,
  addList,
  addShow,
  addDelete,
  addRestore,
  addCollections,
  addJobs,
  addKeys,
  addServe,
  addWork,
  addMcp,
  addEval,
  addVerify,
  addExport,
  addImport,
  addDoctor,
  addMigrate,
]

/** Commands that keep what they have done when they are stopped, and go on from there. */
const GOES_ON: ReadonlySet<string> = new Set(['index', 're-embed', 'retry', 'eval'])

let running = ''
const program = new Command('passim')
  .description('Index documents and answer questions about them, with citations that can be checked.')
  .version(packageVersion())
  .option('--home <dir>', 'where the store is (default $PASSIM_HOME or ~/.passim)')
  .option('--config <file>', 'settings file instead of config.yaml in the home')
  .option('--json', 'print JSON')
  .option('-q, --quiet', 'say nothing but what was asked for and why a command failed')
  .option('--no-wait', 'fail instead of waiting for a collection in use')
  .exitOverride()
  .configureOutput({ writeErr: text => process.stderr.write(printable(text)) })
  .hook('preAction', (_, command) => {
    running = command.name()
  })
for (const add of COMMANDS) add(program)

endQuietlyWhenUnread()
keepCompiledCode()
try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

/** Commander has said itself what was wrong with the usage. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  const output = new Output(program.opts())
  const missing = missingPart(error)
  const { code, message } = missing ?? toAppError(error)
  if (output.isJson) output.jsonLine({ error: { code, message } })
  if (code === 'cancelled') {
    const kept = GOES_ON.has(running) ? ' What was done is kept, and the next run goes on from there.' : ''
    output.failure(`passim: Stopped.${kept}`)
    return EXIT.stopped
  }
  output.failure(`passim: ${message} (${code})`)
  if (missing) process.exit(EXIT.unable) // Node tells of the same failure once for every module that met it
  return exitCodeOf(error)
}

/** What commands load is compiled once for all runs, where Node can: from 22.8 on. */
function keepCompiledCode(): void {
  const { enableCompileCache } = module as { enableCompileCache?: () => void } // unknown to the types of Node 20
  enableCompileCache?.()
}
