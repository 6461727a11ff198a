import { mkdir, writeFile } from 'node:fs/promises'
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

itOnLinux(
  'files and folders whose names are not UTF-8 are named by their bytes, with a way out',
  async () => {
    const passim = await sandbox.open({ embedder: new HashingEmbedder() })
    const folder = (await sandbox.write({ 'docs/fox.txt': 'The fox.' })).replace(/\/?$/, '/docs')
    await writeFile(toPath(folder, 'caf\xe9.md'), 'The café.')
    await writeFile(toPath(folder, 'caf\xe8.md'), 'The other café.')
    await writeFile(toPath(folder, '.hidden\xff'), 'Hidden.')
    await writeFile(`${folder}/zeichen�.md`, 'This sign is in the name.')
    await mkdir(toPath(folder, '\xd6\xd0'))
    const { documents, totals } = await passim.index([folder])
    const failed = documents.filter(({ status }) => status === 'failed')
    expect(failed.map(({ source }) => source.slice(folder.length + 1)).toSorted()).toEqual([
      '\\xd6\\xd0',
      'caf\\xe8.md',
      'caf\\xe9.md',
    ])
    for (const { error } of failed) {
      expect(error?.message).toMatch(/^The name of .*\\x.* is not UTF-8, .* Rename it/)
      expect(error?.advice).toContain('convmv')
    }
    expect(totals).toMatchObject({ failed: 3 })
    const [hit] = await passim.search({ query: 'sign', mode: 'keyword' })
    expect(hit?.name).toBe('zeichen�.md')
  },
)

itOnLinux('such a file that is named itself is refused with the same way out', async () => {
  const passim = await sandbox.open({ embedder: new HashingEmbedder() })
  const { documents } = await passim.index([sandbox.path('caf�.md')])
  expect(documents[0]?.error?.message).toMatch(/^The name of .* is not UTF-8/)
})
