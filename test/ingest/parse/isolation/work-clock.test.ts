import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WorkClock } from '../../../../src/ingest/parse/isolation/work-clock.ts'

const CHILD = -1 // nobody's

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A system that tells nothing. */
const SILENT = { usedMs: () => undefined, isRunnable: () => false, isOnDisk: () => false }

/** On a system that tells what is in `told`. */
function measured(told: { usedMs: number; isRunnable: boolean; isOnDisk?: boolean }): WorkClock {
  const { isOnDisk = false } = told
  return new WorkClock(CHILD, {
    usedMs: () => told.usedMs,
    isRunnable: () => told.isRunnable,
    isOnDisk: () => isOnDisk,
  })
}

function look(clock: WorkClock, afterMs: number, isBlocked = false) {
  vi.advanceTimersByTime(afterMs)
  const { workedMs, idleMs, diskMs } = clock.measurePassed({ isBlocked })
  return [workedMs, idleMs, diskMs]
}

test('what a process has of the processors is work, and waiting for one is nothing', () => {
  const told = { usedMs: 1_000, isRunnable: true }
  const clock = measured(told)
  clock.start()
  told.usedMs += 20
  expect(look(clock, 50)).toEqual([20, 0, 0])
  expect(look(clock, 50)).toEqual([0, 0, 0])
})

test('several threads at once are one time', () => {
  const told = { usedMs: 0, isRunnable: true }
  const clock = measured(told)
  clock.start()
  told.usedMs += 200
  expect(look(clock, 50)).toEqual([50, 0, 0])
})

test('a process that sleeps is idle, but not for as long as nobody looks', () => {
  const clock = measured({ usedMs: 0, isRunnable: false })
  clock.start()
  expect(look(clock, 50)).toEqual([0, 50, 0])
  expect(look(clock, 3_600_000)).toEqual([0, 100, 0])
  expect(look(clock, 50, true)).toEqual([0, 0, 0]) // for us
})

test('one that waits for a disk is not idle', () => {
  const clock = measured({ usedMs: 0, isRunnable: false, isOnDisk: true })
  clock.start()
  expect(look(clock, 50)).toEqual([0, 0, 50])
})

test('where the system does not tell, a process that says nothing works, and what it says puts that right', () => {
  const clock = new WorkClock(CHILD, SILENT)
  clock.recordUsage(300)
  clock.start()
  expect(look(clock, 50)).toEqual([50, 0, 0])
  expect(look(clock, 50)).toEqual([50, 0, 0])
  clock.recordUsage(310)
  expect(look(clock, 50)).toEqual([-40, 0, 90])
})

test('where the system does not tell, the time that the machine sleeps or nobody looks is no work either', () => {
  const clock = new WorkClock(CHILD, SILENT)
  clock.start()
  expect(look(clock, 50)).toEqual([50, 0, 0])
  expect(look(clock, 3_600_000)).toEqual([100, 0, 0])
  vi.advanceTimersByTime(3_600_000)
  clock.recordUsage(160) // heard before anybody looks
  expect(look(clock, 50)).toEqual([60, 0, 40])
})
