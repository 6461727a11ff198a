import { expect, test } from 'vitest'
import { pdfParser } from '../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { type PdfText, pdf } from '../../../../fixtures/pdf.ts'

/** Helvetica's letters a, b, d, e, g, h, n, o, p, q and u are all as wide, at 10 points. */
const LETTER = 5.56
const SPACE = 2.78
const WIDTH = 150

const WORDS = (
  'a bound hand opened unbounded page and gauged the abandoned bondage on a dune he happened upon ' +
  'handbag gone good and nude begged a deep bend upheaped added appended no hope do be hunged ' +
  'bogged down an egg booned hedge and dooned one paan huge edge had dodged a banded noun'
)
  .replaceAll(/[^abdeghnopqu ]/g, 'e')
  .split(' ')

/** Sets words as a justified paragraph, each word by itself. */
function justify(words: readonly string[], x: number, y: number): PdfText[] {
  const lines: string[][] = [[]]
  const measure = (line: readonly string[]) => line.join('').length * LETTER
  for (const word of words) {
    const line = lines.at(-1)!
    const isFull = measure([...line, word]) + line.length * SPACE > WIDTH
    if (isFull) lines.push([word])
    else line.push(word)
  }
  return lines.flatMap((line, row) => {
    const isLast = row === lines.length - 1
    const gap = isLast ? SPACE : (WIDTH - measure(line)) / Math.max(1, line.length - 1)
    return line.map((text, index) => ({
      text,
      x: x + measure(line.slice(0, index)) + index * gap,
      y: y + row * 12,
    }))
  })
}

const turn = (count: number) => [...WORDS.slice(count), ...WORDS.slice(0, count)]

test('words that justification sets apart are lines, in three columns as in one', async () => {
  const texts = [turn(0), turn(20), turn(35)]
  const page = texts.flatMap((words, column) => justify(words, 57 + column * 163, 100 + column * 5))
  const { blocks } = await parseBytes(pdfParser, pdf([page]))
  expect(outline(blocks)).toEqual(texts.map(words => `paragraph: ${words.join(' ')}`))
})

test('a row between undivided lines is a table row if the next word had room', async () => {
  const prose = (y: number) => justify(WORDS, 57, y)
  const rows = ['gong', 'bead', 'hoop'].flatMap((name, row) => [
    { text: name, x: 57, y: 320 + row * 12 },
    { text: 'bun', x: 57 + WIDTH - 3 * LETTER, y: 320 + row * 12 },
  ])
  const { blocks } = await parseBytes(pdfParser, pdf([[...prose(100), ...rows, ...prose(380)]]))
  expect(outline(blocks)).toContain('table: gong | bun / bead | bun / hoop | bun')
})
