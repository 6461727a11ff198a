import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { AgentResult } from '../../../src/agent/event.ts'
import type { Citation } from '../../../src/answer/citations/citation.ts'
import { answerPage } from '../../../src/app/answer-page/answer-page.ts'
import { pageDrawer } from '../../../src/app/answer-page/page-drawer.ts'
import { findOcrPackages } from '../../../src/ingest/parse/ocr/ocr-packages.ts'
import { MemorySearcher } from '../../fakes/memory-searcher.ts'

const MANUAL = fileURLToPath(new URL('../../../data/samples/freedoom-manual.pdf', import.meta.url))
const { pdfium, sharp } = findOcrPackages()

const CITATION: Citation = {
  ...{
    marker: 1,
    documentId: 'doc_1',
    source: '/manual.pdf',
    doc: 'manual.pdf',
    headings: [],
    page: 2,
    pages: [2, 2],
  },
  boxes: [{ page: 2, charStart: 0, charEnd: 4, box: [48, 343, 547, 357] }],
  ...{
    charStart: 0,
    charEnd: 4,
    text: 'Ten.',
    quoteVerified: true,
    verified: true,
    support: 'stated',
  },
}

async function pageOf(file: string): Promise<string> {
  const memory = new MemorySearcher([{ name: 'manual.pdf', text: 'Ten.' }])
  const find = async () => ({ ...memory.documents[0]!, mediaType: 'application/pdf' })
  const answer: AgentResult = {
    question: 'How many?',
    text: 'Ten [1].',
    abstained: false,
    unsupported: [],
    messages: [],
    finishReason: 'stop',
    mode: 'model',
    citations: [CITATION],
  }
  return answerPage(answer, memory, pageDrawer({ find }, { getPath: async () => file }))
}

const canDraw = test.skipIf(!pdfium || !sharp) // the optional packages draw

canDraw('a page of a PDF is a picture with the cited lines marked', async () => {
  const html = await pageOf(MANUAL)
  const [, page = ''] = html.split('<div class="page">')
  expect(page.slice(0, 38)).toBe('<img src="data:image/webp;base64,UklGR') // every RIFF file begins so
  expect(page.length).toBeGreaterThan(10_000)
  expect(page.slice(page.indexOf('" alt='))).toMatch(
    /^" alt="Page 2"><i style="left:8\.\d\d%;top:40\.\d\d%;width:83\.\d\d%;height:1\.66%"><\/i>/,
  )
})

canDraw('where a page cannot be drawn, its text is shown with the reason', async () => {
  const html = await pageOf(fileURLToPath(import.meta.url))
  expect(html).toContain('<mark>Ten.</mark>')
  expect(html).toContain('The page could not be drawn:')
})

test('without a drawer the page says what would draw', async () => {
  const memory = new MemorySearcher([{ name: 'manual.pdf', text: 'Ten.' }])
  const answer: AgentResult = {
    ...{ question: 'Q', text: '[1]', abstained: false, mode: 'model', citations: [CITATION] },
    ...{ unsupported: [], messages: [], finishReason: 'stop' },
  }
  expect(await answerPage(answer, memory)).toContain('@hyzyla/pdfium and sharp would draw')
})
