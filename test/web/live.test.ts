import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from './browser.ts'
import { Line } from './line.ts'
import { startSession, type WebSession } from './session.ts'

const BEGUN = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { role: 'assistant', content: 'The warranty lasts' } }] })}\n\n`

describe.skipIf(CHROMIUM === undefined)('what is under way, in Chromium', () => {
  let session: WebSession
  let line: Line

  beforeAll(async () => {
    session = await startSession([
      { raw: BEGUN, ending: 'drop' },
      { text: ['The warranty lasts two years [1].'] },
      { raw: BEGUN, ending: 'hang' },
    ])
    line = await Line.to(Number(new URL(session.url).port))
    await session.page.goto(line.url)
    await session.page.getByRole('heading', { name: 'Ask your documents' }).waitFor()
  })
  afterAll(async () => {
    line?.close()
    await session?.close()
  })

  test('ten files at once are each seen through to their end, and the one that cannot be read says why', async () => {
    const { page, drop, go, passim } = session
    const texts = Array.from({ length: 9 }, (_, at) => ({
      name: `terms-${at + 1}.txt`,
      buffer: Buffer.from(`Terms number ${at + 1}. The warranty lasts two years.`),
    }))
    await go('#/documents')
    await drop([...texts, { name: 'broken.pdf', buffer: Buffer.from('%PDF-1.4 and nothing more') }])
    expect(await page.locator('.upload').count()).toBe(10)
    expect(await page.locator('.upload.done').count()).toBe(9)
    expect(await page.locator('.upload.failed .problem').textContent()).toContain('broken.pdf')
    await page.locator('.row').nth(9).waitFor()
    expect((await passim.list('default')).map(({ status }) => status)).toHaveLength(10)
    await page.getByRole('button', { name: 'Clear finished' }).click()
    await page.locator('.upload').first().waitFor({ state: 'detached' })
  })

  test('an answer that breaks off at the model says so, keeps what came, and is asked for again', async () => {
    const { page, go, ask } = session
    await go('#/ask')
    await ask('How long is the warranty?')
    const broken = page.locator('.turn').last()
    await broken.getByRole('alert').waitFor()
    expect(await broken.getByRole('alert').textContent()).not.toBe('')
    await broken.getByRole('button', { name: 'Ask again' }).click()
    await page
      .locator('.turn')
      .nth(1)
      .getByRole('button', { name: /^Source 1/ })
      .first()
      .waitFor()
  })

  test('an answer goes on where the line was cut, and can be stopped', async () => {
    const { page, ask } = session
    await ask('How long does the warranty last?')
    const turn = page.locator('.turn').last()
    await turn.locator('.answer').filter({ hasText: 'The warranty lasts' }).waitFor()
    line.cut()
    await page.getByRole('alert').filter({ hasText: 'Cannot reach the service' }).waitFor()
    expect(await turn.locator('.answer').textContent()).toContain('The warranty lasts')
    line.mend()
    await page
      .getByRole('alert')
      .filter({ hasText: 'Cannot reach the service' })
      .waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Stop' }).click()
    await turn.getByText('Stopped.').waitFor()
    expect(await turn.locator('.answer').textContent()).toContain('The warranty lasts')
  })
})
