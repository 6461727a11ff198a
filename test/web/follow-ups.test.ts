import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from './browser.ts'
import { startSession, type WebSession } from './session.ts'

const RULES = `# Travel rules

These rules hold for every business trip of the company in Europe.

## Hotels

A hotel costs at most 180 euros a night.

## Meals

Each day of travel is paid a flat 28 euros.
`

describe.skipIf(CHROMIUM === undefined)('follow-up questions and summaries, in Chromium', () => {
  let session: WebSession

  beforeAll(async () => {
    session = await startSession(({ body }) => {
      const prompt = JSON.stringify(body.messages)
      if (prompt.includes('may ask next')) return { text: ['What is paid for meals?'] }
      if (prompt.includes('Summarise this document'))
        return { text: ['The rules hold for every business trip of the company in Europe [1].'] }
      return { text: ['A hotel costs at most 180 euros a night [1].'] }
    })
    await session.drop([{ name: 'rules.md', buffer: Buffer.from(RULES) }])
  })
  afterAll(() => session.close())

  test('below the last answer stand questions that ask on, and only there', async () => {
    const { page } = session
    await session.go('#/ask')
    await session.ask('What may a hotel cost?')
    const list = page.getByRole('list', { name: 'Follow-up questions' })
    await list.getByRole('button', { name: 'What is paid for meals?' }).click()
    await page.getByRole('heading', { name: 'What is paid for meals?', level: 2 }).waitFor()
    await list.waitFor()
    expect(await list.count()).toBe(1)
    const isInView = async () => {
      const box = await list.boundingBox()
      return box !== null && box.y + box.height <= 800
    }
    await expect.poll(isInView).toBe(true)
  })

  test('a document is summarised on demand, with links to the places', async () => {
    const { page } = session
    await session.go('#/documents')
    await page.getByRole('link', { name: 'rules.md' }).click()
    await page.getByRole('button', { name: 'Summarise' }).click()
    const summary = page.getByRole('region', { name: 'Summary' })
    await summary.getByText('The rules hold for every business trip').waitFor()
    await summary
      .getByRole('link', { name: /^Source 1: rules\.md/ })
      .first()
      .click()
    await page.locator('.block-texts mark').waitFor()
    expect(await page.locator('.block-texts mark').first().textContent()).toContain('These rules')
  })

  test('without a model, a summary is one paragraph of what the document says', async () => {
    const { page } = session
    const answer =
      'In their own words:\nRules (rules.md)\nTrips are paid. [1]\nSections: Trains [2]'
    const place = { documentId: 'doc_1', doc: 'rules.md', headings: [], charStart: 0, charEnd: 9 }
    const citations = [1, 2].map(marker => ({ ...place, marker, support: 'stated' }))
    await page.route('**/api/ask', route =>
      route.fulfill({ json: { answer, citations, mode: 'extractive', abstained: false } }),
    )
    await page.reload()
    await page.getByRole('button', { name: 'Summarise' }).click()
    const summary = page.getByRole('region', { name: 'Summary' })
    const paragraph = summary.locator('.markdown p')
    await paragraph.first().waitFor()
    expect(await paragraph.allInnerTexts()).toEqual(['Trips are paid. 1 Sections: Trains 2'])
    await page.unroute('**/api/ask')
  })
})
