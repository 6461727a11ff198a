import { describe, expect, test } from 'vitest'
import { CHROMIUM } from './browser.ts'
import { startSession } from './session.ts'

describe.skipIf(CHROMIUM === undefined)('the page without a default collection', () => {
  test('shows the newest collection, and says that questions search all', async () => {
    const session = await startSession([])
    const { page, passim } = session
    await passim.collections.create({ name: 'older' })
    await passim.documents.put({ id: 'a', text: 'A heron.', title: 'Heron', collection: 'newer' })
    await page.reload()
    await page.getByText('all documents').first().waitFor()
    await session.go('#/documents')
    await page.getByText('Heron').first().waitFor()
    expect(await page.getByRole('combobox').first().inputValue()).toBe('newer')
    await session.close()
  }, 120_000)
})
