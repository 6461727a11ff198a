import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Leases } from '../../../../src/ingest/store/catalog/lease.ts'
import type { Statements } from '../../../../src/ingest/store/catalog.ts'
import { combineFormats } from '../../../../src/ingest/store/catalog.ts'
import { SqliteCatalog } from '../../../../src/ingest/store/catalogs/sqlite.ts'
import { readPidSpace } from '../../../../src/system/living-process.ts'

const HOLD = fileURLToPath(new URL('../../../fakes/hold-lease.ts', import.meta.url))
const IN_A_CONTAINER = ['--pid', '--fork', '--mount-proc', '--kill-child']
const hasNamespaces = spawnSync('unshare', [...IN_A_CONTAINER, 'true']).status === 0

let folder: string
let catalog: SqliteCatalog
let leases: Leases

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-lease-'))
  catalog = await SqliteCatalog.open(
    path.join(folder, 'catalog.db'),
    combineFormats([Leases.tables]),
  )
  leases = new Leases(catalog)
})
afterEach(async () => {
  await catalog.close()
  await rm(folder, { recursive: true })
})

const heldBy = async (host: string, boot: string, pid: number, expiresAt: number) =>
  await catalog.run(
    'INSERT INTO leases VALUES (?, ?, ?, ?, ?, ?, ?)',
    'x',
    'other',
    host,
    boot,
    pid,
    'long ago',
    expiresAt,
  )

test('what is held cannot be had, what is given back can', async () => {
  const lease = await leases.tryAcquire('x')
  expect(await leases.tryAcquire('x')).toBeUndefined()
  await lease?.release()
  expect(await leases.tryAcquire('x')).toMatchObject({ isInherited: false })
})
test('a process that died on this host is replaced at once', async () => {
  const { pid } = spawnSync('true')
  await heldBy(hostname(), readPidSpace(), pid, Date.now() + 60_000)
  expect(await leases.tryAcquire('x')).toMatchObject({ isInherited: true })
})
test('a process that has the number of a dead one is not taken for it', async () => {
  await heldBy(hostname(), readPidSpace(), process.pid, Date.now() + 60_000)
  expect(await leases.tryAcquire('x')).toMatchObject({ isInherited: true })
})
test('another machine of the same name is believed until its time is over, and no longer', async () => {
  await heldBy(hostname(), 'another boot', process.pid, Date.now() + 20_000)
  expect(await leases.tryAcquire('x')).toBeUndefined()
  await catalog.run('UPDATE leases SET expires_at = 1')
  expect(await leases.tryAcquire('x')).toBeDefined()
})
test.skipIf(!hasNamespaces)(
  'a container of this machine, with its name and process numbers of its own, is believed (needs unshare)',
  async () => {
    const program = [process.execPath, '--import', 'tsx', HOLD, path.join(folder, 'catalog.db')]
    const holder = spawn('unshare', [...IN_A_CONTAINER, ...program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      expect(String(await once(holder.stdout, 'data'))).toBe('held\n')
      expect(await leases.tryAcquire('x')).toBeUndefined()
    } finally {
      holder.kill('SIGKILL')
      await once(holder, 'close')
    }
  },
)
test('what was held before a start that set the clock back is free', async () => {
  await heldBy(hostname(), 'another boot', process.pid, Date.now() + 3_600_000)
  expect(await leases.tryAcquire('x')).toBeDefined()
})
test('another host is believed until its time is over', async () => {
  await heldBy('elsewhere', 'b', 1, Date.now() + 60_000)
  expect(await leases.tryAcquire('x')).toBeUndefined()
  await catalog.run('UPDATE leases SET expires_at = 1')
  expect(await leases.tryAcquire('x')).toBeDefined()
})
test('who waits gets it as soon as it is free, or gives up when told to', async () => {
  const lease = await leases.tryAcquire('x')
  const waiting = leases.acquire('x', {})
  const stopped = new AbortController()
  const aborted = leases.acquire('x', { signal: stopped.signal })
  stopped.abort()
  await expect(aborted).rejects.toThrow()
  await expect(leases.acquire('x', { noWait: true })).rejects.toThrow(
    `Process ${process.pid} is working`,
  )
  await expect(leases.acquire('x', { isPointless: async () => true })).resolves.toBeUndefined()
  await lease?.release()
  await expect(waiting).resolves.toBeDefined()
})
test('everything can be given back at once', async () => {
  await leases.tryAcquire('x')
  await leases.releaseAll()
  expect(await leases.tryAcquire('x')).toBeDefined()
})

test('a catalog that cannot be written to for a moment is no matter; the lease is lost before it could be taken', async () => {
  vi.useFakeTimers()
  try {
    const lease = (await leases.tryAcquire('x'))!
    const rename = async (from: string, to: string) =>
      await catalog.run(`ALTER TABLE ${from} RENAME TO ${to}`)
    await rename('leases', 'away')
    await vi.advanceTimersByTimeAsync(10_000)
    await rename('away', 'leases')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(lease.lost.aborted).toBe(false)
    await rename('leases', 'away')
    await vi.advanceTimersByTimeAsync(25_000)
    expect(lease.lost.reason).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Cannot keep x'),
    })
    await rename('away', 'leases')
  } finally {
    vi.useRealTimers()
  }
})

test('a catalog that says nothing loses the lease before it could be taken, and is asked once at a time', async () => {
  vi.useFakeTimers()
  try {
    let asked = 0
    const silent = new Leases({
      ...statementsOf(catalog),
      run: async () => await new Promise(() => asked++),
    })
    const lease = (await silent.tryAcquire('x'))!
    await vi.advanceTimersByTimeAsync(19_000)
    expect(lease.lost.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(lease.lost.reason).toMatchObject({ message: expect.stringContaining('Cannot keep x') })
    expect(asked).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})

/** To be replaced one by one. */
function statementsOf(of: SqliteCatalog): Statements {
  return {
    get: (...asked) => of.get(...asked),
    all: (...asked) => of.all(...asked),
    run: (...asked) => of.run(...asked),
    transaction: work => of.transaction(work),
  }
}
