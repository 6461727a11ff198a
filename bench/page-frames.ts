/**
 * How smoothly the page scrolls in Chromium: the time from frame to frame while a long document is read from its beginning
 * to its end, as text that is fetched on the way.
 *
 *     npx tsx bench/page-frames.ts [PARAGRAPHS 3000] [FRAMES 600]
 *
 * 16.7 ms is a frame of a usual screen; without a graphics card Chromium draws by the processor.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { oneStore } from '../src/app/tenants.ts'
import { open } from '../src/app.ts'
import { serve } from '../src/server.ts'
import { startBrowser } from '../test/web/browser.ts'

const [paragraphs = 3_000, frames = 600] = process.argv.slice(2).map(Number)
const STEP = 80

/** Runs in the page: scrolls a step every frame, and gives the milliseconds from each frame to the next. */
const SCROLL = `new Promise(resolve => {
  const [scrolled, times] = [document.querySelector('main'), []]
  const step = at => {
    times.push(at)
    scrolled.scrollBy(0, ${STEP})
    if (times.length <= ${frames}) return requestAnimationFrame(step)
    resolve(times.slice(1).map((time, index) => time - times[index]))
  }
  requestAnimationFrame(step)
})`

const folder = await mkdtemp(path.join(tmpdir(), 'page-frames-'))
const passim = await open({ home: path.join(folder, 'home'), environment: {} })
const service = await serve(oneStore(passim), { settings: { ...passim.settings.server, port: 0 } })
const browser = await startBrowser()
try {
  const file = path.join(folder, 'long.md')
  await writeFile(file, Array.from({ length: paragraphs }, (_, at) => paragraph(at)).join('\n\n'))
  const { documents } = await passim.index([file], { withoutVectors: true })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(120_000)
  await page.goto(`${service.url}/#/documents/${documents[0]?.id}`)
  await page.locator('.block-texts > *').nth(50).waitFor()
  const times = ((await page.evaluate(SCROLL)) as number[]).toSorted((a, b) => a - b) // SCROLL's promise
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]?.toFixed(1)
  const late = times.filter(ms => ms > 34).length
  const shown = await page.locator('.block-texts > *').count()
  console.log(
    `${times.length} frames: median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms; ${late} over 34 ms`,
  )
  console.log(`${shown} of ${2 * paragraphs} blocks on the page at the end`)
} finally {
  await browser.close()
  await service.close()
  await passim.close()
  await rm(folder, { recursive: true, force: true })
}

function paragraph(at: number): string {
  return `## Section ${at + 1}\n\n${'A warehouse keeps what is sent to it, and says of each thing where it lies. '.repeat(4)}`
}
