import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PdfText, pdf } from '../fixtures/pdf.ts'
import { CHROMIUM } from './browser.ts'
import { startSession, type WebSession } from './session.ts'

const line = (text: string, y: number): PdfText => ({ text, x: 72, y, size: 12 })

const TURNED = [
  line('Terms for pumps.', 100),
  line('The pump is tested twice.', 130),
  line('Then it is painted.', 160),
]
const OVER_TWO = [
  [
    line('Terms for looms.', 72),
    line('The loom is under warranty for three whole years, which begin on the', 720),
  ],
  [
    line('very day on which the customer has bought it from us.', 72),
    line('Nothing else is promised.', 120),
  ],
]

/** Each question names its document's thing, by which the answer is chosen. */
const ANSWERS: Readonly<Record<string, string>> = {
  pump: 'The pump is tested twice [1].',
  loom: 'It says: “under warranty for three whole years, which begin on the very day on which the customer has bought it” [1].',
  保修: '说明书写道：“保修期为两年” [1]。',
}

/** A lit box, in shares of its page's picture. */
type Lit = {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

describe.skipIf(CHROMIUM === undefined)('what is lit, in Chromium', () => {
  let session: WebSession

  beforeAll(async () => {
    session = await startSession(({ body }) => {
      const question = body.messages.findLast(({ role }) => role === 'user')?.content ?? ''
      const [, text = 'Nothing.'] =
        Object.entries(ANSWERS).find(([thing]) => question.includes(thing)) ?? []
      return { text: [text] }
    })
  })
  afterAll(() => session?.close())

  /** The boxes that are lit on each page of the source, once its pictures are there. */
  const litPages = async (name: string, question: string): Promise<readonly (readonly Lit[])[]> => {
    const { page, go, ask } = session
    await go('#/ask')
    const anew = page.getByRole('button', { name: 'New conversation' })
    if (await anew.first().isVisible()) await anew.first().click()
    await ask(question)
    await page
      .locator('.turn')
      .last()
      .getByRole('button', { name: /^Source 1/ })
      .first()
      .click()
    await page.locator(`.source .page-picture img[alt$="${name}"]`).first().waitFor()
    const pages = await page.locator('.source .page-picture').all()
    return await Promise.all(
      pages.map(async one => {
        const frame = (await one.boundingBox())!
        const marks = await one.locator('mark').all()
        const boxes = await Promise.all(marks.map(async mark => (await mark.boundingBox())!))
        return boxes.map(({ x, y, width, height }) => ({
          left: (x - frame.x) / frame.width,
          top: (y - frame.y) / frame.height,
          right: (x + width - frame.x) / frame.width,
          bottom: (y + height - frame.y) / frame.height,
        }))
      }),
    )
  }

  test('a page that is turned is lit where its words stand as it is shown', async () => {
    await session.drop([{ name: 'pumps.pdf', buffer: pdf([TURNED], '', '', [], 90) }])
    const [[lit, ...others] = []] = await litPages('pumps.pdf', 'How often is the pump tested?')
    expect(others).toEqual([])
    const across = (y: number) => (792 - y) / 792 // turned to the right, what was above is at the right
    expect(lit?.left).toBeGreaterThan(across(160 - 12))
    expect(lit?.left).toBeLessThan(across(130))
    expect(lit?.right).toBeGreaterThan(across(130 - 9))
    expect(lit?.right).toBeLessThan(across(100))
    expect(lit?.top).toBeGreaterThan(65 / 612)
    expect(lit?.top).toBeLessThan(80 / 612)
    expect(lit?.bottom).toBeLessThan(260 / 612)
  })

  test('a passage that runs over two pages is lit on both', async () => {
    await session.drop([{ name: 'looms.pdf', buffer: pdf(OVER_TWO) }])
    const [first, second] = await litPages('looms.pdf', 'How long is the loom under warranty?')
    expect(first?.length).toBeGreaterThan(0)
    expect(second?.length).toBeGreaterThan(0)
    for (const { top } of first ?? []) expect(top).toBeGreaterThan(700 / 792)
    for (const { bottom } of second ?? []) expect(bottom).toBeLessThan(80 / 792)
  })

  test('a Chinese scan is lit on the line that holds the words', async () => {
    const { page, drop } = session
    const sheet = await page.context().browser()!.newPage()
    await sheet.setViewportSize({ width: 900, height: 600 })
    const lines = ['产品说明书', '保修期为两年', '请妥善保管本说明书']
    await sheet.evaluate(
      `document.body.style.cssText = 'margin: 60px; font: 40px "Noto Sans CJK SC"'`,
    )
    for (const text of lines) {
      await sheet.evaluate(
        `document.body.append(Object.assign(document.createElement('p'), { textContent: '${text}', style: 'margin: 0 0 80px; line-height: 60px' }))`,
      )
    }
    const buffer = await sheet.screenshot()
    await sheet.close()
    await drop([{ name: '说明书.png', buffer }])
    const [[lit, ...others] = []] = await litPages('说明书.png', '保修期是多久？')
    expect(others).toEqual([])
    expect(lit?.top).toBeGreaterThan(190 / 600) // the second line goes from 200 to 260
    expect(lit?.bottom).toBeLessThan(270 / 600)
    expect(lit?.left).toBeLessThan(70 / 900)
    expect(lit?.right).toBeGreaterThan(290 / 900)
    expect(lit?.right).toBeLessThan(360 / 900)
  })
})
