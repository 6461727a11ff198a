import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTenants } from '../../src/app/tenants/tenants.ts'
import { type Service, serve } from '../../src/server.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { CHROMIUM, startBrowser } from './browser.ts'

describe.skipIf(CHROMIUM === undefined)('the chat model, set in the page, in Chromium', () => {
  let sandbox: Sandbox
  let model: ScriptedModel
  let close: () => Promise<void>
  let service: Service
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    sandbox = await Sandbox.make()
    model = await startScriptedModel([{ text: ['A hotel costs at most 180 euros a night [1].'] }])
    const tenants = await openTenants({
      home: sandbox.home,
      environment: sandbox.environment,
      embedder: new HashingEmbedder(),
      onError: () => {},
    })
    close = tenants.close
    const { settings, stores, modelSetting } = tenants
    const lease = await stores.acquire('default')
    await lease.passim.index([
      await sandbox.write({ 'rules.md': 'A hotel costs at most 180 euros a night.' }),
    ])
    lease.release()
    const served = { settings: { ...settings.server, port: 0 }, modelSetting, log: () => {} }
    service = await serve(stores, served)
    browser = await startBrowser()
    page = await browser.newPage({ viewport: { width: 360, height: 740 }, locale: 'en-GB' })
    page.setDefaultTimeout(60_000)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
    await close?.()
    await model?.close()
    await sandbox?.remove()
  })

  const fill = async (label: string, text: string) => await page.getByLabel(label).fill(text)

  test('an address that does not answer is refused with a reason', async () => {
    await page.goto(`${service.url}/#/settings`)
    await fill('Address of an OpenAI-compatible server', 'http://127.0.0.1:9/v1')
    await fill('Model', 'scripted')
    await page.getByRole('button', { name: 'Test and save' }).click()
    await page.locator('.chat-model').getByRole('alert').waitFor()
  })

  test('one that answers is saved, and writes the next answer', async () => {
    await fill('Address of an OpenAI-compatible server', model.url)
    await fill('Key (if the server needs one)', 'sk-secret')
    await fill('Maximum tokens of a request', '4000')
    await page.getByRole('button', { name: 'Test and save' }).click()
    await page.getByText('Saved. The model answered.').waitFor()
    const tokens = page.getByLabel('Maximum tokens of a request')
    expect(await tokens.inputValue()).toBe('4000')
    expect(await page.content()).not.toContain('sk-secret')
    await page.goto(`${service.url}/#/ask`)
    await page.getByRole('textbox', { name: 'Your question' }).fill('What may a hotel cost?')
    await page.keyboard.press('Enter')
    await page.locator('.answer button.marker').first().waitFor()
    expect(await page.getByText('no model was used').count()).toBe(0)
  })

  test('it can be taken away again, and axe finds nothing serious', async () => {
    await page.goto(`${service.url}/#/settings`)
    await page.getByRole('button', { name: 'Use no model' }).click()
    await page.getByRole('button', { name: 'Use no model' }).waitFor({ state: 'detached' })
    await page.evaluate(axe.source)
    const { violations }: axe.AxeResults = await page.evaluate('axe.run()')
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    expect(serious.map(({ id }) => id)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  })
})
