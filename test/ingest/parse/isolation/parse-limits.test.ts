import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import {
  DEFAULT_PARSE_LIMITS,
  LimitWatch,
} from '../../../../src/ingest/parse/isolation/parse-limits.ts'

/** A process that does nothing but wait for its disk. */
const ON_DISK = { usedMs: () => 0, isRunnable: () => false, isOnDisk: () => true }

let watch: LimitWatch
afterEach(() => watch.stop())

/** Without a limit of memory: the process is that of the tests, which may be large. */
const LIMITS = { ...DEFAULT_PARSE_LIMITS, memoryBytes: Number.POSITIVE_INFINITY }

function watched(timeMs: number): LimitWatch {
  watch = new LimitWatch(process.pid, 'file.x', { ...LIMITS, timeMs, sizeBytes: 0, use: ON_DISK })
  watch.start()
  return watch
}

test('a parser that gives text steadily may wait for its disk as long as it likes', async () => {
  watched(50)
  for (let at = 0; at < 20; at++) {
    await setTimeout(50)
    watch.receive({ type: 'events', events: [], bytes: 0 })
    watch.acceptEvents()
  }
  expect(watch.overrun).toBeUndefined()
})

test('a parser that gives nothing is stopped, and the disk is named', async () => {
  const stopped = new Promise<void>(resolve => {
    watched(20).onOverrun = resolve
  })
  await stopped
  expect(watch.overrun).toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('for the disk'),
  })
})

test('all pictures of a file have a limit of time together, which is longer for a larger file', async () => {
  let usedMs = 0
  const busy = { usedMs: () => usedMs, isRunnable: () => true, isOnDisk: () => false }
  const read = async (sizeBytes: number, pages: number) => {
    watch?.stop()
    watch = new LimitWatch(process.pid, 'scan.tiff', {
      ...LIMITS,
      ocrPageTimeMs: 400,
      sizeBytes,
      use: busy,
    })
    watch.start()
    for (let page = 1; page <= pages && !watch.overrun; page++) {
      watch.receive({ type: 'events', events: [{ type: 'ocr', page, state: 'started' }], bytes: 0 })
      usedMs += 120
      await setTimeout(120) // the use is looked at in between
      watch.receive({ type: 'events', events: [{ type: 'ocr', page, state: 'done' }], bytes: 0 })
    }
    return watch.overrun
  }
  expect(await read(0, 100)).toMatchObject({
    code: 'timeout',
    message: expect.stringMatching(/all its pictures.*ocr\.pageTimeMs/),
  })
  expect(await read(2 ** 20, 8)).toBeUndefined()
})

test('a file whose picture is read may take so much more memory, and the setting that allows it is named', async () => {
  const mebibytes = (count: number) => count * 2 ** 20
  const limits = {
    ...DEFAULT_PARSE_LIMITS,
    memoryBytes: mebibytes(64),
    ocrMemoryBytes: mebibytes(32),
    sizeBytes: 0,
  }
  const NO_PROCESS = -1 // what it takes is told
  const tell = (memory: number) =>
    watch.receive({ type: 'use', memoryBytes: mebibytes(memory), processorMs: 0 })
  const see = (state: 'started' | 'skipped') =>
    watch.receive({ type: 'events', events: [{ type: 'ocr', page: 1, state }], bytes: 0 })
  watch = new LimitWatch(NO_PROCESS, 'scan.pdf', limits)
  see('started')
  tell(96)
  expect(watch.overrun).toBeUndefined()
  tell(97)
  expect(watch.overrun).toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(/96 MiB.*ocr\.memoryBytes/),
  })
  watch.stop()
  watch = new LimitWatch(NO_PROCESS, 'plain.pdf', limits)
  see('skipped')
  tell(65)
  expect(watch.overrun).toMatchObject({
    message: expect.stringMatching(/64 MiB.*parsing\.memoryBytes/),
  })
})
