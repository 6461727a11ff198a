import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BackgroundIngest } from '../../src/app/background.ts'
import { BackgroundRuns } from '../../src/conversations/background-runs.ts'
import type { Collection, Collections } from '../../src/ingest/store/catalog/collections.ts'
import type { Documents } from '../../src/ingest/store/catalog/documents.ts'
import type { DrainOptions, HelpOptions, Ingest } from '../../src/ingest/work/ingest.ts'

const collection = { id: 'c1', name: 'notes' } as Collection // all that is asked of it

/** A queue whose indexing fails each time, as with a full disk. */
function failingQueue() {
  const errors: unknown[] = []
  const parts = {
    ingest: { drain: async () => Promise.reject(new Error('disk full')) },
    collections: { byId: () => collection },
    documents: { countQueued: () => 1 },
  } as unknown as { ingest: Ingest; collections: Collections; documents: Documents } // the part that is used
  return { errors, background: new BackgroundIngest(parts, (_, error) => errors.push(error)) }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a queue that could not be worked off waits until it is tried again', async () => {
  const { background, errors } = failingQueue()
  background.start(collection)
  await vi.advanceTimersByTimeAsync(0)
  expect([errors.length, background.isBusy, background.isWaiting]).toEqual([1, false, true])
  await vi.advanceTimersByTimeAsync(30_000)
  expect(errors.length).toBe(2)
  await background.close()
})
test('once closed, or its collection stopped, nothing is tried again', async () => {
  for (const end of ['close', 'stop'] as const) {
    const { background } = failingQueue()
    background.start(collection)
    await vi.advanceTimersByTimeAsync(0)
    await background[end](collection)
    expect([end, background.isWaiting, vi.getTimerCount()]).toEqual([end, false, 0])
  }
})
test('what is queued while the catalog is asked for more is worked off, unless the collection is stopped', async () => {
  for (const [isStopped, expected] of [
    [false, 2],
    [true, 1],
  ] as const) {
    let drained = 0
    let answer = (_hasWork: boolean) => {}
    const asked = new Promise<boolean>(resolve => {
      answer = resolve
    })
    const ingest = {
      drain: async () => ++drained > 0,
      hasWork: async () => drained === 1 && (await asked),
    }
    const parts = { ingest, collections: {} } as unknown as {
      ingest: Ingest
      collections: Collections
    } // the part that is used
    const background = new BackgroundIngest(parts, () => {})
    background.start(collection)
    await vi.advanceTimersByTimeAsync(0)
    background.start(collection)
    const stopped = isStopped ? background.stop(collection) : undefined
    answer(false)
    await stopped
    await vi.advanceTimersByTimeAsync(0)
    expect([isStopped, drained, background.isBusy]).toEqual([isStopped, expected, false])
    await background.close()
  }
})
test('whoever looks begins with one collection at a time that nobody works on, each in its turn', async () => {
  const named = ['c1', 'c2', 'c3', 'c4'].map(id => ({ id, name: id }) as Collection) // all that is asked of them
  const drained: string[] = []
  const ingest = {
    drain: async ({ id }: Collection) => drained.push(id) > 0,
    hasWork: async ({ id }: Collection) => id !== 'c2' && drained.at(-1) !== id, // more is queued as soon as another was begun
    isBusy: async ({ id }: Collection) => id === 'c3',
    ...{
      hasAbandonedFiles: () => false,
      isStale: async () => false,
      registerWorker: async () => undefined,
    },
  }
  const parts = { ingest, collections: { listAll: async () => named } }
  const background = new BackgroundIngest(
    parts as unknown as { ingest: Ingest; collections: Collections },
    () => {},
  ) // the part that is used
  await background.resume({ isLookedFor: true })
  expect([drained, background.isBusy]).toEqual([[], false])
  for (const expected of [['c1'], ['c1', 'c4'], ['c1', 'c4', 'c1']]) {
    await (await background.startQueued())?.ended
    expect(drained).toEqual(expected)
  }
  await background.close()
})
test('a service goes on with what others left that died after it was started', async () => {
  const drained: string[] = []
  let isLeft = false
  const ingest = {
    drain: async ({ id }: Collection) => drained.push(id) > 0,
    hasWork: async () => isLeft && drained.length === 0,
    isBusy: async () => false,
    ...{
      hasAbandonedFiles: () => false,
      isStale: async () => false,
      registerWorker: async () => undefined,
    },
  }
  const parts = { ingest, collections: { listAll: async () => [collection] } }
  const background = new BackgroundIngest(
    parts as unknown as { ingest: Ingest; collections: Collections },
    () => {},
  ) // the part that is used
  await background.resume()
  isLeft = true
  expect(drained).toEqual([])
  await vi.advanceTimersByTimeAsync(30_000)
  expect(drained).toEqual(['c1'])
  await background.close()
  expect(vi.getTimerCount()).toBe(0)
})
test('who looks leaves what others work on, and helps them until there is something nobody works on', async () => {
  const [a, b] = ['a', 'b'].map(id => ({ id, name: id }) as Collection) // all that is asked of them
  const done: string[] = []
  const waiting = new Set(['a'])
  let isHelped = () => {}
  const ingest = {
    hasWork: async ({ id }: Collection) => waiting.has(id),
    isBusy: async ({ id }: Collection) => id === 'a' && done.length > 0,
    drain: async ({ id }: Collection, { isPointless }: DrainOptions) => {
      done.push(`${id} ${(await isPointless?.()) ? 'left' : 'waited for'}`)
      return id === 'b' && waiting.delete(id)
    },
    registerWorker: async () => undefined,
    canHelp: async ({ id }: Collection) => id === 'a',
    help: async ({ id }: Collection, { isEnough }: HelpOptions) => {
      await new Promise<void>(resolve => {
        isHelped = resolve
      })
      done.push(`${id} helped, ${isEnough() ? 'and enough' : 'and on'}`)
    },
  }
  const parts = { ingest, collections: { listAll: async () => [a, b] } }
  const background = new BackgroundIngest(
    parts as unknown as { ingest: Ingest; collections: Collections },
    () => {},
  ) // the part that is used
  await (await background.startQueued({ helpsOthers: true }))?.ended
  expect([done, background.isBusy, await background.startQueued()]).toEqual([
    ['a left'],
    false,
    undefined,
  ])
  const help = await background.startQueued({ helpsOthers: true })
  waiting.add('b')
  await (await background.startQueued({ helpsOthers: true }))?.ended
  expect([done, background.isBusy]).toEqual([['a left', 'b left'], true])
  isHelped()
  await help?.ended
  expect([done.at(-1), background.isBusy]).toEqual(['a helped, and on', false])
  await background.close()
})
test('background work that fails is told, and makes room', async () => {
  const errors: unknown[] = []
  const runs = new BackgroundRuns({} as never, error => errors.push(error))
  runs.start('r1', async () => Promise.reject(new Error('disk full')))
  await runs.cancel('r1')
  expect([errors, runs.size]).toEqual([[new Error('disk full')], 0])
})
