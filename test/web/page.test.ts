import { readFile } from 'node:fs/promises'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { type Service, serve } from '../../src/server.ts'
import { oneStore } from '../fakes/one-store.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { pdf } from '../fixtures/pdf.ts'
import { CHROMIUM, startBrowser } from './browser.ts'

/** As long as a machine that does much else may take. */
const PATIENCE = 60_000

const HOSTILE_NAME = `<img src=x onerror="hacked=1">\u202Egnp.${'long '.repeat(30)}.md`
const HOSTILE_TEXT =
  '# <script>hacked=1</script>\n\nThe <b onclick="hacked=1">password</b> is [here](javascript:hacked=1).\n'

describe.skipIf(CHROMIUM === undefined)('the page, in Chromium', () => {
  let sandbox: Sandbox
  let model: ScriptedModel
  let passim: Passim
  let service: Service
  let browser: Browser
  let page: Page
  const outside: string[] = []
  const problems: string[] = []

  const go = async (hash: string) => {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  }
  const start = (port: number) =>
    serve(oneStore(passim), { settings: { ...passim.settings.server, port }, log: () => {} })

  beforeAll(async () => {
    sandbox = await Sandbox.make()
    const text = ['The warranty lasts **two years** [1]. ', 'It was founded on the moon.']
    model = await startScriptedModel([{ text }])
    passim = await sandbox.open({ settings: { model: { url: model.url, name: 'scripted' } } })
    service = await start(0)
    browser = await startBrowser()
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
    })
    page = await context.newPage()
    page.setDefaultTimeout(PATIENCE)
    page.on('request', request => {
      if (!request.url().startsWith(service.url) && !request.url().startsWith('blob:'))
        outside.push(request.url())
    })
    page.on('pageerror', error => problems.push(String(error)))
    page.on('dialog', dialog => problems.push(dialog.message()))
    page.on('console', message => {
      if (/Content Security Policy/i.test(message.text())) problems.push(message.text())
    })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
    await model?.close()
    await sandbox?.remove()
  })

  test('a question that comes before any document is answered with what to do', async () => {
    await page.goto(service.url)
    await page.getByRole('button', { name: 'Choose files' }).waitFor()
    await page.getByRole('textbox', { name: 'Your question' }).fill('How long is the warranty?')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'You have no documents yet.' }).waitFor()
  })

  test('from nothing to a lit citation: drop a file, ask, click', async () => {
    await page.goto('about:blank')
    await page.goto(service.url)
    await page.getByRole('heading', { name: 'Ask your documents' }).waitFor()
    const lines = [
      'Terms of sale. The warranty lasts two years.',
      'It begins on the day of the purchase.',
    ]
    const bytes = pdf([
      lines.map((words, at) => ({ text: words, x: 72, y: 100 + 30 * at, size: 12 })),
    ])
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([{ name: 'terms.pdf', mimeType: 'application/pdf', buffer: bytes }])
    await page.locator('.upload.done').waitFor()
    await page.getByRole('textbox', { name: 'Your question' }).fill('How long is the warranty?')
    await page.keyboard.press('Enter')
    await page
      .getByRole('button', { name: /^Source 1: terms\.pdf, p\. 1/ })
      .first()
      .click()
    await page.locator('.page-picture img, .source-text mark').first().waitFor()
    expect(await page.locator('.answer strong').textContent()).toBe('two years')
    expect(await page.locator('.unconfirmed').first().textContent()).toContain('moon')
  })

  test('what is lit is where the words stand on the page', async () => {
    const lit = page.locator('.page-picture mark')
    if ((await lit.count()) === 0) return // pages cannot be drawn here: their text is shown
    const frame = (await page.locator('.page-picture').boundingBox())!
    const box = (await lit.first().boundingBox())!
    const points = 612 / frame.width
    expect((box.y - frame.y) * points).toBeGreaterThan(80)
    expect((box.y + box.height - frame.y) * points).toBeLessThan(110)
    expect((box.x - frame.x) * points).toBeGreaterThan(68)
    expect((box.x + box.width - frame.x) * points).toBeLessThan(400)
  })

  test('after a reload the conversation is there, with its citation in place; it is renamed and deleted', async () => {
    await page.waitForURL(/#\/ask\/.+/)
    await page.reload()
    await page
      .getByRole('button', { name: /^Source 1: terms\.pdf/ })
      .first()
      .waitFor()
    const entry = page.locator('.conversation-entry')
    await entry.first().hover()
    await page.getByRole('button', { name: /^Rename/ }).click()
    await page.getByRole('textbox', { name: 'Rename' }).fill('About the warranty')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'About the warranty' }).waitFor()
    await entry.first().hover()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Save as Markdown: About/ }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toBe('About the warranty.md')
    const markdown = await readFile(await saved.path(), 'utf8')
    expect(markdown).toMatch(/^# About the warranty\n\n## .*\n\n.*\[1\]/)
    expect(markdown).toContain('- [1] terms.pdf')
    await entry.first().hover()
    await page.getByRole('button', { name: /^Delete: About/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Ask your documents' }).waitFor()
    await entry.first().waitFor({ state: 'detached' })
    await page.getByRole('dialog').waitFor({ state: 'detached' }) // until then nothing can be typed beside it
  })

  test('a question is asked and a source is read by the keyboard alone', async () => {
    await page.getByRole('textbox', { name: 'Your question' }).focus()
    await page.keyboard.type('How long is the warranty?')
    await page.keyboard.press('Enter')
    const marker = page.locator('.answer button.marker').first()
    await marker.waitFor()
    await marker.focus()
    await page.keyboard.press('Enter')
    await page.locator('aside.source').waitFor()
    await page.locator('aside.source:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('aside.source').waitFor({ state: 'detached' })
  })

  test('a hostile document and a hostile name are shown as what they are', async () => {
    await go('#/documents')
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor()
    const file = {
      name: HOSTILE_NAME,
      mimeType: 'text/markdown',
      buffer: Buffer.from(HOSTILE_TEXT),
    }
    await page.locator('input[type=file]').first().setInputFiles([file])
    await page.locator('.upload.done').first().waitFor()
    await page.getByRole('link', { name: /^<img src=x/ }).click()
    await page.locator('.block-texts').waitFor()
    expect(await page.locator('.block-texts').textContent()).toContain('password')
    expect(await page.evaluate("'hacked' in window")).toBe(false)
    expect(await page.locator('.block-texts a, .block-texts script, h1 img').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })

  test('search lights the words, and says why a document is not there', async () => {
    await go('#/search?q=warranty')
    await page.locator('.hit mark').first().waitFor()
    await page.getByRole('textbox', { name: 'Document name' }).fill('terms.pdf')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.locator('.why-not [role=status]').waitFor()
  })

  test('a lost connection is said, and so is nothing once the service is back', async () => {
    await go('#/ask')
    await page.context().setOffline(true)
    await page.getByRole('textbox', { name: 'Your question' }).fill('How long is the warranty?')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Cannot reach the service' }).waitFor()
    await page.context().setOffline(false)
    await page
      .getByRole('alert')
      .filter({ hasText: 'Cannot reach the service' })
      .waitFor({ state: 'detached' })
    const port = Number(new URL(service.url).port)
    await service.close()
    await go('#/collections')
    await page.getByRole('alert').filter({ hasText: 'Cannot reach the service' }).waitFor()
    service = await start(port)
    await page.getByRole('link', { name: 'default' }).waitFor()
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })

  const views = [
    '#/ask',
    '#/documents',
    '#/search?q=warranty',
    '#/collections',
    '#/activity',
    '#/keys',
  ]
  test.each([
    ['en', 'light', 1280],
    ['zh', 'dark', 360],
  ] as const)(
    'every view in %s, %s, %i pixels wide, has nothing that axe finds serious',
    async (name, theme, width) => {
      await page.setViewportSize({ width, height: 760 })
      await page.evaluate(`localStorage.setItem('passim.language', '${name}')`)
      await page.evaluate(`localStorage.setItem('passim.theme', '${theme}')`)
      await page.reload()
      const title = name === 'zh' ? '向文档提问' : 'Ask your documents'
      await go('#/ask')
      await page.getByRole('heading', { name: title }).first().waitFor({ state: 'attached' })
      expect(await page.evaluate('document.documentElement.lang')).toBe(
        name === 'zh' ? 'zh-CN' : 'en',
      )
      await page.evaluate(axe.source)
      for (const view of views) {
        await go(view)
        await page.locator('.working').first().waitFor({ state: 'detached' })
        const found: axe.AxeResults = await page.evaluate('axe.run()')
        const serious = found.violations.filter(
          ({ impact }) => impact === 'serious' || impact === 'critical',
        )
        expect(
          serious.map(
            ({ id, nodes }) => `${view} ${id}: ${nodes.map(node => node.html).join(' ')}`,
          ),
        ).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          width,
        )
      }
    },
  )

  test('nothing was asked of any other origin, and nothing failed unseen', () => {
    expect(outside).toEqual([])
    expect(problems).toEqual([])
  })
})
