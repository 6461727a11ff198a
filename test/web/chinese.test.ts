import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from './browser.ts'
import { startSession, type WebSession } from './session.ts'

/** Three words in a row: names, paths and codes have fewer. */
const ENGLISH = /[A-Za-z]+ [a-z]+ [a-z]+/

const DAMAGED = { name: 'c.pdf', buffer: Buffer.from('%PDF-1.4 and nothing after it') }
const TOO_LARGE = { name: 'd.md', buffer: Buffer.alloc(2_000, 'x') }

describe.skipIf(CHROMIUM === undefined)('the page in Chinese, in Chromium', () => {
  let session: WebSession
  beforeAll(async () => {
    session = await startSession([{ status: 400, body: '{"error":{"message":"no"}}' }], {
      server: { maxUploadBytes: 1_000 },
    })
    await session.page.getByRole('button', { name: '中文' }).click()
  })
  afterAll(() => session?.close())

  const readMain = async () => await session.page.locator('main').textContent()

  test('a refused upload and a failed document have no English sentence', async () => {
    await session.go('#/documents')
    const files = [DAMAGED, TOO_LARGE].map(file => ({ ...file, mimeType: 'text/plain' }))
    await session.page.locator('input[type=file]').first().setInputFiles(files)
    await session.page.locator('.upload.failed').nth(1).waitFor()
    await session.page.locator('.row-title.problem').waitFor()
    const text = await readMain()
    expect(text).toContain('没有保存任何内容')
    expect(text).toMatch(/无法读取.*无法读取/s)
    expect(text).not.toMatch(ENGLISH)
  })

  test.each([
    ['#/activity', '.problem', '无法读取'],
    ['#/settings', '.job', '向量模型'],
    ['#/search?q=heron&filter=((', '[role=alert]', '筛选条件'],
    ['#/search?q=heron&why=c.pdf', '.why-not [role=status] span', 'c.pdf 尚未索引'],
  ])('%s has none', async (hash, shown, expected) => {
    await session.go(hash)
    await session.page.locator(shown).first().waitFor()
    const text = (await readMain())?.replace(/例如：.*/, '')
    expect(text).toContain(expected)
    expect(text).not.toMatch(ENGLISH)
  })

  test('nor has an answer that fails', async () => {
    await session.go('#/ask')
    await session.page.getByRole('textbox').first().fill('苍鹭是什么？')
    await session.page.keyboard.press('Enter')
    await session.page.getByRole('alert').waitFor()
    const text = await session.page.getByRole('alert').textContent()
    expect(text).toContain('模型 scripted')
    expect(text).not.toMatch(ENGLISH)
  })
})
