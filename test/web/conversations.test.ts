import type { Locator } from 'playwright-core'
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

  test('Escape of an input method closes nothing, and Escape alone one thing at a time', async () => {
    const { page } = session
    const init = { key: 'Escape', bubbles: true }
    const endWord = async (field: Locator) => {
      await field.dispatchEvent('keydown', { ...init, isComposing: true })
      await field.dispatchEvent('keydown', { ...init, keyCode: 229 })
    }
    const pane = page.getByRole('complementary', { name: 'Source' })
    await endWord(pane)
    await page.getByRole('button', { name: 'Good answer' }).click()
    const reason = page.getByRole('textbox', { name: 'Reason' })
    await endWord(reason)
    expect(await reason.isVisible()).toBe(true)
    expect(await pane.isVisible()).toBe(true)
    await pane.press('Escape')
    await pane.waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'Conversations' }).click()
    const list = page.getByRole('complementary', { name: 'Conversations' })
    await list.getByRole('link', { name: 'Which hotels are cheaper?' }).hover()
    await list.getByRole('button', { name: 'Rename: Which hotels are cheaper?' }).click()
    const name = list.getByRole('textbox', { name: 'Rename' })
    await name.fill('住宿')
    await endWord(name)
    expect(await name.inputValue()).toBe('住宿')
    await name.press('Escape')
    await name.waitFor({ state: 'detached' })
    expect(await list.isVisible()).toBe(true)
    await list.getByText('Which hotels are cheaper?').waitFor()
    await list.getByRole('link').first().press('Escape')
    await list.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 1280, height: 800 })
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
