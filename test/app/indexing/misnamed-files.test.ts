import { mkdir, rm, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HashingEmbedder } from '../../fakes/hashing-embedder.ts'
import { Sandbox } from '../../fakes/store.ts'

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(() => sandbox.remove())

/** File systems of macOS and Windows have no such names. */
const itOnLinux = test.skipIf(platform() !== 'linux')

const toPath = (folder: string, name: string) =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')])

itOnLinux('files whose names are not UTF-8 are indexed by the bytes of their names', async () => {
  const passim = await sandbox.open({ embedder: new HashingEmbedder() })
  const folder = (await sandbox.write({ 'docs/fox.txt': 'The fox.' })).replace(/\/?$/, '/docs')
  await writeFile(toPath(folder, 'caf\xe9.md'), 'The espresso.')
  await writeFile(toPath(folder, 'caf\xe8.md'), `The tea.${'\n'.repeat(1_100_000)}`)
  await writeFile(toPath(folder, '.hidden\xff'), 'Hidden.')
  await writeFile(`${folder}/zeichen�.md`, 'This sign is in the name.')
  await mkdir(toPath(folder, '\xd6\xd0'))
  await writeFile(toPath(folder, '\xd6\xd0/\xce\xc4.txt'), 'The lighthouse.')
  const { documents } = await passim.index([folder])
  expect(documents.map(({ source }) => source.slice(folder.length + 1)).toSorted()).toEqual([
    '\\xd6\\xd0/\\xce\\xc4.txt',
    'caf\\xe8.md',
    'caf\\xe9.md',
    'fox.txt',
    'zeichen�.md',
  ])
  const findName = async (query: string) => {
    const [hit] = await passim.search({ query, mode: 'keyword' })
    return hit?.name
  }
  expect(await findName('espresso')).toBe('caf\\xe9.md')
  expect(await findName('tea')).toBe('caf\\xe8.md')
  expect(await findName('lighthouse')).toBe('\\xce\\xc4.txt')
  expect(await findName('sign')).toBe('zeichen�.md')

  await writeFile(toPath(folder, 'caf\xe9.md'), 'The ristretto.')
  await rm(toPath(folder, '\xd6\xd0'), { recursive: true })
  const { totals } = await passim.index([folder])
  expect(totals).toMatchObject({ replaced: 1, removed: 1, unchanged: 3 })
  expect(await findName('ristretto')).toBe('caf\\xe9.md')

  const alone = await passim.index([`${folder}/caf\\xe8.md`], { collection: 'alone' })
  expect(alone.totals).toMatchObject({ indexed: 1 })
})

itOnLinux('a path that has lost its bytes is refused with a way out', async () => {
  const passim = await sandbox.open({ embedder: new HashingEmbedder() })
  const { documents } = await passim.index([sandbox.path('caf�.md')])
  expect(documents[0]?.error?.message).toMatch(/^The name of .* is not UTF-8/)
  expect(documents[0]?.error?.advice).toContain('convmv')
})
