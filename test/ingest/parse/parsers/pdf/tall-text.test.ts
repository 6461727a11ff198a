import { expect, test } from 'vitest'
import { pdfParser } from '../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { type PdfText, pdf } from '../../../../fixtures/pdf.ts'

const PROSE = [
  'he committee met on three days in the spring of that year and heard',
  'reports on the state of the bridges, most of which had been built by',
  'the same company, and it was said that none of them had been painted',
  'since they were opened, though money for paint was set aside each year.',
]

function setLines(texts: readonly string[], x: number, y: number): PdfText[] {
  return texts.map((text, index) => ({ text, x, y: y + index * 12 }))
}

async function parsePages(pages: readonly (readonly PdfText[])[]) {
  const { blocks, metadata } = await parseBytes(pdfParser, pdf(pages))
  return { blocks: outline(blocks), title: metadata.title }
}

test('A drop cap begins the first of the lines beside it, in whichever order they are drawn', async () => {
  const lines = [...setLines(PROSE.slice(0, 3), 96, 100), ...setLines(PROSE.slice(3), 72, 136)]
  const initial = { text: 'T', x: 72, y: 124, size: 36 }
  const expected = [`paragraph: T${PROSE.join(' ')}`]
  expect((await parsePages([[initial, ...lines]])).blocks).toEqual(expected)
  expect((await parsePages([[...lines, initial]])).blocks).toEqual(expected)
})

test('A large first letter on the line that it begins takes no other line into its row', async () => {
  const initial = { text: 'T', x: 72, y: 100, size: 30 }
  const lines = [...setLines(PROSE.slice(0, 1), 91, 100), ...setLines(PROSE.slice(1), 72, 112)]
  const { blocks } = await parsePages([[initial, ...lines]])
  expect(
    blocks
      .join(' ')
      .replace(/ ?paragraph: /g, ' ')
      .trim(),
  ).toBe(`T${PROSE.join(' ')}`)
})

test('A word that lies behind the lines of a page is read after them and is no heading', async () => {
  const page = [
    { text: 'DRAFT', x: 150, y: 130, size: 80, font: 'bold' as const },
    { text: 'On bridges', x: 72, y: 70, size: 15, font: 'bold' as const },
    ...setLines(['T'.concat(PROSE[0] ?? ''), ...PROSE.slice(1)], 72, 94),
  ]
  expect(await parsePages([page])).toEqual({
    blocks: ['heading1: On bridges', `paragraph: T${PROSE.join(' ')}`, 'paragraph: DRAFT'],
    title: 'On bridges',
  })
})

test('A word across a page is neither its heading nor the title of the document', async () => {
  const page = [
    ...setLines(['T'.concat(PROSE[0] ?? ''), ...PROSE.slice(1)], 72, 94),
    { text: 'CONFIDENTIAL', x: 150, y: 600, size: 60, font: 'bold' as const, turn: 45 },
  ]
  expect(await parsePages([page, page])).toEqual({
    blocks: [
      `paragraph: T${PROSE.join(' ')}`,
      'paragraph: CONFIDENTIAL',
      `paragraph: T${PROSE.join(' ')}`,
      'paragraph: CONFIDENTIAL',
    ],
    title: undefined,
  })
})
