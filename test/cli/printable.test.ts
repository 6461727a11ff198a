import { expect, test } from 'vitest'
import type { AgentEvent, AgentResult } from '../../src/agent/event.ts'
import type { Citation } from '../../src/answer/citations/citation.ts'
import { streamAnswer } from '../../src/cli/answer-text.ts'
import { parsePort } from '../../src/cli/command.ts'
import { Output } from '../../src/cli/output.ts'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

/** Escape sequences whole and cut off, a C1 control, and letters turned around. */
const EVIL = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u001b]8;;\u202egpj.exe\u2066'
const STEERING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

test('no words of a document or a model steer the terminal', async () => {
  const citation = {
    marker: 1,
    doc: `a${EVIL}.md`,
    source: `/a${EVIL}.md`,
    headings: [`Leave${EVIL}`],
    text: `24 days${EVIL}`,
    quoteVerified: true,
    verified: true,
    support: 'stated',
  } as unknown as Citation // what is shown of it
  const result = {
    question: '',
    text: `24\tdays${EVIL}`,
    citations: [citation],
    unsupported: [EVIL],
  } as unknown as AgentResult
  async function* events(): AsyncGenerator<AgentEvent> {
    yield { type: 'text-delta', text: `24\tdays${EVIL}` }
    yield { type: 'finish', result }
  }
  let shown = ''
  await streamAnswer(events(), text => {
    shown += text
  })
  expect(shown).toContain('24\tdays')
  expect(shown).not.toMatch(STEERING)
})

function terminal(isTTY: boolean, quiet: boolean) {
  let all = ''
  const stream = { isTTY, write: (text: string) => (all += text) } as unknown as NodeJS.WriteStream // all that is used
  const output = new Output({ quiet }, { stdout: stream, stderr: stream } as Pick<
    NodeJS.Process,
    'stdout' | 'stderr'
  >)
  return { output, written: () => all }
}

function written(isTTY: boolean, use: (output: Output) => void): string {
  const { output, written } = terminal(isTTY, false)
  use(output)
  return written()
}

test('whatever a command says is printable, on a terminal or not', () => {
  for (const isTTY of [true, false]) {
    expect(written(isTTY, output => output.writeResult<object>({}, () => `a\t${EVIL}\nb`))).toMatch(
      /^a\t.*\nb\n$/,
    )
    for (const say of ['writeMessage', 'writeFailure'] as const) {
      expect(written(isTTY, output => output[say](`a${EVIL}\nb`))).not.toMatch(STEERING)
      expect(written(isTTY, output => output[say]('a\nb'))).toBe('a b\n')
    }
    expect(written(isTTY, output => output.writeResult<object>({}, () => EVIL))).not.toMatch(
      STEERING,
    )
  }
})
test('JSON has the same value, with what steers a terminal escaped', () => {
  const line = written(true, output => output.writeJsonLine<object>({ [EVIL]: EVIL }))
  expect(line.trimEnd()).not.toMatch(STEERING)
  expect(JSON.parse(line)).toEqual({ [EVIL]: EVIL })
})
test('the text of a document is printable on a terminal, and true in a file', () => {
  expect(written(true, output => output.writeDocumentText(EVIL))).not.toMatch(STEERING)
  expect(written(false, output => output.writeDocumentText(EVIL))).toBe(EVIL)
})
test('nothing is said with --quiet but why a command failed', async () => {
  const { output, written } = terminal(false, true)
  output.writeMessage('one')
  await output.writeDone<object>({}, () => 'two')
  output.writeFailure('three')
  expect(written()).toBe('three\n')
})

test('names and texts of documents reach no terminal as they are', async () => {
  const sandbox = await Sandbox.make()
  try {
    const name = 'pay\u001b[31m\u202efdp.txt'
    const docs = await sandbox.write({
      ...{ [name]: `A unicorn${EVIL}.`, [`x/${name}`]: 'Another.' },
      'broken\u001b[2J.pdf': '%PDF-1.7\nnothing',
    })
    const passim = (...args: readonly string[]) => runCli(sandbox.home, args)
    const damaged = sandbox.path('broken\u001b[2J.pdf')
    const said = [
      await passim('index', docs, '--no-vectors'),
      await passim('list'),
      await passim('show', name), // two are called so
      await passim('search', 'unicorn'),
      await passim('parse', damaged),
      await passim('parse', '\u001b[31mnothing'),
      await passim('\u001b[31mserach'),
    ]
    for (const { stdout, stderr } of said) expect(stdout + stderr).not.toMatch(STEERING)
    expect((await passim('show', sandbox.path(name), '--text')).stdout).toContain(EVIL)
  } finally {
    await sandbox.remove()
  }
})
test('a port is a number', () => {
  expect(parsePort('0')).toBe(0)
  for (const wrong of ['abc', '', '-1', '65536', '80.5'])
    expect(() => parsePort(wrong)).toThrow('0 to 65535')
})
