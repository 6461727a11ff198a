import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runCli, startCli } from '../fakes/cli.ts'

const MIB = 2 ** 20

const folder = mkdtempSync(path.join(tmpdir(), 'passim-disk-'))
const isMounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'tmpfs', folder]).status === 0
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
    expect(full).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/\d+ MiB are free and 64 MiB are kept.*disk_full/s),
    })
    expect((await runCli(home, ['search', 'albatross', '--mode', 'keyword'])).stdout).toContain(
      'a.txt',
    )
    expect((await runCli(home, ['verify'])).code).toBe(0)
    await writeFile(path.join(outside, 'b.txt'), 'A bustard.')
    expect((await runCli(home, ['index', outside, '--no-vectors'])).code).toBe(0)
    expect((await runCli(home, ['search', 'bustard', '--mode', 'keyword'])).stdout).toContain(
      'b.txt',
    )
    rmSync(outside, { recursive: true })
  },
)

test.skipIf(!isMounted)(
  'a service on a full disk refuses uploads, keeps nothing of them, and answers on (needs mount)',
  async () => {
    const home = path.join(folder, 'served')
    const { child, ended } = startCli(home, ['serve', '--port', '0'])
    const [line] = await once(child.stdout!, 'data') // it is piped
    const url = String(line).trim().split(' ').at(-1)
    const upload = async (text: string) => {
      const form = new FormData()
      form.append('purpose', 'assistants')
      form.append('file', new File([text], 'a.txt'))
      return await fetch(`${url}/v1/files`, { method: 'POST', body: form })
    }
    expect((await upload('An albatross.')).status).toBe(200)
    const refused = await upload('x'.repeat(120 * MIB))
    expect([refused.status, await refused.json()]).toMatchObject([
      507,
      { error: { code: 'disk_full' } },
    ])
    const { data } = (await (await fetch(`${url}/v1/files`)).json()) as { data: unknown[] }
    expect(data).toHaveLength(1)
    expect((await upload('A bustard.')).status).toBe(200)
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  },
)

test.skipIf(!isMounted)(
  'a disk that others filled to its end is named by every command, and nothing is lost (needs mount)',
  async () => {
    const home = path.join(folder, 'crowded')
    const outside = mkdtempSync(path.join(tmpdir(), 'passim-docs-'))
    await writeFile(path.join(outside, 'a.txt'), 'An albatross.')
    expect((await runCli(home, ['index', outside, '--no-vectors'])).code).toBe(0)
    const fill = path.join(folder, 'fill')
    for (const size of ['64k', '512'])
      spawnSync('dd', ['if=/dev/zero', `of=${fill}.${size}`, `bs=${size}`])
    for (const command of [['index', outside], ['search', 'albatross'], ['verify']]) {
      const refused = await runCli(home, command)
      expect(refused).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/The disk of .*crowded is full.*disk_full/),
      })
    }
    for (const size of ['64k', '512']) rmSync(`${fill}.${size}`)
    expect((await runCli(home, ['search', 'albatross', '--mode', 'keyword'])).stdout).toContain(
      'a.txt',
    )
    expect((await runCli(home, ['verify'])).code).toBe(0)
    rmSync(outside, { recursive: true })
  },
)

test.skipIf(!isMounted)(
  'doctor flags a disk with too little free space (needs mount)',
  async () => {
    const home = path.join(folder, 'watched')
    const check = async () => {
      const { checks } = JSON.parse((await runCli(home, ['doctor', '--json'])).stdout)
      return checks.find(({ name }: { name: string }) => name === 'disk')
    }
    expect(await check()).toEqual({
      name: 'disk',
      ok: true,
      detail: expect.stringMatching(/^\d+ MiB free$/),
    })
    const { bavail, bsize } = statfsSync(folder)
    const fill = path.join(folder, 'fill')
    await writeFile(fill, Buffer.alloc(bavail * bsize - 20.4 * MIB))
    expect(await check()).toMatchObject({
      ok: false,
      error: {
        code: 'disk_full',
        message: `Cannot write 1 MiB under ${home}: 20 MiB are free and 64 MiB are kept. Free some space and try again.`,
      },
    })
    rmSync(fill)
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
      expect(refused).toMatchObject({
        code: 3,
        stderr: expect.stringContaining(`Cannot use ${home} as a store`),
      })
      expect(refused.stderr).toContain('read-only')
    }
    spawnSync('mount', ['-o', 'remount,rw', folder])
    expect((await runCli(home, ['verify'])).code).toBe(0)
    expect((await runCli(home, ['search', 'albatross', '--mode', 'keyword'])).stdout).toContain(
      'a.txt',
    )
    rmSync(outside, { recursive: true })
  },
)

test.skipIf(process.platform !== 'linux')(
  'a file that is as large as the system allows is told as a full disk, and nothing is lost (needs Linux)',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'passim-limited-'))
    const [home, documents] = [path.join(folder, 'home'), path.join(folder, 'docs')]
    await mkdir(documents)
    await writeFile(path.join(documents, 'a.txt'), 'An albatross.')
    expect((await runCli(home, ['index', documents, '--no-vectors'])).code).toBe(0)
    await writeFile(path.join(documents, 'b.txt'), 'A bustard. '.repeat(100_000))
    const cases = [
      { store: home, blocks: 40 },
      { store: home, blocks: 1_500 },
      { store: path.join(folder, 'new'), blocks: 300 }, // reached while the tables are made
    ]
    for (const { store, blocks } of cases) {
      const starter = ['sh', '-c', `ulimit -f ${blocks} && exec "$@"`, 'sh']
      const refused = await startCli(store, ['index', documents, '--no-vectors'], {}, starter).ended
      expect(refused).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/ulimit -f.*disk_full/),
      })
    }
    expect((await runCli(home, ['search', 'albatross', '--mode', 'keyword'])).stdout).toContain(
      'a.txt',
    )
    expect((await runCli(home, ['verify'])).code).toBe(0)
    rmSync(folder, { recursive: true })
  },
)
