import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { GitRepository } from '../../../src/ingest/sources/connectors/git-repository.ts'
import { GitServer } from '../../fakes/git-server.ts'

const MAX_BYTES = 2 ** 30

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
    const source = new GitRepository({ url, user, password, cache, maxBytes: MAX_BYTES })
    for await (const item of source.list()) {
      const fetched = await source.fetch(item, {})
      if (fetched.kind === 'stream') for await (const _ of fetched.bytes) break
    }
    await vi.waitFor(async () => expect(await listProcesses(cache)).toEqual([]), 10_000)
    await server.close()
    await rm(cache, { recursive: true, force: true })
  },
)

async function listPaths(source: GitRepository): Promise<readonly string[]> {
  const paths: string[] = []
  for await (const { path } of source.list()) paths.push(path)
  return paths
}

test('a commit that is larger than the maximum is refused, and its bytes are deleted', async () => {
  const server = await GitServer.start({ user: 'reader', password: 'hunter2' })
  await server.write('noise.txt', randomBytes(1_500_000).toString('base64'))
  const cache = await mkdtemp(path.join(tmpdir(), 'passim-git-copy-'))
  const { url, user, password } = server
  const source = new GitRepository({ url, user, password, cache, maxBytes: 1_000_000 })
  await expect(listPaths(source)).rejects.toMatchObject({ code: 'too_large' })
  expect(await readdir(cache).catch(() => [])).toEqual([])
  await server.write('noise.txt', 'Now it is quiet.')
  expect(await listPaths(source)).toEqual(['noise.txt'])
  await server.close()
  await rm(cache, { recursive: true, force: true })
})

test('git connects to the address that was checked, whatever the name says by then', async () => {
  const server = await GitServer.start({ user: 'reader', password: 'hunter2' })
  await server.write('a.txt', 'The first.')
  const cache = await mkdtemp(path.join(tmpdir(), 'passim-git-copy-'))
  const url = server.url.replace('127.0.0.1', 'repository.invalid')
  const login = { user: server.user, password: server.password }
  const source = (address?: string) =>
    new GitRepository({ url, ...login, address, cache, maxBytes: MAX_BYTES })
  await expect(listPaths(source())).rejects.toMatchObject({ code: 'fetch_failed' })
  expect(await listPaths(source('127.0.0.1'))).toEqual(['a.txt'])
  await server.close()
  await rm(cache, { recursive: true, force: true })
})

test.skipIf(process.platform !== 'linux')(
  'ssh looks up the key of a server by its name and its port, as without a checked address',
  async () => {
    const cache = await realpath(await mkdtemp(path.join(tmpdir(), 'passim-git-copy-')))
    let commands: readonly string[] = []
    const server = createServer(async socket => {
      const ids = await listProcesses(cache)
      commands = await Promise.all(ids.map(id => readFile(`/proc/${id}/cmdline`, 'utf8')))
      socket.on('error', () => {}).destroy()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens on a port
    const url = `ssh://git@repository.invalid:${port}/papers.git`
    const source = new GitRepository({ url, address: '127.0.0.1', cache, maxBytes: MAX_BYTES })
    await expect(listPaths(source)).rejects.toMatchObject({ code: 'fetch_failed' })
    const ssh = commands.map(line => line.split('\0')).find(([name]) => name === 'ssh')
    expect(ssh).toContain(`-oHostKeyAlias=[repository.invalid]:${port}`)
    server.close()
    await rm(cache, { recursive: true, force: true })
  },
)
