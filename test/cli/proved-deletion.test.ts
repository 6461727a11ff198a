import { afterAll, beforeAll, expect, test } from 'vitest'
import { deletedSchema } from '../../src/wire/deletion.ts'
import { scanRaw } from '../fakes/canaries.ts'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await Sandbox.make()
  const folder = await sandbox.write({
    'a.md': 'The aqueductfinch drinks at dawn from the fountain.',
    'b.md': 'Der Brunnen steht im Hof und ist aus rotem Sandstein.',
  })
  await runCli(sandbox.home, ['index', folder, '--no-vectors', '--quiet'])
})
afterAll(() => sandbox.remove())

test('a document is deleted with a proof, and with it the conversation that cites it', async () => {
  await runCli(sandbox.home, ['ask', 'Where does the aqueductfinch drink?'])
  const word = new Map([['word', Buffer.from('aqueductfinch')]])
  expect((await scanRaw(sandbox.home, word)).size).toBe(1)
  const deletion = ['delete', 'a.md', '--now', '--prove', '--yes', '--json']
  const { code, stdout } = await runCli(sandbox.home, deletion)
  const { report } = deletedSchema.parse(JSON.parse(stdout))
  expect(code).toBe(0)
  expect(report).toMatchObject({ proved: true, kind: 'document' })
  expect(report?.conversations).toHaveLength(1)
  expect((await scanRaw(sandbox.home, word)).size).toBe(0)
})

test('--prove needs --now, and everything is deleted only with both', async () => {
  const { code, stderr } = await runCli(sandbox.home, ['delete', 'b.md', '--prove'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('--now')])
  expect((await runCli(sandbox.home, ['delete', '--all', '--now', '--yes'])).code).toBe(2)
  const all = ['delete', '--all', '--now', '--prove', '--yes']
  const chinese = await runCli(sandbox.home, all, { LANG: 'zh_CN.UTF-8' })
  expect(chinese.code).toBe(0)
  expect(chinese.stdout).toContain('已证明：本存储中没有任何残留。')
})
