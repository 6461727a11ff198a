import { Command, InvalidArgumentError, Option } from 'commander'
import { detectLocaleLanguage } from '../config.ts'
import { OCR_MODES } from '../ingest/parse/parser.ts'
import type { GlobalOptions } from './output.ts'
import { getSentences } from './sentences/sentences.ts'

export type AddCommand = (program: Command) => void

/** Characters of the input in messages, so that they stay readable. */
const MAX_ECHO = 100

/** Adds hints to Commander's usage errors. */
export class GuidedCommand extends Command {
  override createCommand(name?: string): Command {
    return new GuidedCommand(name)
  }

  /** Lets groups accept unknown words in order to list their commands. */
  override copyInheritedSettings(source: Command): this {
    return super.copyInheritedSettings(source).allowExcessArguments(false)
  }

  override error(message: string, options: { readonly code?: string } = {}): never {
    const hint = this.#findHint(message, options.code)
    const told = hint === undefined ? message : `${message}\n(${hint})`
    const { usage } = getSentences(detectLocaleLanguage())
    return super.error(usage(options.code, told), options)
  }

  #findHint(message: string, code: string | undefined): string | undefined {
    if (code === 'commander.excessArguments') return findQuotingHint(this)
    return code === 'commander.unknownOption' ? findCaseHint(this, message) : undefined
  }
}

/** Takes a word with a space for a quoted one, so that what follows is a separate argument. */
function findQuotingHint(command: Command): string | undefined {
  const { args, registeredArguments, options } = command
  const [argument, ...more] = registeredArguments
  if (!argument || more.length > 0) return undefined
  const files = options.some(({ long }) => long === '--file') ? ', and files with --file' : ''
  const taken = `${command.name()} takes one ${argument.name()}${files}`
  if (args.some(word => /\s/.test(word))) return `${taken}; unexpected: ${args.slice(1).join(' ')}`
  const words = args.join(' ')
  const text = words.length > MAX_ECHO ? `${words.slice(0, MAX_ECHO)}…` : words
  const line = `${formatCommandLine(command)} "${text.replace(/["\\$`]/g, '\\$&')}"`
  return `${taken}. If these words are one ${argument.name()}, quote them: ${line}`
}

/** Returns the command as typed: `passim collections create`. */
function formatCommandLine(command: Command): string {
  return command.parent ? `${formatCommandLine(command.parent)} ${command.name()}` : command.name()
}

/** Adds to Commander's suggestions, which are for long options only. */
function findCaseHint(command: Command, message: string): string | undefined {
  const letter = /'-([a-z])/i.exec(message)?.[1]
  if (letter === undefined) return undefined
  const other = `-${letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()}`
  return listOptions(command).some(({ short }) => short === other)
    ? `Did you mean ${other}?`
    : undefined
}

function listOptions(command: Command): readonly Option[] {
  const own = command.createHelp().visibleOptions(command)
  return command.parent ? [...own, ...listOptions(command.parent)] : own
}

/** Includes global values. */
export function getAllOptions<Options>(command: Command): Options & GlobalOptions {
  return command.optsWithGlobals<Options & GlobalOptions>()
}

/** Refuses arguments of a group that lists, except the word list itself. */
export function refuseArguments(command: Command): void {
  const [first, ...more] = command.args
  if (first === undefined || (first === 'list' && more.length === 0)) return
  const names = command.commands.map(one => one.name()).join(', ')
  command.error(`error: unknown command '${first}' of ${command.name()}. Commands: ${names}.`)
}

export function collectValues(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

export function parsePositiveInteger(value: string): number {
  const number = Number(value)
  if (Number.isInteger(number) && number > 0) return number
  throw new InvalidArgumentError('It must be a whole number of at least 1.')
}

export function parsePort(value: string): number {
  const number = Number(value)
  if (value.trim() !== '' && Number.isInteger(number) && number >= 0 && number <= 65_535)
    return number
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.')
}

export function share(value: string): number {
  const number = Number(value)
  if (number >= 0 && number <= 1) return number
  throw new InvalidArgumentError('It must be a number from 0 to 1.')
}

export const PRECISE =
  'rank the best hits again by their best sentences: better results, up to a second slower'

export const STRICTNESS =
  'how certain an answer without a model must be, from 0 (always answer) to 1 (default 0.5)'

export function createOcrOption(): Option {
  return new Option(
    '--ocr <mode>',
    'OCR: only where a page has no text, never, or on all pages',
  ).choices(OCR_MODES)
}

export function formatExample(...lines: readonly string[]): string {
  return `\nExample:\n${lines.map(line => `  $ ${line}`).join('\n')}\n`
}
