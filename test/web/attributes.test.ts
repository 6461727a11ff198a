import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from './browser.ts'
import { findSeriousFaults, lookAt } from './look.ts'
import { startSession, type WebSession } from './session.ts'

describe.skipIf(CHROMIUM === undefined)('attributes of a document, in Chromium', () => {
  let session: WebSession

  beforeAll(async () => {
    session = await startSession([{ text: ['Yes.'] }])
    const { passim, page, url } = session
    const { document } = await passim.documents.put({
      ...{ id: 'rules', text: 'A hotel costs at most 140 euros.', collection: 'default' },
      attributes: { code: '007', year: 2024 },
    })
    await page.goto(`${url}/#/documents/${document.id}`)
    await page.getByRole('list', { name: 'Attributes' }).waitFor()
  })
  afterAll(() => session?.close())

  const chips = () => session.page.getByRole('list', { name: 'Attributes' })
  const stored = async () => (await session.passim.list('default'))[0]?.attributes

  test('a value is edited in place with the keyboard, and the others keep their types', async () => {
    const { page } = session
    await chips().getByRole('button', { name: 'Edit: year 2024' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('2025')
    await page.keyboard.press('Enter')
    await chips().getByRole('button', { name: 'Edit: year 2025' }).waitFor()
    expect(await stored()).toEqual({ code: '007', year: 2025 })
    await expect.poll(() => page.evaluate('document.activeElement.dataset.name')).toBe('year')
  })

  test('one is added and deleted, and Escape changes nothing', async () => {
    const { page } = session
    const add = chips().getByRole('button', { name: 'Add an attribute' })
    await add.click()
    await page.keyboard.type('team')
    await page.keyboard.press('Tab')
    await page.keyboard.type('travel desk')
    expect(await findSeriousFaults(page)).toEqual([])
    await lookAt(page, 'attributes')
    await page.getByRole('textbox', { name: 'Value' }).press('Enter')
    const chip = chips().getByRole('button', { name: 'Edit: team travel desk' })
    await chip.click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('nobody')
    await page.keyboard.press('Escape')
    await chip.click()
    expect(await stored()).toMatchObject({ team: 'travel desk' })
    await page.getByRole('button', { name: 'Delete: team' }).click()
    await chip.waitFor({ state: 'detached' })
    expect(await stored()).toEqual({ code: '007', year: 2025 })
  })

  test('Escape of an input method ends its word, and the fields stay open', async () => {
    const { page } = session
    await chips().getByRole('button', { name: 'Add an attribute' }).click()
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('部门')
    const init = { key: 'Escape', bubbles: true }
    await name.dispatchEvent('keydown', { ...init, isComposing: true })
    await name.press('End')
    expect(await name.inputValue()).toBe('部门')
    await name.dispatchEvent('keydown', init)
    await name.waitFor({ state: 'detached' })
  })

  test('a name that another attribute has is refused, and no value is replaced', async () => {
    const { page } = session
    await chips().getByRole('button', { name: 'Add an attribute' }).click()
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill(' code ')
    await page.getByRole('textbox', { name: 'Value' }).fill('8')
    await page.keyboard.press('Enter')
    const field = `document.querySelector('.attribute input')`
    expect(await page.evaluate(`${field}.validationMessage`)).toMatch(/^Another attribute/)
    await page.keyboard.press('Escape')
    await chips().getByRole('button', { name: 'Edit: year 2025' }).click()
    await name.fill('code')
    await page.keyboard.press('Enter')
    expect(await stored()).toEqual({ code: '007', year: 2025 })
    await name.fill('since')
    await page.keyboard.press('Enter')
    await chips().getByRole('button', { name: 'Edit: since 2025' }).waitFor()
    expect(await stored()).toEqual({ code: '007', since: 2025 })
  })

  test('what the service refuses is shown, and the fields stay open', async () => {
    const { page } = session
    await page.route('**/v1/vector_stores/**', route =>
      route.fulfill({ status: 409, json: { error: { code: 'conflict', message: 'Not now.' } } }),
    )
    await chips().getByRole('button', { name: 'Edit: code 007' }).click()
    await page.keyboard.type('8')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Not now.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Value' }).count()).toBe(1)
    await page.unroute('**/v1/vector_stores/**')
    await page.keyboard.press('Escape')
  })
})
