import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let file: string

beforeAll(async () => {
  sandbox = await Sandbox.make()
  file = path.join(
    await sandbox.write({ 'leave.txt': 'Every employee has 25 days of leave a year.' }),
    'leave.txt',
  )
  await runCli(sandbox.home, ['index', file, '--quiet'])
})
afterAll(() => sandbox.remove())

const passim = (...args: readonly string[]) => runCli(sandbox.home, args)

test('wrong usage is told where to read the right one', async () => {
  const { code, stdout, stderr } = await passim('search')
  const told = "error: missing required argument 'query'\nSee passim search --help.\n"
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: told })
})

test.each([
  ['--strictness', '7', 'It must be a number from 0 to 1.'],
  ['--effort', 'huge', 'Allowed choices are low, medium, high.'],
])('a wrong value of %s is told once', async (option, value, problem) => {
  const { code, stderr } = await passim('ask', 'Leave?', option, value)
  const told = new RegExp(
    `^error: option '${option}.*' argument '${value}' is invalid. ${problem}\n`,
  )
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(told) })
  expect(stderr.match(/error:/g)).toHaveLength(1)
})

test('a misspelt command is told the right spelling', async () => {
  expect((await passim('serach', 'x')).stderr).toMatch(
    /Did you mean search\?\)\nSee passim --help\.\n$/,
  )
})

test('words that the shell took apart are told to be put in quotation marks, with the line to type', async () => {
  const cases: readonly (readonly [string, ...string[]])[] = [
    ['passim ask "how long is it?"', 'ask', 'how', 'long', 'is', 'it?'],
    ['passim search "notice \\$period"', 'search', 'notice', '$period'],
    ['passim collections create "my papers"', 'collections', 'create', 'my', 'papers'],
    [
      'ask takes one question, and files with --file; unexpected: a.pdf',
      'ask',
      'how long?',
      'a.pdf',
    ],
    ['passim ask "…"', 'chat', 'how', 'long'],
  ]
  for (const [told, ...args] of cases) {
    const { code, stderr } = await passim(...args)
    expect(code, args.join(' ')).toBe(2)
    expect(stderr).toContain(told)
  }
  expect((await passim('ask', ...Array(500).fill('word'))).stderr.length).toBeLessThan(500)
})

test('what is wrong with a question is told first and alone, with what to do', async () => {
  const empty =
    'passim: The question is empty: ask something, in at least one word. (invalid_input)\n'
  const nowhere = path.join(sandbox.folder, 'no-store')
  for (const args of [
    ['', '--home', nowhere],
    [' ', '--continue'],
    ['', '--file', file],
  ])
    expect(await passim('ask', ...args)).toEqual({ code: 2, stdout: '', stderr: empty })
  for (const args of [
    ['--effort', 'high'],
    ['--effort', 'high', '--continue'],
    ['--file', sandbox.path('nothing')],
  ])
    expect((await passim('ask', 'How much?', ...args)).stderr).not.toContain('No chat model')
  expect((await passim('search', ' ')).stderr).toMatch(
    /^passim: The query is empty: give it at least one word\./,
  )
})

test('a short option is told in its other case, where there is that one', async () => {
  expect((await passim('search', 'x', '-C', 'papers')).stderr).toMatch(
    /'-C'\n\(Did you mean -c\?\)\nSee/,
  )
  expect((await passim('search', 'x', '-Q')).stderr).toContain('(Did you mean -q?)')
  expect((await passim('-v')).stderr).toContain('(Did you mean -V?)')
  expect((await passim('search', 'x', '-Z')).stderr).toMatch(/^error: unknown option '-Z'\nSee/)
})
