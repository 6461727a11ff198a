import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from './browser.ts'
import { startSession, type WebSession } from './session.ts'

describe.skipIf(CHROMIUM === undefined)('two citations beside each other, in Chromium', () => {
  let session: WebSession

  beforeAll(async () => {
    const text = ['A hotel costs at most 180 euros [1]. A meal costs at most 28 euros [2].']
    session = await startSession([{ text }])
    const documents = {
      'hotels.md': '# Hotels\n\nA hotel costs at most 180 euros.',
      'meals.md': '# Meals\n\nA meal costs at most 28 euros.',
    }
    const files = Object.entries(documents).map(([name, words]) => {
      return { name, buffer: Buffer.from(words) }
    })
    await session.drop(files)
  })
  afterAll(() => session.close())

  test('a source stays while the next one is shown beside it, each with its words lit', async () => {
    const { page } = session
    await session.go('#/ask')
    await session.ask('What may a hotel and a meal cost?')
    await page.locator('.answer button.marker').first().click()
    await page.getByRole('button', { name: 'Compare with another source' }).click()
    const parts = page.locator('aside.source .source-part')
    await parts.nth(1).locator('mark').first().waitFor()
    const [kept, shown] = await Promise.all([parts.nth(0), parts.nth(1)].map(p => p.boundingBox()))
    expect(kept!.x + kept!.width).toBeLessThanOrEqual(shown!.x + 1)
    const lit = await parts.locator('mark').allTextContents()
    expect(lit.join(' ')).toContain('180 euros')
    expect(lit.join(' ')).toContain('28 euros')
  })

  test('comparing ends by its button, and both are left by Escape', async () => {
    const { page } = session
    const parts = page.locator('aside.source .source-part')
    await page.getByRole('button', { name: 'Stop comparing' }).click()
    await parts.nth(1).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Compare with another source' }).click()
    await page.keyboard.press('Escape')
    await parts.first().waitFor({ state: 'detached' })
  })
})
