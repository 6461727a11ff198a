import { Command, type Help, InvalidArgumentError, Option } from 'commander'
import { detectLocaleLanguage } from '../config.ts'
import { OCR_MODES } from '../ingest/parse/parser.ts'
import { ChineseHelp } from './help/chinese-help.ts'
import { findSimilarNames } from './help/similar-names.ts'
import type { GlobalOptions } from './output.ts'
import { getUserSentences } from './sentences/sentences.ts'

export type AddCommand = (program: Command) => void

/** Characters of the input in messages, so that they stay readable. */
const MAX_ECHO = 100

/** Words usage errors in the user's language, and adds hints. */
export class GuidedCommand extends Command {
  override createCommand(name?: string): Command {
    return new GuidedCommand(name)
  }

  override createHelp(): Help {
    if (detectLocaleLanguage() === 'en') return super.createHelp()
    return Object.assign(new ChineseHelp(), this.configureHelp())
  }

  /** Lets groups accept unknown words in order to list their commands. */
  override copyInheritedSettings(source: Command): this {
    return super.copyInheritedSettings(source).allowExcessArguments(false)
  }

  override addOption(option: Option): this {
    const { parseArg, argChoices: choices } = option
    if (!parseArg) return super.addOption(option)
    option.argParser((value: string, before: unknown) => {
      try {
        return parseArg(value, before)
      } catch (error) {
        if (!(error instanceof InvalidArgumentError)) throw error
        const { usage } = getUserSentences()
        const problem = choices ? usage.choices(choices) : error.message
        this.error(usage.invalidValue(option.flags, value, problem))
      }
    })
    return super.addOption(option)
  }

  override error(message: string, options: { readonly code?: string } = {}): never {
    if (options.code !== 'commander.excessArguments') return super.error(message, options)
    const { parent, args, registeredArguments } = this
    const { usage } = getUserSentences()
    const sentence = usage.tooMany(
      parent ? this.name() : '',
      registeredArguments.length,
      args.length,
    )
    return super.error(withHint(sentence, findQuotingHint(this)), options)
  }

  missingArgument(name: string): void {
    this.error(getUserSentences().usage.missingArgument(name), {
      code: 'commander.missingArgument',
    })
  }

  optionMissingArgument({ flags }: Option): void {
    const sentence = getUserSentences().usage.missingValue(flags)
    this.error(sentence, { code: 'commander.optionMissingArgument' })
  }

  missingMandatoryOptionValue({ flags }: Option): void {
    const sentence = getUserSentences().usage.missingOption(flags)
    this.error(sentence, { code: 'commander.missingMandatoryOptionValue' })
  }

  unknownOption(flag: string): void {
    const { usage } = getUserSentences()
    const hint = formatSuggestion(findSimilarFlags(this, flag))
    this.error(withHint(usage.unknownOption(flag), hint), { code: 'commander.unknownOption' })
  }

  unknownCommand(): void {
    const [name = ''] = this.args
    const names = this.createHelp()
      .visibleCommands(this)
      .map(command => command.name())
    const sentence = getUserSentences().usage.unknownCommand(name)
    const hint = formatSuggestion(findCommands(name, names))
    this.error(withHint(sentence, hint), { code: 'commander.unknownCommand' })
  }
}

/** Commands by names that other programs give them. */
const COMMANDS_BY_OTHER_NAME: Readonly<Record<string, readonly string[]>> = {
  add: ['index', 'put'],
  backup: ['export'],
  check: ['verify', 'doctor'],
  documents: ['list'],
  ls: ['list'],
  load: ['import'],
  query: ['search', 'ask'],
  remove: ['delete'],
  repair: ['verify'],
  rm: ['delete'],
  server: ['serve'],
  start: ['serve'],
  status: ['doctor', 'jobs'],
  undelete: ['restore'],
  upload: ['index', 'put'],
}

