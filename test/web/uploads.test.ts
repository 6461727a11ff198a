import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from './browser.ts'
import { findSeriousFaults, lookAt } from './look.ts'
import { startSession, type WebSession } from './session.ts'

describe.skipIf(CHROMIUM === undefined)('an upload of many, in Chromium', () => {
  let session: WebSession
  beforeAll(async () => {
    session = await startSession([])
  })
  afterAll(() => session?.close())

  test('has one progress in all, which ends full although a file fails', async () => {
    const { page, drop } = session
    const total = page.getByRole('progressbar', { name: 'Total progress' })
    await drop([{ name: 'a.md', buffer: Buffer.from('A heron.') }])
    expect(await total.count()).toBe(0)
    await drop([
      { name: 'b.md', buffer: Buffer.from('A stork.') },
      { name: 'c.pdf', buffer: Buffer.from('%PDF-1.4 and nothing after it') },
    ])
    await page.locator('.upload.failed').waitFor()
    expect(await total.getAttribute('value')).toBe(await total.getAttribute('max'))
    await lookAt(page, 'uploads')
    expect(await findSeriousFaults(page)).toEqual([])
  })
})
