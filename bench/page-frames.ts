/**
 * How smoothly the page scrolls in Chromium: the time from frame to frame while a long document is read from its beginning
 * to its end, as text that is fetched on the way; while a list of many documents is gone through, and filtered letter by
 * letter; and while a long conversation is gone through, and an answer is written at its end.
 *
 *     npx tsx bench/page-frames.ts [PARAGRAPHS 3000] [FRAMES 600] [DOCUMENTS 10000] [TURNS 500]
 *
 * 16.7 ms is a frame of a usual screen; without a graphics card Chromium draws by the processor.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { Page } from 'playwright-core'
import { open } from '../src/app.ts'
import { serve } from '../src/server.ts'
import { oneStore } from '../test/fakes/one-store.ts'
import { startBrowser } from '../test/web/browser.ts'

const [paragraphs = 3_000, frames = 600, documents = 10_000, turns = 500] = process.argv.slice(2).map(Number)
const STEP = 80
/** So many are put into the catalog in one transaction. */
const AT_ONCE = 500

/** Runs in the page: does something every frame, and gives the milliseconds from each frame to the next. */
const framesWhile = (act: string, count = frames) => `new Promise(resolve => {
  const times = []
  const step = at => {
    times.push(at)
    const done = times.length - 1
    ;${act}
    if (times.length <= ${count}) return requestAnimationFrame(step)
    resolve(times.slice(1).map((time, index) => time - times[index]))
  }
  requestAnimationFrame(step)
})`

const scrolling = (selector: string, step = STEP) =>
  framesWhile(`document.querySelector('${selector}').scrollBy(0, ${step})`)

const folder = await mkdtemp(path.join(tmpdir(), 'page-frames-'))
const passim = await open({ home: path.join(folder, 'home'), environment: {} })
const service = await serve(oneStore(passim), { settings: { ...passim.settings.server, port: 0 } })
const browser = await startBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(240_000)
  await aDocument(page)
  await manyDocuments(page)
  await aConversation(page)
} finally {
  await browser.close()
  await service.close()
  await passim.close()
  await rm(folder, { recursive: true, force: true })
}

async function aDocument(page: Page): Promise<void> {
  const file = path.join(folder, 'long.md')
  await writeFile(file, Array.from({ length: paragraphs! }, (_, at) => paragraph(at)).join('\n\n')) // it has a default
  const { documents: indexed } = await passim.index([file], { withoutVectors: true })
  await page.goto(`${service.url}/#/documents/${indexed[0]?.id}`)
  await page.locator('.block-texts > *').nth(50).waitFor()
  tell('a document', (await page.evaluate(scrolling('main'))) as number[]) // a promise of the frames
  const shown = await page.locator('.block-texts > *').count()
  console.log(`  ${shown} of ${2 * paragraphs!} blocks on the page at the end`)
}

/** They wait to be indexed, which nobody does here: the list shows them as it shows others. */
async function manyDocuments(page: Page): Promise<void> {
  const { id } = await passim.collections.create({ name: 'many' })
  const files: string[] = []
  for (let at = 0; at < documents!; at++) {
    const bytes = Readable.from([`Document ${at}`])
    const described = { name: `report-${at}-of-the-department.txt`, purpose: 'assistants' }
    files.push((await passim.files.upload(bytes, async () => described)).id)
  }
  const collection = await passim.collections.get(id)
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE).map(fileId => ({ fileId }))
    await passim.collections.addFiles(collection, some)
  }
  const started = performance.now()
  await page.goto(`${service.url}/#/documents?collection=many`)
  await page
    .locator('.filters')
    .filter({ hasText: documents!.toLocaleString('en') })
    .waitFor()
  console.log(`${documents} documents: all listed after ${((performance.now() - started) / 1000).toFixed(1)} s`)
  tell('  scrolled', (await page.evaluate(scrolling('.windowed', 600))) as number[]) // as above
  const typing = framesWhile(
    `if (done % 20 === 0) {
      const field = document.querySelector('.filters input')
      field.value = 'report-' + '1234'.slice(0, (done / 20) % 5)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }`,
    200,
  )
  tell('  filtered', (await page.evaluate(typing)) as number[]) // as above
}

async function aConversation(page: Page): Promise<void> {
  const items = Array.from({ length: turns! }, (_, at) => [
    { kind: 'message', role: 'user', content: `What is said of warehouse ${at + 1}?` } as const,
    { kind: 'message', role: 'assistant', content: `**Warehouse ${at + 1}.** ${paragraph(at).repeat(2)}` } as const,
  ])
  const { id } = await passim.conversations.create({ items: items.flat() })
  await page.goto(`${service.url}/#/ask/${id}`)
  await page.locator('.turn').first().waitFor()
  const earlier = page.getByRole('button', { name: 'Show earlier questions' })
  for (let shown = await page.locator('.turn').count(); shown < turns!; shown = await page.locator('.turn').count()) {
    await earlier.click()
    await page.locator('.turn').nth(shown).waitFor()
  }
  await page.evaluate(`document.querySelector('.turns').scrollTop = 0`)
  tell(`a conversation of ${turns} turns\n  scrolled`, (await page.evaluate(scrolling('.turns', 300))) as number[]) // as above
  const writing = page.evaluate(framesWhile('', 300)) as Promise<number[]> // as above
  await page
    .getByRole('textbox', { name: 'Your question' })
    .fill('What does a warehouse keep, and what does it say of each thing?')
  await page.keyboard.press('Enter')
  tell('  asked on', await writing)
}

function tell(what: string, unsorted: readonly number[]): void {
  const times = unsorted.toSorted((a, b) => a - b)
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]?.toFixed(1)
  const late = times.filter(ms => ms > 34).length
  const frames = `${times.length} frames: median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms; ${late} over 34 ms`
  console.log(`${what}: ${frames}`)
}

function paragraph(at: number): string {
  return `## Section ${at + 1}\n\n${'A warehouse keeps what is sent to it, and says of each thing where it lies. '.repeat(4)}`
}
