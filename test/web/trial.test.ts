import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'
import { pdf } from '../fixtures/pdf.ts'
import { CHROMIUM, startBrowser } from './browser.ts'

/** As long as a machine that does much else may take. */
const PATIENCE = 120_000

const TERMS = pdf([
  ['Terms of sale', 'The warranty lasts two years.', 'Complaints are answered within a week.'].map(
    (text, at) => ({
      ...{ text, x: 72, y: 100 + 30 * at },
      size: 12,
    }),
  ),
])

/** Pictures go to the folder PASSIM_FILM, where it is set, to be looked at. */
describe.skipIf(CHROMIUM === undefined)(
  'a new user, from an empty home to a lit citation, in Chromium',
  () => {
    let sandbox: Sandbox
    let browser: Browser
    let page: Page
    let service: ChildProcess
    let film: string
    const taken: Buffer[] = []

    beforeAll(async () => {
      sandbox = await Sandbox.make()
      film = process.env.PASSIM_FILM ?? sandbox.path('film')
      await mkdir(film, { recursive: true })
      browser = await startBrowser()
      page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
      page.setDefaultTimeout(PATIENCE)
    })
    afterAll(async () => {
      await browser?.close()
      service?.kill('SIGKILL')
      await sandbox?.remove()
    })

    /** A picture of the step, which looks like none before it. */
    const shoot = async (step: string) => {
      const file = path.join(film, `${taken.length + 1}-${step}.png`)
      const picture = await page.screenshot({ path: file, animations: 'disabled' })
      expect(taken.some(earlier => earlier.equals(picture))).toBe(false)
      taken.push(picture)
    }

    test('serve, open, drop a PDF, ask, click: each step is filmed', async () => {
      const { child } = startCli(sandbox.home, ['serve', '--port', '0'])
      service = child
      const [line] = (await once(child.stdout!, 'data')) as [Buffer | string]
      const url = /http:\S+/.exec(String(line))?.[0] ?? ''
      await page.goto(url)
      await page.getByText('Drop files or folders here').waitFor()
      await shoot('opened')

      const transfer = await page.evaluateHandle(`(() => {
      const bytes = Uint8Array.from(atob('${TERMS.toString('base64')}'), one => one.charCodeAt(0))
      const transfer = new DataTransfer()
      transfer.items.add(new File([bytes], 'terms.pdf', { type: 'application/pdf' }))
      return transfer
    })()`)
      await page.dispatchEvent('.drop', 'drop', { dataTransfer: transfer })
      await page.locator('.upload.done').waitFor()
      await shoot('dropped')

      await page
        .getByRole('textbox', { name: 'Your question' })
        .fill('How long does the warranty last?')
      await page.keyboard.press('Enter')
      const marker = page.locator('.answer button.marker').first()
      await marker.waitFor()
      expect(await page.locator('.answer').textContent()).toContain('two years')
      await page.locator('.turn .actions').waitFor()
      await shoot('answered')

      await marker.click()
      await page
        .locator('aside.source .page-picture mark, aside.source .source-text mark')
        .first()
        .waitFor()
      await page
        .locator('aside.source .page-picture img, aside.source .source-text')
        .first()
        .waitFor() // it may come after its boxes
      await page.evaluate(`Promise.all([...document.images].map(image => image.decode()))`)
      await shoot('lit')
      const names = ['1-opened.png', '2-dropped.png', '3-answered.png', '4-lit.png']
      expect((await readdir(film)).toSorted()).toEqual(expect.arrayContaining(names))
    })
  },
)
