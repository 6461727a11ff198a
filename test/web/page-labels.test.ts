import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pdf } from '../fixtures/pdf.ts'
import { CHROMIUM } from './browser.ts'
import { startSession, type WebSession } from './session.ts'

/** More lines than a phone shows. */
const FILLER = Array.from({ length: 60 }, (_, index) => `Line ${index} says nothing of hotels.`)

describe.skipIf(CHROMIUM === undefined)('labels of pages and places in them, in Chromium', () => {
  let session: WebSession

  beforeAll(async () => {
    session = await startSession([{ text: ['A hotel costs at most 180 euros a night [1].'] }])
    const lines = [...FILLER, 'A hotel costs at most 180 euros a night.']
    const page = lines.map((text, index) => ({ text, x: 72, y: 20 + 12 * index, size: 9 }))
    const labels = '/PageLabels<</Nums[0<</S/r>>1<</S/D/St 2>>]>>'
    const buffer = pdf([page, [{ text: 'An end.', x: 72, y: 100, size: 12 }]], '', labels)
    await session.drop([{ name: 'rules.pdf', buffer }])
  })
  afterAll(() => session.close())

  test('a source and the viewer name a page as it is printed', async () => {
    const { page } = session
    await session.go('#/ask')
    await session.ask('What may a hotel cost?')
    await page
      .getByRole('button', { name: /^Source 1: rules\.pdf, p\. i/ })
      .first()
      .click()
    await page.locator('aside.source .source-name a').click()
    await page.getByText('Page i (1 of 2)').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Page 2 of 2').waitFor()
  })

  test('the viewer scrolls to the quoted words', async () => {
    const { page } = session
    await page.setViewportSize({ width: 360, height: 640 })
    await page.goBack()
    const lit = page.locator('.page-and-text mark').first()
    await lit.waitFor({ state: 'attached' })
    const isInView = async () => {
      const box = await lit.boundingBox()
      return box !== null && box.y > 0 && box.y < 640
    }
    await expect.poll(isInView).toBe(true)
  })

  test('a phone shows every tab of a document, and scrolls nothing sideways', async () => {
    const { page } = session
    const last = await page.getByRole('button', { name: 'Details' }).boundingBox()
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(360)
    expect(await page.evaluate(`document.querySelector('main').scrollWidth`)).toBe(360)
  })
})
