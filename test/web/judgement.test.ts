import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from './browser.ts'
import { findSeriousFaults, lookAt } from './look.ts'
import { startSession, type WebSession } from './session.ts'

const RULES = Buffer.from('# Travel\n\nHotels cost at most 140 euros.\n')

describe.skipIf(CHROMIUM === undefined)('judging an answer, in Chromium', () => {
  let session: WebSession

  beforeAll(async () => {
    session = await startSession([{ text: ['Hotels cost at most 140 euros [1].'] }])
    await session.drop([{ name: 'travel.md', buffer: RULES }])
    await session.go('#/ask')
    await session.ask('What may a hotel cost?')
    await session.page.locator('.turn .actions').waitFor()
  })
  afterAll(() => session?.close())

  test('a rating and its reason are given by the keyboard, survive a reload, and are taken back', async () => {
    const { page } = session
    const bad = page.getByRole('button', { name: 'Bad answer' })
    await bad.focus()
    await page.keyboard.press('Enter')
    const reason = page.getByRole('textbox', { name: 'Reason (optional)' })
    await reason.fill('It is of last year.')
    await lookAt(page, 'judgement-form')
    expect(await findSeriousFaults(page)).toEqual([])
    await reason.press('Enter')
    await page.getByText('It is of last year.').waitFor()
    await page.reload()
    await page.getByText('It is of last year.').waitFor()
    expect(await bad.getAttribute('aria-pressed')).toBe('true')
    await lookAt(page, 'judgement')
    await bad.click()
    await page.getByText('It is of last year.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Good answer' }).click()
    await page.keyboard.press('Escape')
    expect(await bad.getAttribute('aria-pressed')).toBe('false')
  })

  test('the judged answers are saved from the settings as an evaluation set', async () => {
    const { page, go } = session
    await go('#/settings')
    const button = page.getByRole('button', { name: 'Download the evaluation set' })
    await button.waitFor()
    await lookAt(page, 'judged-settings')
    expect(await findSeriousFaults(page)).toEqual([])
    const [saved] = await Promise.all([page.waitForEvent('download'), button.click()])
    expect(saved.suggestedFilename()).toBe('judged.jsonl')
    const line = JSON.parse(await readFile((await saved.path())!, 'utf8'))
    expect(line).toMatchObject({ rating: 'good', doc: 'travel.md' })
  })
})
