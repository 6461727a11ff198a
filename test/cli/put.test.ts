import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await Sandbox.make()
  await sandbox.write({ 'lease.md': 'The notice period is three months.', 'empty.md': '' })
})
afterAll(() => sandbox.remove())

const passim = (...args: readonly string[]) => runCli(sandbox.home, args)

test('a file is put under an id, and again only if it changed', async () => {
  const put = ['put', 'contract/7', sandbox.path('lease.md'), '-c', 'contracts']
  const first = await passim(...put, '--attribute', 'year=2026', '--title', 'Lease', '--json')
  expect(first.code).toBe(0)
  expect(JSON.parse(first.stdout)).toMatchObject({
    externalId: 'contract/7',
    collection: 'contracts',
    result: 'created',
    status: 'completed',
    title: 'Lease',
    attributes: { year: '2026' },
  })
  const again = await passim(...put, '--attribute', 'year=2026', '--title', 'Lease')
  expect(again.stdout).toContain('unchanged: contract/7')
  await sandbox.write({ 'lease.md': 'The notice period is six months.' })
  expect((await passim(...put)).stdout).toContain('replaced: contract/7')
  expect((await passim('show', 'id:contract/7', '--text')).stdout).toContain('six months')
  expect((await passim('show', 'id:contract/7', '--chunks')).stdout).toMatch(
    /^--- chunk_\w+, .+\nThe notice period is six months\.$/m,
  )
})

test('a file without text fails with 1, a missing file too, and a wrong attribute with 2', async () => {
  expect(await passim('put', 'a', sandbox.path('empty.md'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('empty'),
  })
  expect((await passim('put', 'a', sandbox.path('none.md'))).code).toBe(1)
  expect((await passim('put', 'a', sandbox.path('lease.md'), '--attribute', 'year')).code).toBe(2)
})

test('facts of the earlier text, which only rights need, are not shown', async () => {
  await passim('put', 'draft', sandbox.path('lease.md'), '-c', 'drafts')
  const store = await sandbox.open()
  const drafts = await store.scope.findCollection('drafts')
  await store.documentPuts.putContent(drafts, { id: 'draft', text: 'The notice period is a year.' })
  await sandbox.close()
  for (const command of [['list'], ['show', 'id:draft']]) {
    const { stdout } = await passim(...command, '-c', 'drafts', '--json')
    expect(stdout).toContain('"in_progress"')
    expect(stdout).not.toContain('earlierFacts')
  }
})
