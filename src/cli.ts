#!/usr/bin/env node
import module from 'node:module'
import { CommanderError } from 'commander'
import type { AddCommand } from './cli/command.ts'
import { COMMANDS, createProgram } from './cli/commands.ts'
import { explainMissingPart } from './cli/missing-part.ts'
import { EXIT, exitOnBrokenPipe, getExitCode, Output } from './cli/output.ts'
import { toPrintable } from './cli/printable.ts'
import { toAppError } from './errors.ts'
import type { CommandErrorJson } from './wire/error.ts'

/** Commands that keep their work when stopped and continue it later. */
const GOES_ON: ReadonlySet<string> = new Set(['index', 're-embed', 'retry', 'eval'])

let running = ''
let audit: ((isFailed: boolean) => Promise<void>) | undefined
const program = createProgram()
  .exitOverride()
  .configureOutput({ writeErr: text => process.stderr.write(toPrintable(text)) })
  .hook('preAction', async (_, command) => {
    running = command.name()
    const { startAudit } = await import('./cli/session.ts')
    audit = await startAudit(command)
  })

exitOnBrokenPipe(async () => await endAudit(false))
keepCompiledCode()
try {
  for (const load of selectCommands(program.parseOptions(process.argv.slice(2)).operands))
    (await load())(program)
  await program.parseAsync()
  await endAudit(Boolean(process.exitCode))
} catch (error) {
  await endAudit(true)
  process.exitCode = report(error)
}

async function endAudit(isFailed: boolean): Promise<void> {
  const end = audit
  audit = undefined
  await end?.(isFailed)
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
    const sentence = GOES_ON.has(running) ? sentences.resumes : sentences.stopped
    output.writeFailure(sentences.passim(sentence))
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
