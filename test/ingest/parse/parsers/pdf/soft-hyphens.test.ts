import { expect, test } from 'vitest'
import { pdfParser } from '../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'
import { type PdfText, pdf } from '../../../../fixtures/pdf.ts'

async function parseLines(texts: readonly string[]) {
  const page = texts.map((text, index): PdfText => {
    return { text, x: 72, y: 100 + index * 12, font: 'parting' }
  })
  return outline((await parseBytes(pdfParser, pdf([page]))).blocks)
}

test('A word that a soft hyphen parts at the end of a line is one word', async () => {
  const lines = [
    'The council has asked for comprehensive docu\u00ad',
    'mentation of the bridges and of the infra\u00ad',
    'structure around them, which is to be kept.',
  ]
  expect(await parseLines(lines)).toEqual([
    'paragraph: The council has asked for comprehensive documentation of the bridges and of the infrastructure around them, which is to be kept.',
  ])
})

test('The same words at the end of another line are not joined with its next', async () => {
  const lines = [
    'It was one of those days when they all went in',
    'and nobody was left at the bridge. They went in\u00ad',
    'land, where the council was to meet at noon.',
  ]
  expect(await parseLines(lines)).toEqual([
    'paragraph: It was one of those days when they all went in and nobody was left at the bridge. They went inland, where the council was to meet at noon.',
  ])
})

test('A soft hyphen after which nothing comes is printed as the hyphen that it is', async () => {
  expect(await parseLines(['The council has asked for docu\u00ad'])).toEqual([
    'paragraph: The council has asked for docu-',
  ])
})

test('A soft hyphen within a line is printed as the hyphen that it is drawn as', async () => {
  const lines = [
    'The part SS\u00ad2541\u00ad03 is a well\u00adknown one, as is part 9\u00ad',
    '77 of the pump.',
  ]
  expect(await parseLines(lines)).toEqual([
    'paragraph: The part SS-2541-03 is a well-known one, as is part 9-77 of the pump.',
  ])
})
