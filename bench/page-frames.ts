/**
 * Times the page's frames in Chromium while 10,000 documents and 500 turns are scrolled from end to end: the interval between
 * frames, and the CPU time of the main thread in a frame, which other work of the machine does not change.
 * usage: npx tsx bench/page-frames.ts      (after npm run build)
 */
import { availableParallelism, cpus, loadavg } from 'node:os'
import type { Page } from 'playwright-core'
import { startBrowser } from '../test/web/browser.ts'
import { MANY, openMany } from '../test/web/many.ts'

/** Ten seconds of frames, of a display with 60 a second. */
const FRAMES = 600

type TraceEvent = {
  readonly name: string
  readonly ts: number
  readonly tid: number
  readonly dur?: number
  readonly tdur?: number
}

const browser = await startBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(120_000)
  const [load = 0] = loadavg()
  console.log(
    `${cpus()[0]?.model}, ${availableParallelism()} cores, load ${load.toFixed(1)}, Chromium ${browser.version()}`,
  )
  await openMany(page, '#/documents')
  await page
    .getByText(/10,000/)
    .first()
    .waitFor()
  console.log(`${MANY.documents} documents: ${await measure(page, '.windowed')}`)
  await openMany(page, '?again#/ask/many')
  for (let shown = 50; shown < MANY.turns; shown += 50) {
    await page
      .locator('.turn')
      .nth(shown - 1)
      .waitFor({ state: 'attached' })
    await page.locator('.turns > .quiet-button').click()
  }
  await page
    .locator('.turn')
    .nth(MANY.turns - 1)
    .waitFor({ state: 'attached' })
  console.log(`${MANY.turns} turns: ${await measure(page, '.turns')}`)
} finally {
  await browser.close()
}

async function measure(page: Page, selector: string): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) =>
    events.push(...(value as unknown as TraceEvent[])),
  )
  const ended = new Promise<unknown>(resolve => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline'] },
    transferMode: 'ReportEvents',
  })
  const times: number[] = await page.evaluate(
    `new Promise(resolve => {
      const scroller = document.querySelector(${JSON.stringify(selector)})
      const step = (scroller.scrollHeight - scroller.clientHeight) / ${FRAMES}
      const times = []
      scroller.scrollTop = 0
      const next = time => {
        times.push(time)
        scroller.scrollTop += step
        times.length > ${FRAMES} ? resolve(times) : requestAnimationFrame(next)
      }
      requestAnimationFrame(next)
    })`,
  )
  await session.send('Tracing.end')
  await ended
  const intervals = times.slice(1).map((time, index) => time - times[index]!)
  const work = sumByFrame(events)
  return `frames p50 ${format(intervals, 0.5)} ms, p95 ${format(intervals, 0.95)} ms; main thread per frame p50 ${format(work, 0.5)} ms, p95 ${format(work, 0.95)} ms of CPU (${work.length} frames)`
}

/** Sums the CPU time of the main thread's tasks between two animation frames, in milliseconds. */
function sumByFrame(events: readonly TraceEvent[]): readonly number[] {
  const frames = events.filter(({ name }) => name === 'FireAnimationFrame')
  const thread = frames[0]?.tid
  const starts = frames.map(({ ts }) => ts).toSorted((a, b) => a - b)
  const sums = starts.map(() => 0)
  const tasks = events.filter(({ name, tid }) => tid === thread && /RunTask$/.test(name))
  for (const { ts, dur = 0, tdur = dur } of tasks) {
    const frame = starts.findLastIndex(start => start <= ts + dur)
    if (frame >= 0) sums[frame] = sums[frame]! + tdur / 1_000
  }
  return sums
}

function format(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(1)
}
