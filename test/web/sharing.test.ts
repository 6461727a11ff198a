import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from './browser.ts'
import { findSeriousFaults, lookAt } from './look.ts'
import { startSession, type WebSession } from './session.ts'

const QUESTION = 'What may a hotel cost a night?'

describe.skipIf(CHROMIUM === undefined)('a shared conversation, in Chromium', () => {
  let session: WebSession
  let visitor: Page
  let link = ''

  beforeAll(async () => {
    session = await startSession(
      [
        {
          text: [
            'A hotel costs at most 140 euros a night [1]. Hotels cost at most 900 euros a night [1].',
          ],
        },
      ],
      {
        server: { sharedLinkDays: 30 },
      },
    )
    const { page, drop, go, ask, keys } = session
    const rules = Buffer.from('A hotel costs at most 140 euros a night.')
    await drop([{ name: 'rules.md', buffer: rules }])
    await go('#/ask')
    await ask(QUESTION)
    await page.locator('.turn .actions').waitFor()
    const { token } = await keys.create({ name: 'writer', tenant: 'default', scope: 'write' })
    await page.reload()
    await page.getByLabel('Key').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.conversation-entry').waitFor()
    const context = await page.context().browser()!.newContext({ locale: 'en-GB' })
    visitor = await context.newPage()
    visitor.setDefaultTimeout(60_000)
  })
  afterAll(() => session?.close())

  const openDialog = async () => {
    await session.page.locator('.conversation-entry').hover()
    await session.page.getByRole('button', { name: `Share: ${QUESTION}` }).click()
    return session.page.getByRole('dialog')
  }

  test('a link is created with the keyboard, shown once, and listed', async () => {
    const dialog = await openDialog()
    expect(await dialog.getByLabel('Valid for').inputValue()).toBe('7')
    await dialog.getByLabel('Valid for').focus()
    await session.page.keyboard.press('Tab')
    await session.page.keyboard.press('Enter')
    link = await dialog.getByLabel('Copy the link now').inputValue()
    expect(await session.page.evaluate('document.activeElement.value')).toBe(link)
    expect(link).toMatch(/#\/shared\/[\w-]{43}$/)
    await dialog.getByRole('listitem').waitFor()
    expect(await findSeriousFaults(session.page)).toEqual([])
    await lookAt(session.page, 'share-dialog')
    await session.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('whoever has it reads question, answer and quoted words without a key, and opens nothing', async () => {
    const asked: string[] = []
    visitor.on('request', request => asked.push(new URL(request.url()).pathname))
    await visitor.goto(link)
    await visitor.getByRole('heading', { name: QUESTION }).waitFor()
    await visitor.getByRole('button', { name: 'Source 1: rules.md' }).click()
    const quotation = visitor.locator('.quotations li')
    expect(await quotation.textContent()).toContain('A hotel costs at most 140 euros a night.')
    expect(await visitor.locator('.contradicted').textContent()).toContain('900 euros')
    expect(await visitor.evaluate('document.activeElement.className')).toBe('passage')
    expect(await visitor.locator('nav, .quotations a').count()).toBe(0)
    expect(asked.filter(path => /^\/(?:api|v1)\//.test(path))).toEqual(['/api/shared'])
    expect(await findSeriousFaults(visitor)).toEqual([])
    await lookAt(visitor, 'shared-conversation')
    await visitor.setViewportSize({ width: 360, height: 740 })
    expect(await visitor.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  })

  test('revoking a link leaves a new one shown', async () => {
    const dialog = await openDialog()
    await dialog.getByRole('button', { name: 'Create a link' }).click()
    const links = dialog.getByRole('listitem')
    await links.nth(1).waitFor()
    await links.nth(1).getByRole('button', { name: 'Revoke' }).click()
    await links.nth(1).waitFor({ state: 'detached' })
    expect(await dialog.getByLabel('Copy the link now').inputValue()).not.toBe(link)
    await links.getByRole('button', { name: 'Revoke' }).click()
    await dialog.getByRole('button', { name: 'Create a link' }).waitFor()
  })

  test('the dialog stays when the window shrinks', async () => {
    const { page } = session
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await dialog.isVisible()).toBe(true)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('a link is copied on a page without HTTPS, where the browser has no clipboard', async () => {
    const { page } = session
    await page.evaluate(`Object.defineProperty(window, 'isSecureContext', { value: false })
      Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
    const dialog = session.page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create a link' }).click()
    const copied = await dialog.getByLabel('Copy the link now').inputValue()
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await dialog.getByText('Copied').waitFor()
    await dialog.getByRole('listitem').getByRole('button', { name: 'Revoke' }).click()
    await page.keyboard.press('Escape')
    const question = page.getByRole('textbox', { name: 'Your question' })
    await question.focus()
    await page.keyboard.press('Control+V')
    expect(await question.inputValue()).toBe(copied)
  })

  test('an address without its token says that it opens nothing', async () => {
    await visitor.goto(link.replace(/[^/]+$/, ''))
    await visitor.getByText('This link does not exist, has expired or was revoked.').waitFor()
    await visitor.goto(link)
  })

  test('a revoked link says so, in the language of its reader', async () => {
    await visitor.reload()
    await visitor.getByText('This link does not exist, has expired or was revoked.').waitFor()
    expect(await visitor.getByText('Shared conversation').count()).toBe(1)
    await visitor.getByRole('button', { name: '中文' }).click()
    await visitor.getByText('此链接不存在、已过期或已被吊销。').waitFor()
  })
})
