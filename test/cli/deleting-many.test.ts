import { afterAll, beforeAll, expect, test } from 'vitest'
import { open } from '../../src/index.ts'
import { readFilter } from '../../src/search/filter-text.ts'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await Sandbox.make()
  const passim = await open({ home: sandbox.home })
  for (const [id, status] of Object.entries({
    a: 'draft',
    b: 'draft',
    c: 'final',
    d: 'final',
    e: 'old',
  }))
    await passim.documents.put({
      id,
      text: `Text ${id}.`,
      attributes: { status },
      collection: 'papers',
    })
  await passim.close()
})
afterAll(() => sandbox.remove())

const passim = (...args: readonly string[]) => runCli(sandbox.home, args)

async function listIds() {
  const { documents } = JSON.parse((await passim('list', '--json')).stdout)
  return documents.map(({ externalId }: { externalId: string }) => externalId)
}

test('documents that match a filter are deleted once this is confirmed', async () => {
  const matching = ['delete', '-c', 'papers', '--filter', 'status=draft'] as const
  expect(await passim(...matching)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Collection papers: 2 documents\..*Add --yes/s),
  })
  expect(await listIds()).toEqual(['a', 'b', 'c', 'd', 'e'])
  const deleted = await passim(...matching, '--yes')
  expect(deleted.stdout).toContain('Deleted 2 documents.')
  expect(deleted.stderr).toMatch(/: passim restore$/m)
  expect(await listIds()).toEqual(['c', 'd', 'e'])
  expect(JSON.parse((await passim(...matching, '--json')).stdout)).toEqual({
    matched: 0,
    deleted: 0,
    missing: [],
    warnings: [],
    hasMore: false,
  })
})

test('an attribute that no document has is named before all that lack it are deleted', async () => {
  const before = await listIds()
  const unconfirmed = await passim('delete', '-c', 'papers', '--filter', 'sattus!=old')
  expect(unconfirmed).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /None of these documents has the attribute sattus.* status.*Nothing was deleted/s,
    ),
  })
  expect(await listIds()).toEqual(before)
})

test('a filter goes with a collection alone', async () => {
  for (const args of [
    ['--filter', 'status=old'],
    ['id:e', '-c', 'papers', '--filter', 'status=old'],
  ])
    expect(await passim('delete', ...args, '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Use --filter with -c NAME'),
    })
})

test('of several documents none is deleted if one is missing', async () => {
  expect(await passim('delete', 'id:c', 'id:x')).toMatchObject({ code: 1 })
  expect(await listIds()).toEqual(['c', 'd', 'e'])
  expect((await passim('delete', 'id:c', 'id:d', 'id:c')).stdout).toContain('Deleted 2 documents.')
  expect(await listIds()).toEqual(['e'])
})

test('an attachment that goes with its mail does not stop the others', async () => {
  const folder = await sandbox.write({
    'mail.eml': `Subject: Trip
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

The trip begins on Monday.
--b
Content-Type: text/plain
Content-Disposition: attachment; filename=note.txt

Bring a coat.
--b--
`,
    'other.txt': 'Bring nothing.',
  })
  await passim('index', folder, '-c', 'mails')
  const { documents } = JSON.parse((await passim('list', '-c', 'mails', '--json')).stdout)
  const sources = documents.map(({ source }: { source: string }) => source)
  expect(sources).toHaveLength(3)
  const deleted = await passim('delete', ...sources.toSorted(), '-c', 'mails')
  expect(deleted).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Deleted 3 documents.'),
  })
  expect(JSON.parse((await passim('list', '-c', 'mails', '--json')).stdout).documents).toEqual([])
})

test('a program deletes by ids or by a filter, and not by both', async () => {
  const store = await open({ home: sandbox.home })
  const { documents } = store
  await documents.put({
    id: 'f',
    text: 'Text f.',
    attributes: { status: 'old' },
    collection: 'papers',
  })
  const filter = readFilter('status=old')
  const where = { collection: 'papers' }
  expect(await documents.deleteMany({ ...where, ids: ['f', 'x'] })).toEqual({
    matched: 1,
    deleted: 1,
    missing: ['x'],
    warnings: [],
  })
  expect(await documents.deleteMany({ ...where, filter, dryRun: true })).toMatchObject({
    matched: 1,
    deleted: 0,
  })
  await expect(documents.deleteMany({ ...where, ids: ['e'], filter })).rejects.toThrow(
    'not by both',
  )
  await expect(documents.deleteMany(where)).rejects.toThrow('by ids or by filter')
  await store.close()
})
