import { afterAll, beforeAll, expect, test } from 'vitest'
import { callTool, isToolContent } from '../../src/agent/tool.ts'
import type { Passim } from '../../src/app/passim.ts'
import { findOcrPackages } from '../../src/ingest/parse/ocr/ocr-packages.ts'
import { toolCall } from '../fakes/scripted-chat-model.ts'
import { Sandbox } from '../fakes/store.ts'
import { pdf } from '../fixtures/pdf.ts'

const { pdfium, sharp } = findOcrPackages()
const canDraw = pdfium !== undefined && sharp !== undefined

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  const page = (words: string) => [{ text: words, x: 72, y: 100, size: 12 }]
  await sandbox.write({
    'report.pdf': pdf(['Alpha is first.', 'Beta is second.', 'Gamma is third.'].map(page)).toString(
      'latin1',
    ),
    'notes.md': '# Notes\n\nNo pages.\n',
  })
  await passim.index([sandbox.path('report.pdf'), sandbox.path('notes.md')])
})
afterAll(() => sandbox.remove())

const tool = () => passim.tools({ tools: ['read_pages'] })[0]!
const read = (args: object) =>
  callTool([tool()], toolCall('read_pages', JSON.stringify({ document: 'report.pdf', ...args })))

test('the text of some pages, each under its number', async () => {
  expect(await read({ from: 2 })).toBe('[report.pdf, page 2 of 3]\nBeta is second.')
  const both =
    '[report.pdf, page 2 of 3]\nBeta is second.\n\n[report.pdf, page 3 of 3]\nGamma is third.'
  expect(await read({ from: 2, to: 3 })).toBe(both)
})

test('what there is not is told, with the way out', async () => {
  expect(await read({ from: 4 })).toMatch(/report\.pdf has no page 4: it has 3\./)
  expect(await read({ from: 3, to: 2 })).toMatch(/page 2 comes before page 3/)
  expect(await read({ from: 1, to: 30 })).toMatch(/at most 20 pages at once/)
  expect(await read({ from: 1, to: 9, pictures: true })).toMatch(
    /at most 4 pages with pictures at once/,
  )
  expect(await read({ from: 1, box: [500, 0, 400, 1000] })).toMatch(/left < right/)
  expect(await read({ document: 'notes.md', from: 1 })).toMatch(/notes\.md has no pages/)
  expect(await read({ document: 'gone.pdf', from: 1 })).toMatch(/gone\.pdf/)
})

test.skipIf(!canDraw)(
  'pages are shown as pictures, and a part of one enlarged (needs pdfium and sharp)',
  async () => {
    const whole = await tool().call({ document: 'report.pdf', from: 1, to: 2, pictures: true })
    expect(isToolContent(whole) && whole.content.map(item => Object.keys(item)[0])).toEqual([
      'text',
      'image',
      'image',
    ])
    const part = await tool().call({ document: 'report.pdf', from: 1, box: [0, 0, 500, 250] })
    const [page, zoomed] = [sizeOf(whole), sizeOf(part)]
    expect([page.width, page.height > page.width, zoomed.width]).toEqual([1_200, true, 1_200])
    expect(zoomed.width / zoomed.height).toBeCloseTo((page.width * 0.5) / (page.height * 0.25), 1)
  },
)

/** Of the first picture, as its header says. */
function sizeOf(answer: unknown): { readonly width: number; readonly height: number } {
  const [, first] = isToolContent(answer) ? answer.content : []
  if (!first || !('image' in first)) throw new Error('There is no picture.')
  const bytes = Buffer.from(first.image.split(',')[1] ?? '', 'base64')
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}
