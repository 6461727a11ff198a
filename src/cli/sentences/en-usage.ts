/** Errors in how a command is typed; the first ones are those of Commander. */
export const enUsage = {
  unknownOption: (flag: string) => `error: unknown option '${flag}'`,
  unknownCommand: (name: string) => `error: unknown command '${name}'`,
  unknownSubcommand: (name: string, group: string, names: readonly string[]) =>
    `error: unknown command '${name}' of ${group}. Commands: ${names.join(', ')}.`,
  missingArgument: (name: string) => `error: missing required argument '${name}'`,
  missingValue: (flags: string) => `error: option '${flags}' argument missing`,
  missingOption: (flags: string) => `error: required option '${flags}' not specified`,
  invalidValue: (flags: string, value: string, problem: string) =>
    `error: option '${flags}' argument '${value}' is invalid. ${problem}`,
  tooMany: (command: string, expected: number, actual: number) =>
    `error: too many arguments${command && ` for '${command}'`}. Expected ${expected} argument${expected === 1 ? '' : 's'} but got ${actual}.`,
  noQuestion: 'error: chat takes no question. To ask a single question: passim ask "…"',
  hint: (text: string) => `(${text})`,
  similar: (names: readonly string[]) =>
    `Did you mean ${names.length > 1 ? 'one of ' : ''}${names.join(', ')}?`,
  takesOne: (command: string, argument: string, hasFiles: boolean) =>
    `${command} takes one ${argument}${hasFiles ? ', and files with --file' : ''}`,
  unexpected: (usage: string, words: string) => `${usage}; unexpected: ${words}`,
  quote: (usage: string, argument: string, line: string) =>
    `${usage}. If these words are one ${argument}, quote them: ${line}`,
  choices: (names: readonly string[]) => `Allowed choices are ${names.join(', ')}.`,
  positiveInteger: 'It must be a whole number of at least 1.',
  port: 'It must be a whole number from 0 to 65535.',
  share: 'It must be a number from 0 to 1.',
  pages: 'It must be a page or a range, for example 7 or 3-9.',
  attribute: 'It must be KEY=VALUE.',
  crawl: (maxDepth: number) => `It must be "sitemap", or a number of links from 0 to ${maxDepth}.`,
}
