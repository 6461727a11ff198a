import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pdf } from '../fixtures/pdf.ts'
import { CHROMIUM } from './browser.ts'
import { startSession, type WebSession } from './session.ts'

const TERMS = pdf(
  ['The warranty lasts two years.', 'Complaints are answered within a week.'].map(text => [
    { text, x: 72, y: 100, size: 12 },
  ]),
)

/** Numbers all that can be used in the page, and gives how many there are. */
const NUMBERED = `(() => {
  const usable = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter(one => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }))
  usable.forEach((one, at) => (one.dataset.number = at))
  return usable.length
})()`

/** What has the focus: its number, what it is called, and whether one sees that it has it. */
const FOCUSED = `(() => {
  const one = document.activeElement
  const look = style => [style.outlineStyle !== 'none' && style.outlineWidth, style.boxShadow, style.borderColor].join()
  const around = one.closest('form, label') ?? one.parentElement
  const seen = () => [one, around].map(element => look(getComputedStyle(element))).join()
  const held = seen()
  one.blur()
  const left = seen()
  one.focus({ focusVisible: true })
  return { number: one.dataset.number, name: one.outerHTML.slice(0, 120), isSeen: held !== left }
})()`

type Focused = { readonly number?: string; readonly name: string; readonly isSeen: boolean }

describe.skipIf(CHROMIUM === undefined)('the page by the keyboard alone, in Chromium', () => {
  let session: WebSession
  let document: string

  beforeAll(async () => {
    session = await startSession([{ text: ['The warranty lasts two years [1].'] }])
    await session.page.getByRole('heading', { name: 'Ask your documents' }).waitFor()
    await session.drop([{ name: 'terms.pdf', buffer: TERMS }])
    document = (await session.passim.list('default'))[0]!.id // the one that was dropped
    await session.go('#/ask')
    await session.ask('How long is the warranty?')
    await session.page.locator('.turn .actions').waitFor()
  })
  afterAll(() => session?.close())

  const views = [
    '',
    '#/documents',
    'document',
    '#/search?q=warranty',
    '#/collections',
    '#/activity',
    '#/keys',
  ]
  test.each(views)(
    'everything in the view %s is come to by Tab, is seen to have the focus, and lets it go',
    async view => {
      const { page, go } = session
      if (view) await go(view === 'document' ? `#/documents/${document}` : view)
      await page.locator('main h1, .turn h2').first().waitFor({ state: 'attached' })
      await page.locator('.working').first().waitFor({ state: 'detached' })
      await page.evaluate('document.activeElement.blur()')
      const count = Number(await page.evaluate(NUMBERED))
      const met = new Map<string, Focused>()
      for (let pressed = 0; pressed < 2 * count + 10 && met.size < count; pressed++) {
        await page.keyboard.press('Tab')
        const focused = (await page.evaluate(FOCUSED)) as Focused // as it says
        if (focused.number !== undefined) met.set(focused.number, focused)
      }
      const missed = await page.evaluate(
        `[...document.querySelectorAll('[data-number]')].filter(one => !${JSON.stringify([...met.keys()])}.includes(one.dataset.number)).map(one => one.outerHTML.slice(0, 120))`,
      )
      expect(missed).toEqual([])
      expect([...met.values()].filter(({ isSeen }) => !isSeen).map(({ name }) => name)).toEqual([])
    },
  )

  test('a dialog is opened, left by Escape and by its button, and gives the focus back', async () => {
    const { page, go } = session
    await go('#/documents')
    const opens = page.getByRole('button', { name: 'Add a web page' })
    await opens.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Address').waitFor()
    expect(await page.evaluate(`document.activeElement.closest('dialog') !== null`)).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Add a web page')
    await page.keyboard.press('Enter')
    const cancel = page.getByRole('dialog').getByRole('button', { name: 'Cancel' })
    await cancel.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Add a web page')
  })

  test.each(['Escape', 'Enter'])(
    'a dialog that is asked for again the moment it was left by %s stays',
    async key => {
      const { page, go } = session
      await go('#/documents')
      await page.getByRole('button', { name: 'Add a web page' }).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Cancel' }).focus()
      await page.evaluate(`(() => {
      const left = document.querySelector('dialog')
      const opens = [...document.querySelectorAll('button')].find(one => one.textContent === 'Add a web page')
      new MutationObserver((_, observer) => { observer.disconnect(); opens.click() }).observe(left, { attributeFilter: ['open'] })
      window.closed = new Promise(resolve => left.addEventListener('close', () => setTimeout(resolve)))
    })()`)
      await page.keyboard.press(key)
      await page.evaluate('closed')
      await dialog.getByLabel('Address').waitFor({ timeout: 10_000 })
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    },
  )

  test('the list is sorted, a document is opened, turned over and left, all by keys', async () => {
    const { page, go } = session
    await go('#/documents')
    const sort = page.getByRole('button', { name: /Sort by name/i })
    await sort.focus()
    await page.keyboard.press('Space')
    expect(await sort.getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('link', { name: 'terms.pdf' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Next page' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.page-read').filter({ hasText: 'Complaints' }).waitFor()
    await page.getByRole('link', { name: 'All documents' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor()
  })

  test('past the navigation by one key', async () => {
    const { page, go } = session
    await go('#/search')
    await page.reload()
    await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
  })
})
