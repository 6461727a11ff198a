import { afterEach, beforeEach, expect, test } from 'vitest'
import { getSentences } from '../../src/cli/sentences/sentences.ts'
import { builtinParsers } from '../../src/ingest/parse/parsers/index.ts'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(() => sandbox.remove())

test.each(['en', 'zh'] as const)('the formats of doctor have plain names in %s', language => {
  const { formats } = getSentences(language).doctor
  for (const { id } of builtinParsers) {
    const name = id.split('@')[0] ?? id
    expect(formats([name])).not.toBe(formats([`${name} `]).trimEnd())
  }
})

test('progress says what is counted', () => {
  const { stage, step } = getSentences('en').work
  expect([stage('chunk', 1), stage('embed', 1, 3)]).toEqual([
    'cutting chunk 1',
    'embedding chunk 1/3',
  ])
  expect(step('parse', 2, 10)).toBe('reading page 2 of 10')
})

test('nothing is written if no answer is rated, and that is said', async () => {
  const folder = await sandbox.write({ 'a.md': 'A heron.' })
  await runCli(sandbox.home, ['index', folder])
  const file = sandbox.path('judged.jsonl')
  const { stderr } = await runCli(sandbox.home, ['conversations', 'judged', file])
  expect(stderr).toContain('No answer is rated yet')
  const again = await runCli(sandbox.home, ['conversations', 'judged', file])
  expect(again.stderr).not.toContain('conflict')
})
