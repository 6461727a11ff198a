import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Settings } from '../../src/config.ts'
import { CHROMIUM } from './browser.ts'
import { startSession, type WebSession } from './session.ts'

describe.skipIf(CHROMIUM === undefined)('the sources on the page, in Chromium', () => {
  let session: WebSession
  beforeAll(async () => {
    const papers = { type: 'folder', path: '/nowhere/papers', everyMinutes: 0 } as const
    const sources = { papers } as unknown as Settings['sources'] // what the schema completes
    session = await startSession([], { sources })
    await session.page.getByRole('heading', { name: 'Ask your documents' }).waitFor()
  })
  afterAll(() => session?.close())

  test('a source is run by a click, and shows why it failed', async () => {
    const { page, go, passim } = session
    await passim.resume()
    await go('#/activity')
    const row = page.getByRole('listitem').filter({ hasText: 'folder → default' })
    await row.getByText('Not run yet').waitFor()
    await row.getByRole('button', { name: 'Run now: papers' }).click()
    await row.getByText('There is no file or folder').first().waitFor()
    expect(await row.textContent()).toContain('1 failed')
    await page.evaluate(axe.source)
    const found: axe.AxeResults = await page.evaluate('axe.run()')
    expect(
      found.violations.filter(({ impact }) => impact === 'critical' || impact === 'serious'),
    ).toEqual([])
  })
})