function findCommands(name: string, names: readonly string[]): readonly string[] {
  return Object.hasOwn(COMMANDS_BY_OTHER_NAME, name)
    ? (COMMANDS_BY_OTHER_NAME[name] ?? [])
    : findSimilarNames(name, names)
}

function withHint(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message}\n${getUserSentences().usage.hint(hint)}`
}

function formatSuggestion(names: readonly string[]): string | undefined {
  return names.length > 0 ? getUserSentences().usage.similar(names) : undefined
}

function findQuotingHint(command: Command): string | undefined {
  const { args, registeredArguments, options } = command
  const [argument, ...more] = registeredArguments
  if (!argument || more.length > 0) return undefined
  const { usage } = getUserSentences()
  const hasFiles = options.some(({ long }) => long === '--file')
  const sentence = usage.takesOne(command.name(), argument.name(), hasFiles)
  if (args.some(word => /\s/.test(word))) return usage.unexpected(sentence, args.slice(1).join(' '))
  const words = args.join(' ')
  const text = words.length > MAX_ECHO ? `${words.slice(0, MAX_ECHO)}…` : words
  const line = `${formatCommandLine(command)} "${text.replace(/["\\$`]/g, '\\$&')}"`
  return usage.quote(sentence, argument.name(), line)
}

export function formatCommandLine(command: Command): string {
  return command.parent ? `${formatCommandLine(command.parent)} ${command.name()}` : command.name()
}

/** Returns long options spelt like this one, or a short one in the other case. */
function findSimilarFlags(command: Command, flag: string): readonly string[] {
  const options = listOptions(command)
  if (flag.startsWith('--')) {
    const names = options.flatMap(({ long }) => (long ? [long.slice(2)] : []))
    return findSimilarNames(flag.slice(2), names).map(name => `--${name}`)
  }
  const letter = flag.charAt(1)
  const other = `-${letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()}`
  return options.some(({ short }) => short === other) ? [other] : []
}

function listOptions(command: Command): readonly Option[] {
  const own = command.createHelp().visibleOptions(command)
  return command.parent ? [...own, ...listOptions(command.parent)] : own
}

export function getAllOptions<Options>(command: Command): Options & GlobalOptions {
  return command.optsWithGlobals<Options & GlobalOptions>()
}

export function refuseArguments(command: Command): void {
  const [first, ...more] = command.args
  if (first === undefined || (first === 'list' && more.length === 0)) return
  const names = command.commands.map(command => command.name())
  command.error(getUserSentences().usage.unknownSubcommand(first, command.name(), names))
}

export function collectValues(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

export function parsePositiveInteger(value: string): number {
  const number = Number(value)
  if (Number.isInteger(number) && number > 0) return number
  throw new InvalidArgumentError(getUserSentences().usage.positiveInteger)
}

export function parsePort(value: string): number {
  const number = Number(value)
  if (value.trim() !== '' && Number.isInteger(number) && number >= 0 && number <= 65_535)
    return number
  throw new InvalidArgumentError(getUserSentences().usage.port)
}

export function share(value: string): number {
  const number = Number(value)
  if (number >= 0 && number <= 1) return number
  throw new InvalidArgumentError(getUserSentences().usage.share)
}

export const PRECISE =
  'rank the best hits again by their best sentences: better results, up to a second slower'

export const STRICTNESS =
  'how certain an answer without a model must be, from 0 (always answer) to 1 (default 0.5)'

export const MAX_RISK =
  'maximum share of wrong ones among answers without a model and among confirmed sentences of one, such as 0.2 (default 1: any)'

export function createOcrOption(): Option {
  return new Option(
    '--ocr <mode>',
    'OCR: only where a page has no text, never, or on all pages',
  ).choices(OCR_MODES)
}

export function formatExample(...lines: readonly string[]): string {
  return `\n${getUserSentences().notes.example}\n${lines.map(line => `  $ ${line}`).join('\n')}\n`
}
