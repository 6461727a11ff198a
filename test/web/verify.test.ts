import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { Sandbox } from '../fakes/store.ts'
import { CHROMIUM, startBrowser } from './browser.ts'
import { startSession } from './session.ts'

const POLICY = Buffer.from('# Travel policy\n\nA hotel costs at most 140 euros a night.\n')

describe.skipIf(CHROMIUM === undefined)('verify.html, in Chromium', () => {
  let sandbox: Sandbox
  let passim: Passim
  let browser: Browser
  let receipt: Buffer

  beforeAll(async () => {
    sandbox = await Sandbox.make()
    passim = await sandbox.open()
    await passim.index([await sandbox.write({ 'policy.md': POLICY })])
    const answer = await passim.ask({ question: 'What may a hotel cost?' }).result
    receipt = Buffer.from(await passim.receipts.sign({ ...answer, at: 0 }))
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await sandbox?.remove()
  })

  const check = async (files: Readonly<Record<string, Buffer>>, key = '') => {
    const page = await browser.newPage({ locale: 'en-GB' })
    const errors: string[] = []
    page.on('console', message => errors.push(message.text()))
    await page.goto(pathToFileURL(path.resolve('dist/web/verify.html')).href)
    await page.getByLabel('Key of the store').fill(key)
    const given = Object.entries(files).map(([name, buffer]) => ({
      ...{ name, buffer, mimeType: 'application/json' },
    }))
    await page.locator('#files').setInputFiles(given)
    await page.getByRole('status').waitFor()
    const verdict = (await page.getByRole('status').textContent()) ?? ''
    const shown = await page.locator('#shown').textContent()
    await page.close()
    expect(errors).toEqual([])
    return { verdict, shown }
  }

  test('a receipt from disk is verified with the key and the original file', async () => {
    const { verdict, shown } = await check(
      { 'receipt.json': receipt, 'policy.md': POLICY },
      await passim.receipts.getKey(),
    )
    expect(verdict).toContain('Genuine')
    expect(shown).toContain('140 euros')
    await expect
      .poll(async () => (await check({ 'r.json': receipt, 'policy.md': POLICY })).shown)
      .toContain('✓ policy.md')
  })

  test('a changed receipt is refused, and shows nothing of its contents', async () => {
    const changed = Buffer.from(String(receipt).replace('140', '150'))
    const { verdict, shown } = await check({ 'receipt.json': changed })
    expect([verdict, shown]).toEqual([expect.stringContaining('Invalid'), ''])
  })

  test('an answer of the page is saved as a receipt, which the service verifies', async () => {
    const session = await startSession([{ text: ['A hotel costs at most 140 euros [1].'] }])
    try {
      const { page } = session
      await session.drop([{ name: 'policy.md', buffer: POLICY }])
      await session.go('#/ask')
      await session.ask('What may a hotel cost?')
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Receipt' }).click()
      const file = await (await saved).path()
      await page.goto(`${session.url}/verify.html`)
      await page.getByLabel('Key of the store').fill(await session.passim.receipts.getKey())
      await page.locator('#files').setInputFiles(file)
      await page.getByText('Genuine').waitFor()
    } finally {
      await session.close()
    }
  })
})
