import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ProcessorShare } from '../../../../src/ingest/parse/isolation/processor-use.ts'

const CHILD = -1 // nobody's

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function started(told: { usedMs: number | undefined; isRunnable: boolean }): ProcessorShare {
  const share = new ProcessorShare(CHILD, {
    usedMs: () => told.usedMs,
    isRunnable: () => told.isRunnable,
    isOnDisk: () => false,
  })
  share.start()
  return share
}

test('a process that had less than half of a processor and waits for one is held back', () => {
  const told = { usedMs: 1_000, isRunnable: true }
  const share = started(told)
  told.usedMs += 90
  vi.advanceTimersByTime(200)
  expect(share.isStarved()).toBe(true)
  told.usedMs += 110
  vi.advanceTimersByTime(200)
  expect(share.isStarved()).toBe(false)
})

test('one that waits for something else is not', () => {
  const share = started({ usedMs: 0, isRunnable: false })
  vi.advanceTimersByTime(200)
  expect(share.isStarved()).toBe(false)
})

test('asked twice at once, before the system has counted on, it says the same, and forgets nothing', () => {
  const told = { usedMs: 0, isRunnable: true }
  const share = started(told)
  vi.advanceTimersByTime(5)
  expect(share.isStarved()).toBe(false) // nothing is known yet
  told.usedMs += 150
  vi.advanceTimersByTime(195)
  expect([share.isStarved(), share.isStarved()]).toEqual([false, false])
  vi.advanceTimersByTime(5)
  expect(share.isStarved()).toBe(false)
  vi.advanceTimersByTime(195)
  expect([share.isStarved(), share.isStarved()]).toEqual([true, true])
})

test('where the system does not tell, none is', () => {
  const share = started({ usedMs: undefined, isRunnable: true })
  vi.advanceTimersByTime(200)
  expect(share.isStarved()).toBe(false)
})
