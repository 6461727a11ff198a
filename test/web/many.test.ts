import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from './browser.ts'
import { MANY, openMany } from './many.ts'

/** Rows of a window, above and below it, far from all. */
const MAX_DRAWN = 100

describe.skipIf(CHROMIUM === undefined)('10,000 documents and 500 turns, in Chromium', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await startBrowser()
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
    page.setDefaultTimeout(60_000)
  })
  afterAll(() => browser?.close())

  test('of the documents only those in the window are drawn, and the last is reached', async () => {
    await openMany(page, '#/documents')
    await page.getByText('10,000 documents').first().waitFor()
    expect(await page.locator('.row').count()).toBeLessThan(MAX_DRAWN)
    await page.evaluate(`document.querySelector('.windowed').scrollTo(0, 1e9)`)
    await page.getByText(`Minutes of meeting ${MANY.documents}.pdf`).waitFor()
    expect(await page.locator('.row').count()).toBeLessThan(MAX_DRAWN)
  })

  test('turns outside of the window are not laid out', async () => {
    await openMany(page, '?again#/ask/many')
    for (let shown = 50; shown < MANY.turns; shown += 50) {
      await expect.poll(() => page.locator('.turn').count()).toBe(shown)
      await page.getByRole('button', { name: 'Show earlier questions' }).click()
    }
    await expect.poll(() => page.locator('.turn').count()).toBe(MANY.turns)
    const laidOut = await page.evaluate(
      `[...document.querySelectorAll('.turn .answer')].filter(answer => answer.checkVisibility({ contentVisibilityAuto: true })).length`,
    )
    expect(laidOut).toBeGreaterThan(0)
    expect(laidOut).toBeLessThan(MAX_DRAWN)
  })
})
