import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { COMMANDS, createProgram } from '../../src/cli/commands.ts'
import { ChineseHelp } from '../../src/cli/help/chinese-help.ts'
import { findSimilarNames } from '../../src/cli/help/similar-names.ts'
import { getSentences } from '../../src/cli/sentences/sentences.ts'
import { HELP } from '../../src/cli/sentences/zh-help.ts'
import { measureWidth } from '../../src/text/line-width.ts'

const HAN = /\p{Script=Han}/u

async function listCommands(): Promise<readonly Command[]> {
  const program = createProgram()
  for (const load of Object.values(COMMANDS)) (await load())(program)
  const withInner = (command: Command): readonly Command[] => [
    command,
    ...command.commands.flatMap(withInner),
  ]
  return withInner(program)
}

/** Everything that the help of a command says, as written in the code. */
function listTexts(command: Command): readonly string[] {
  const help = command.createHelp()
  return [
    command.description(),
    ...command.registeredArguments.map(({ description }) => description),
    ...help.visibleOptions(command).map(({ description }) => description),
    ...help.visibleCommands(command).map(inner => help.subcommandDescription(inner)),
  ].filter(text => text !== '')
}

const TITLES = ['Usage:', 'Arguments:', 'Options:', 'Commands:']

test('each command, argument and option has its help in Chinese, and no other text has', async () => {
  const texts = new Set([...TITLES, ...(await listCommands()).flatMap(listTexts)])
  expect([...texts].filter(text => !HELP.has(text))).toEqual([])
  expect([...HELP.keys()].filter(text => !texts.has(text))).toEqual([])
  for (const [english, chinese] of HELP) {
    expect(chinese, english).not.toMatch(/\p{Script=Han}[,:;(]|[,:;]\p{Script=Han}/u)
    if (english !== 'same as --hits') expect(chinese, english).toMatch(HAN)
  }
})

test('help in Chinese keeps the names of the English one and fits its width', async () => {
  for (const command of await listCommands()) {
    const [chinese, english] = [new ChineseHelp(), command.createHelp()].map(help => {
      help.prepareContext({ helpWidth: 80 })
      return help.formatHelp(command, help)
    })
    const flags = command.options.flatMap(({ long }) => (long ? [long] : []))
    for (const flag of flags) expect(chinese).toContain(flag)
    expect(english).toMatch(/^Usage: passim/)
    expect(chinese).toMatch(/^用法：passim/)
    for (const line of chinese?.split('\n').slice(1) ?? []) {
      expect(measureWidth(line)).toBeLessThanOrEqual(80)
    }
  }
})

test('a note below the help in Chinese has the names and values of the English one', () => {
  const [en, zh] = [getSentences('en').notes, getSentences('zh').notes]
  const listNames = (text: string) =>
    [...text.matchAll(/--\w+|\.\w+ignore|\w+\.(?:jsonl|tsv)|"\w+"(?=[,}])|=>|\bmediaType\b/g)]
      .map(([name]) => name)
      .toSorted()
  for (const key of Object.keys(en) as (keyof typeof en)[])
    expect(listNames(zh[key]), key).toEqual(listNames(en[key]))
})

test('similar names are those with the fewest edits, as Commander suggests them', () => {
  const names = ['search', 'serve', 'show', 'synonyms', 'keys']
  expect(findSimilarNames('serach', names)).toEqual(['search'])
  expect(findSimilarNames('shwo', names)).toEqual(['show'])
  expect(findSimilarNames('key', names)).toEqual(['keys'])
  expect(findSimilarNames('xyz', names)).toEqual([])
  expect(findSimilarNames('ser', ['seri', 'serk', 'other'])).toEqual(['seri', 'serk'])
})
