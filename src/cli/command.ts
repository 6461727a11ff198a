import { type Command, InvalidArgumentError, Option } from 'commander'
import { OCR_MODES } from '../ingest/parser.ts'
import type { GlobalOptions } from './output.ts'

/** One command of the program: adds itself with its options, an example, and what it does. */
export type AddCommand = (program: Command) => void

/** The options of a command together with those that every command has. */
export function allOptions<Options>(command: Command): Options & GlobalOptions {
  return command.optsWithGlobals<Options & GlobalOptions>()
}

/** For a command that has others under it: an argument was meant for one of these. */
export function refuseArguments(command: Command): void {
  const [first] = command.args
  if (first === undefined) return
  const names = command.commands.map(one => one.name()).join(', ')
  command.error(`error: unknown command '${first}' of ${command.name()}. There are: ${names}.`)
}

/** Collects an option that may be given several times. */
export function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

export function positiveInteger(value: string): number {
  const number = Number(value)
  if (Number.isInteger(number) && number > 0) return number
  throw new InvalidArgumentError('Give a whole number above 0.')
}

export function wholeNumber(value: string): number {
  const number = Number(value)
  if (value.trim() !== '' && Number.isInteger(number) && number >= 0) return number
  throw new InvalidArgumentError('Give a whole number, 0 or more.')
}

export function portNumber(value: string): number {
  const number = Number(value)
  if (value.trim() !== '' && Number.isInteger(number) && number >= 0 && number <= 65_535) return number
  throw new InvalidArgumentError('Give a number from 0 to 65535.')
}

export function share(value: string): number {
  const number = Number(value)
  if (number >= 0 && number <= 1) return number
  throw new InvalidArgumentError('Give a share from 0 to 1.')
}

/** What `--precise` is, wherever there is a search. */
export const PRECISE = 'put the best hits in order by their best sentences: better, up to a second slower'

/** What `--strictness` is, wherever there are answers. */
export const STRICTNESS = 'how sure an extractive answer has to be, from 0 (answer anyhow) to 1; default 0.5'

export function ocrOption(): Option {
  return new Option('--ocr <mode>', 'read pictures of text: where there is no other text, never, or all').choices(
    OCR_MODES,
  )
}

/** Commander's help shows it below the options. */
export function example(...lines: readonly string[]): string {
  return `\nExample:\n${lines.map(line => `  $ ${line}`).join('\n')}\n`
}
