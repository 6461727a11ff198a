import { afterAll, beforeAll, expect, test } from 'vitest'
import { pdfParser } from '../../src/ingest/parse/parsers/pdf/pdf.ts'
import { parseBytes } from '../fixtures/parsed.ts'
import { CHROMIUM, startBrowser } from './browser.ts'

let browser: Awaited<ReturnType<typeof startBrowser>> | undefined
beforeAll(async () => {
  if (CHROMIUM) browser = await startBrowser()
})
afterAll(() => browser?.close())

const TEXT =
  '各部门负责人于入职满一个月后，凭车票、食宿发票和见证人签字报销；马先生长期在外，由黄女士代办。'

test.skipIf(!CHROMIUM)('Chinese that a browser printed is read as it was written', async () => {
  const page = await browser!.newPage() // it was started
  await page.setContent(`<meta charset="utf-8"><p lang="zh-CN">${TEXT}</p>`)
  const { blocks } = await parseBytes(pdfParser, await page.pdf())
  expect(blocks.map(({ text }) => text.replace(/\n/g, '')).join('')).toBe(TEXT)
})
