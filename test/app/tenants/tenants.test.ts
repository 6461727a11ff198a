import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../../src/app/passim.ts'
import { openTenants, Tenants } from '../../../src/app/tenants/tenants.ts'
import { startEmbeddingServer } from '../../fakes/embedding-server.ts'
import { HashingEmbedder } from '../../fakes/hashing-embedder.ts'
import { Sandbox } from '../../fakes/store.ts'

/** What Tenants sees of a store. */
class FakeStore {
  isBusy = false
  isWaiting = false
  isClosed = false
  letClose = () => {}
  readonly #mayClose = new Promise<void>(resolve => {
    this.letClose = resolve
  })
  async close(): Promise<void> {
    await this.#mayClose
    this.isClosed = true
  }
}

let opened: FakeStore[]
let tenants: Tenants

beforeEach(() => {
  opened = []
  tenants = new Tenants({
    open: async () => {
      const store = new FakeStore()
      opened.push(store)
      return store as unknown as Passim // the part that is used
    },
    idleMs: 0,
    maxOpen: 2,
    reopenMs: 0,
    onError: () => {},
  })
})
afterEach(async () => {
  for (const store of opened) store.letClose()
  await tenants.close()
})

test('a store is opened once for all who use it at once', async () => {
  const leases = await Promise.all(['a', 'a', 'a'].map(name => tenants.acquire(name)))
  expect(new Set(leases.map(lease => lease.passim)).size).toBe(1)
})
test('a store in use is not closed, however often its users give it back', async () => {
  const [first, second] = [await tenants.acquire('a'), await tenants.acquire('a')]
  first.release()
  first.release()
  opened[0]?.letClose()
  await tenants.closeIdle()
  expect(opened[0]?.isClosed).toBe(false)
  second.release()
  await tenants.closeIdle()
  expect([opened[0]?.isClosed, tenants.size]).toEqual([true, 0])
})
test('a store at work is not closed', async () => {
  const { release } = await tenants.acquire('a')
  opened[0]!.isBusy = true // just opened
  release()
  await tenants.closeIdle()
  expect(tenants.size).toBe(1)
})
test('who comes while a store closes waits, and gets it opened anew', async () => {
  const { release } = await tenants.acquire('a')
  release()
  const closing = tenants.closeIdle()
  await new Promise(resolve => setImmediate(resolve)) // it has begun
  const next = tenants.acquire('a')
  opened[0]?.letClose()
  await closing
  const { passim } = await next
  expect([opened.length, (passim as unknown as FakeStore).isClosed]).toEqual([2, false])
})
test('an idle store makes room for another, a used one does not', async () => {
  const a = await tenants.acquire('a')
  await tenants.acquire('b')
  await expect(tenants.acquire('c')).rejects.toMatchObject({ code: 'rate_limited' })
  a.release()
  opened[0]?.letClose()
  await tenants.acquire('c')
  expect(opened.map(store => store.isClosed)).toEqual([true, false, false])
})
test('a store at work makes no room for another, which waits where it has the patience', async () => {
  for (const name of ['a', 'b']) {
    const { release } = await tenants.acquire(name)
    opened.at(-1)!.isBusy = true // just opened
    release()
  }
  await expect(tenants.acquire('c')).rejects.toMatchObject({ code: 'rate_limited' })
  const patient = tenants.acquireWithPatience('c', new AbortController().signal)
  opened[1]!.isBusy = false // the second of two
  opened[1]!.letClose()
  await patient
  expect(opened.map(store => store.isClosed)).toEqual([false, true, false])
})
test('a store whose work waits for something to pass is closed like another, and opened again to try it', async () => {
  const { release } = await tenants.acquire('a')
  opened[0]!.isWaiting = true // just opened
  opened[0]!.letClose()
  release()
  await tenants.closeIdle()
  expect(opened[0]?.isClosed).toBe(true)
  await expect.poll(() => opened.length).toBe(2)
})
test('what is no store, or a broken one, keeps no other from going on', async () => {
  const sandbox = await Sandbox.make()
  const store = (name: string) => path.join(sandbox.home, 'tenants', name)
  await mkdir(store('No tenant'), { recursive: true })
  await mkdir(path.join(store('broken'), 'catalog.db'), { recursive: true })
  await mkdir(store('whole'))
  await writeFile(store('.DS_Store'), '')
  const told: string[] = []
  const onError = (message: string) => told.push(message)
  const service = await openTenants({
    home: sandbox.home,
    environment: {},
    embedder: new HashingEmbedder(),
    onError,
  })
  await service.resume()
  expect([told, service.stores.size]).toEqual([['The store of broken cannot be opened.'], 2])
  await service.close()
  await sandbox.remove()
})
test('tenants share the bound of memory of their indexes, and no vector of a question', async () => {
  const sandbox = await Sandbox.make()
  const server = await startEmbeddingServer(96)
  const embedders = { big: { url: server.url, name: 'hasher' } }
  const service = await openTenants({
    ...{
      home: sandbox.home,
      environment: {},
      settings: { embedders },
      embedder: new HashingEmbedder(),
    },
    onError: () => {},
  })
  const docs = await sandbox.write({ 'fox.txt': 'the quick fox' })
  const stores = await Promise.all(['a', 'b'].map(name => service.stores.acquire(name)))
  for (const { passim } of stores) {
    await passim.collections.create({ name: 'notes', embedder: 'big' })
    await passim.index([docs], { collection: 'notes' })
    for (let time = 0; time < 2; time++)
      await passim.search({ query: 'a fox?', collections: ['notes'], mode: 'vector' })
  }
  expect(server.requests.filter(texts => texts.includes('a fox?'))).toHaveLength(2) // one of each
  expect(new Set(stores.map(({ passim }) => passim.indexCache)).size).toBe(1)
  await service.close()
  await server.close()
  await sandbox.remove()
})
test('tenants whose first requests come together all get their stores', async () => {
  const sandbox = await Sandbox.make()
  const onError = () => {}
  const service = await openTenants({
    home: sandbox.home,
    environment: {},
    embedder: new HashingEmbedder(),
    onError,
  })
  const names = Array.from({ length: 8 }, (_, at) => `tenant-${at}`)
  for (const lease of await Promise.all(names.map(name => service.stores.acquire(name))))
    lease.release()
  expect(service.stores.size).toBe(8)
  await service.close()
  await sandbox.remove()
})
test('a store that cannot be opened is tried again', async () => {
  let tries = 0
  const failing = new Tenants({
    open: async () => Promise.reject(new Error(`try ${++tries}`)),
    ...{ idleMs: 1, maxOpen: 1, onError: () => {} },
  })
  await expect(failing.acquire('a')).rejects.toThrow('try 1')
  await expect(failing.acquire('a')).rejects.toThrow('try 2')
  await failing.close()
})
test('nothing is opened once all are closed', async () => {
  await tenants.close()
  await expect(tenants.acquire('a')).rejects.toMatchObject({ code: 'cancelled' })
})
