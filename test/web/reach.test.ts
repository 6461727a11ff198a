import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from './browser.ts'
import { startSession, type WebSession } from './session.ts'

/** Runs in the page: the controls that are cut off at a side, where nothing scrolls to show them. */
const CUT_OFF = `[...document.querySelectorAll('button, a[href], input, select, textarea')].flatMap(control => {
  const { left, right, width } = control.getBoundingClientRect()
  if (width <= 1 || !control.checkVisibility({ visibilityProperty: true })) return []
  const isOutside = box => left < box.left - 1 || right > box.right + 1
  const told = control.outerHTML.slice(0, 120)
  for (let around = control.parentElement; around; around = around.parentElement) {
    const { overflowX, contain } = getComputedStyle(around)
    const isClipped = /hidden|clip/.test(overflowX) || /paint|strict|content/.test(contain)
    if (isClipped && isOutside(around.getBoundingClientRect())) return [told]
    if (/auto|scroll/.test(overflowX) && around.scrollWidth > around.clientWidth) return []
  }
  return isOutside({ left: 0, right: innerWidth }) ? [told] : []
})`

describe.skipIf(CHROMIUM === undefined)('whatever the width, in Chromium', () => {
  let session: WebSession
  beforeAll(async () => {
    session = await startSession([{ text: ['Two years [1].'] }])
    await session.page.getByRole('heading', { name: 'Ask your documents' }).waitFor()
    await session.drop([
      { name: 'terms.md', buffer: Buffer.from('The warranty lasts two years.') },
      { name: `${'long-name-'.repeat(12)}.pdf`, buffer: Buffer.from('%PDF-1.7 cut off') },
    ])
  })
  afterAll(() => session?.close())

  const views = ['ask', 'documents', 'search?q=warranty', 'collections', 'activity', 'keys']
  test.each(views)('no control of %s is cut off', async view => {
    const { page, go } = session
    await go(`#/${view}`)
    await page.locator('.working').first().waitFor({ state: 'detached' })
    if (view === 'documents') await page.locator('.row').nth(1).waitFor()
    for (const width of [360, 600, 761, 901, 1_024, 1_101, 1_440]) {
      await page.setViewportSize({ width, height: 760 })
      expect(await page.evaluate(CUT_OFF), `${width} pixels wide`).toEqual([])
    }
  })
})
