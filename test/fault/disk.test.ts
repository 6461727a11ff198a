import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runCli } from '../fakes/cli.ts'

const MIB = 2 ** 20

const folder = mkdtempSync(path.join(tmpdir(), 'passim-disk-'))
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'tmpfs', folder]).status === 0
afterAll(() => {
  if (isMounted) spawnSync('umount', ['-l', folder])
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(!isMounted)(
  'a full disk is met before it is full, loses nothing, and the next run goes on (needs mount)',
  async () => {
    const home = path.join(folder, 'home')
    const outside = mkdtempSync(path.join(tmpdir(), 'passim-docs-'))
    await writeFile(path.join(outside, 'a.txt'), 'An albatross.')
    expect((await runCli(home, ['index', outside, '--no-vectors'])).code).toBe(0)
    await writeFile(path.join(outside, 'b.txt'), `A bustard. ${'x'.repeat(60 * MIB)}`)
    const full = await runCli(home, ['index', outside, '--no-vectors'])
    expect(full).toMatchObject({ code: 3, stderr: expect.stringMatching(/bytes are free.*disk_full/s) })
    expect((await runCli(home, ['search', 'albatross', '--mode', 'keyword'])).stdout).toContain('a.txt')
    expect((await runCli(home, ['verify'])).code).toBe(0)
    await writeFile(path.join(outside, 'b.txt'), 'A bustard.')
    expect((await runCli(home, ['index', outside, '--no-vectors'])).code).toBe(0)
    expect((await runCli(home, ['search', 'bustard', '--mode', 'keyword'])).stdout).toContain('b.txt')
    rmSync(outside, { recursive: true })
  },
)

test.skipIf(!isMounted)(
  'a store that cannot be written is named, and nothing of it is lost (needs mount)',
  async () => {
    const home = path.join(folder, 'read-only')
    const outside = mkdtempSync(path.join(tmpdir(), 'passim-docs-'))
    await writeFile(path.join(outside, 'a.txt'), 'An albatross.')
    expect((await runCli(home, ['index', outside, '--no-vectors'])).code).toBe(0)
    spawnSync('mount', ['-o', 'remount,ro', folder])
    for (const command of [['index', outside], ['search', 'albatross'], ['verify']]) {
      const refused = await runCli(home, command)
      expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining(`Cannot use ${home} as a store`) })
      expect(refused.stderr).toContain('read-only')
    }
    spawnSync('mount', ['-o', 'remount,rw', folder])
    expect((await runCli(home, ['verify'])).code).toBe(0)
    expect((await runCli(home, ['search', 'albatross', '--mode', 'keyword'])).stdout).toContain('a.txt')
    rmSync(outside, { recursive: true })
  },
)
