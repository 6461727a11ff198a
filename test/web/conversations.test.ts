import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from './browser.ts'
import { findSeriousFaults, lookAt } from './look.ts'
import { startSession, type WebSession } from './session.ts'

const RULES = Buffer.from('# Travel\n\nHotels cost at most 140 euros.\n')

describe.skipIf(CHROMIUM === undefined)('the list of conversations, in Chromium', () => {
  let session: WebSession

  beforeAll(async () => {
    const reply = { text: ['Hotels cost at most 140 euros [1].'] }
    session = await startSession([reply, reply])
    await session.drop([{ name: 'travel.md', buffer: RULES }])
    await session.go('#/ask')
    const { page } = session
    await session.ask('What may a hotel cost?')
    await page.locator('.turn .actions').waitFor()
    await page.getByRole('button', { name: 'New conversation' }).first().click()
    await session.ask('Which hotels are cheaper?')
    await page.locator('.turn .actions').waitFor()
  })
  afterAll(() => session?.close())

  test('a conversation is pinned by the keyboard, and stays on top after a reload', async () => {
    const { page } = session
    const titles = page.locator('.conversation-entry a')
    await titles.nth(1).waitFor()
    expect(await titles.allTextContents()).toEqual([
      'Which hotels are cheaper?',
      'What may a hotel cost?',
    ])
    await titles.nth(1).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const first = titles.first().filter({ hasText: 'What may a hotel cost?' })
    await first.waitFor()
    await page.reload()
    await first.waitFor()
    await titles.first().hover()
    await lookAt(page, 'pinned')
    expect(await findSeriousFaults(page)).toEqual([])
    await titles.first().hover()
    const pin = page.getByRole('button', { name: 'Keep on top: What may a hotel cost?' })
    expect(await pin.getAttribute('aria-pressed')).toBe('true')
  })

  test('a printed conversation has its questions and answers, and nothing to press', async () => {
    const { page } = session
    await page.locator('.turn .actions').waitFor()
    await page.evaluate('window.print = () => { document.title = "printed" }')
    await page.locator('.conversation-entry').nth(1).hover()
    await page.getByRole('button', { name: 'Print or save as PDF' }).click()
    await page.waitForFunction('document.title === "printed"')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.answer').isVisible()).toBe(true)
    for (const part of ['.side', '.composer', '.turn .actions'])
      expect(await page.locator(part).first().isVisible()).toBe(false)
    await page.emulateMedia({ media: null })
  })

  test('the shown source is copied as a footnote and for BibTeX', async () => {
    const { page } = session
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.locator('button.marker').first().click()
    await page.getByRole('button', { name: 'Copy as footnote' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      '“Hotels cost at most 140 euros.” travel.md, Travel.',
    )
    await lookAt(page, 'references')
    expect(await findSeriousFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Copy as BibTeX' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('title = {travel.md}')
  })

  test('more conversations than a page are pinned, and none is missing', async () => {
    const { page, passim } = session
    for (let number = 1; number <= 51; number++)
      await passim.conversations.create({ title: `Plan ${number}`, metadata: { pinned: 'true' } })
    await page.reload()
    const list = page.locator('.conversation-entry a')
    await list.nth(49).waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await list.nth(52).waitFor({ timeout: 10_000 })
    expect(await list.filter({ hasText: 'Plan' }).count()).toBe(51)
  })
})
