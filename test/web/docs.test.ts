import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Keys } from '../../src/app/tenants/keys.ts'
import { type Service, serve } from '../../src/server.ts'
import { oneStore } from '../fakes/one-store.ts'
import { Sandbox } from '../fakes/store.ts'
import { CHROMIUM, startBrowser } from './browser.ts'

/** As long as a machine that does much else may take. */
const PATIENCE = 60_000

describe.skipIf(CHROMIUM === undefined)(
  'the description, in Chromium, of a service with keys',
  () => {
    let sandbox: Sandbox
    let keys: Keys
    let service: Service
    let browser: Browser
    let page: Page
    let token: string
    const problems: string[] = []

    /** What a call gives that is tried with what its form has been filled in with. */
    const tried = async (
      method: string,
      path: string,
      fill: Readonly<Record<string, string>> = {},
    ) => {
      const form = page.locator(`form[data-method="${method}"][data-path="${path}"]`)
      const details = page.locator('details').filter({ has: form })
      if ((await details.getAttribute('open')) === null) await details.locator('summary').click()
      for (const [name, value] of Object.entries(fill)) {
        const field = form.locator(`[name="${name}"]`)
        if ((await field.getAttribute('type')) === 'file') {
          await field.setInputFiles({
            name: value,
            mimeType: 'text/plain',
            buffer: Buffer.from('24 days of leave.'),
          })
        } else await field.fill(value)
      }
      await form.locator('button').click()
      await form.locator('button:enabled').waitFor()
      return (await form.locator('output').textContent()) ?? ''
    }

    beforeAll(async () => {
      sandbox = await Sandbox.make()
      const passim = await sandbox.open()
      keys = await Keys.open({ home: sandbox.home })
      token = (await keys.create({ name: 'docs', tenant: 'default', scope: 'write' })).token
      service = await serve(oneStore(passim), {
        settings: { ...passim.settings.server, port: 0 },
        keys,
        log: () => {},
      })
      browser = await startBrowser()
      page = await browser.newPage()
      page.setDefaultTimeout(PATIENCE)
      page.on('pageerror', error => problems.push(String(error)))
      page.on('console', message => {
        if (/Content Security Policy/i.test(message.text())) problems.push(message.text())
      })
      page.on('request', request => {
        if (!request.url().startsWith(service.url)) problems.push(request.url())
      })
      await page.goto(`${service.url}/docs`)
    }, PATIENCE)
    afterAll(async () => {
      await browser?.close()
      await service?.close()
      await keys?.close()
      await sandbox?.remove()
    })

    test('it opens without a key', async () => {
      expect(await page.title()).toContain('Passim')
      expect(await page.locator('details').count()).toBeGreaterThan(50)
    })
    test('a call without one is refused', async () => {
      expect(await tried('GET', '/v1/files')).toMatch(/^401 [\s\S]*A valid key is needed/)
    })
    test('with a key typed in, files are sent, listed and found by id', async () => {
      await page.locator('#key').fill(token)
      const made = await tried('POST', '/v1/files', { file: 'leave.txt', purpose: 'assistants' })
      const { id } = JSON.parse(made.slice(made.indexOf('{')))
      expect(made).toMatch(/^200 /)
      expect(await tried('GET', '/v1/files', { limit: '1' })).toContain(id)
      expect(await tried('GET', '/v1/files/{id}', { id })).toContain('leave.txt')
    })
    test('a body that is typed in is sent', async () => {
      const form = page.locator('form[data-method="POST"][data-path="/v1/vector_stores"]')
      await page.locator('details').filter({ has: form }).locator('summary').click()
      await form.locator('textarea').fill('{"name": "typed"}')
      expect(await tried('POST', '/v1/vector_stores')).toMatch(/^200 [\s\S]*"name":"typed"/)
    })
    test('nothing is asked of anybody else, and nothing is kept of the key', async () => {
      expect(
        await page.evaluate(
          'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
        ),
      ).toBe('[{},{},""]')
      expect(problems).toEqual([])
    })
  },
)
