import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'
import { NEEDS_WEAVIATE, tenantsOf, weaviateUrl } from '../fakes/weaviate.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await Sandbox.make()
})
afterAll(() => sandbox.remove())

test.skipIf(weaviateUrl === undefined)(
  `collections move takes the index of a collection into Weaviate and back, and says so (${NEEDS_WEAVIATE})`,
  async () => {
    const passim = (...args: readonly string[]) =>
      runCli(sandbox.home, args, { PASSIM_WEAVIATE_URLS: weaviateUrl! }) // there is one
    const docs = await sandbox.write({
      'fox.txt': 'The quick brown fox.',
      'boat.txt': 'A red boat on the river.',
    })
    expect((await passim('index', docs, '--collection', 'papers', '--no-vectors')).code).toBe(0)
    const { collections } = JSON.parse((await passim('collections', '--json')).stdout)
    const { id } = collections[0] as { id: string }
    const before = await passim(
      'search',
      'quick fox',
      '--collection',
      'papers',
      '--mode',
      'keyword',
    )
    expect(before.stdout).toContain('fox.txt')
    expect(await passim('collections', 'move', 'papers', '--engine', 'oracle')).toMatchObject({
      code: 2,
    })

    const there = await passim('collections', 'move', 'papers', '--engine', 'weaviate')
    expect(there, there.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('weaviate'),
    })
    expect((await passim('collections')).stdout).toContain('weaviate')
    expect(await tenantsOf(id)).toBe(1)
    const found = await passim('search', 'river', '--collection', 'papers', '--mode', 'keyword')
    expect(found.stdout).toContain('boat.txt')
    expect((await passim('doctor')).stdout).toMatch(/weaviate.*ready/i)

    const away = await runCli(sandbox.home, ['search', 'river', '--collection', 'papers'])
    expect(away).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/weaviate\.urls.*move NAME --engine lance/),
    })
    const back = await runCli(sandbox.home, ['collections', 'move', 'papers', '--engine', 'lance'])
    expect(back, back.stderr).toMatchObject({ code: 0 })
    const again = await runCli(sandbox.home, [
      'search',
      'quick fox',
      '--collection',
      'papers',
      '--mode',
      'keyword',
    ])
    expect(again.stdout).toBe(before.stdout)
    await passim('index', docs, '--collection', 'papers', '--no-vectors') // its upkeep removes what nothing names
    expect(await tenantsOf(id)).toBe(0)
  },
)
