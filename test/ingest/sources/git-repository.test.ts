import { mkdtemp, readdir, readlink, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { GitRepository } from '../../../src/ingest/sources/connectors/git-repository.ts'
import { GitServer } from '../../fakes/git-server.ts'

/** Returns the processes that work in a folder, as Linux lists them. */
async function listProcesses(folder: string): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const places = await Promise.all(ids.map(id => readlink(`/proc/${id}/cwd`).catch(() => '')))
  return ids.filter((_, index) => places[index] === folder)
}

test.skipIf(process.platform !== 'linux')(
  'a file that is not read to its end leaves no process of git',
  async () => {
    const server = await GitServer.start({ user: 'reader', password: 'hunter2' })
    await server.write('large.txt', 'x'.repeat(5_000_000))
    const cache = await realpath(await mkdtemp(path.join(tmpdir(), 'passim-git-copy-')))
    const { url, user, password } = server
    const source = new GitRepository({ url, user, password, cache })
    for await (const item of source.list()) {
      const fetched = await source.fetch(item, {})
      if (fetched.kind === 'stream') for await (const _ of fetched.bytes) break
    }
    await vi.waitFor(async () => expect(await listProcesses(cache)).toEqual([]), 10_000)
    await server.close()
    await rm(cache, { recursive: true, force: true })
  },
)
