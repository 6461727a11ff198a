import type { Parser } from '../parser.ts'
import { codeParser } from './code.ts'
import { csvParser, tsvParser } from './csv.ts'
import { docxParser } from './docx.ts'
import { emlParser } from './eml.ts'
import { epubParser } from './epub.ts'
import { htmlParser } from './html.ts'
import { imageParser } from './image.ts'
import { jsonLinesParser, jsonParser } from './json.ts'
import { markdownParser } from './markdown.ts'
import { odtParser } from './odt.ts'
import { passageParser } from './passage.ts'
import { pdfParser } from './pdf.ts'
import { pptxParser } from './pptx.ts'
import { rtfParser } from './rtf.ts'
import { textParser } from './text.ts'
import { xlsxParser } from './xlsx.ts'

/** The formats Passim reads by itself, in the order they are tried. */
export const builtinParsers: readonly Parser[] = [
  pdfParser,
  docxParser,
  pptxParser,
  xlsxParser,
  htmlParser,
  markdownParser,
  epubParser,
  odtParser,
  rtfParser,
  emlParser,
  csvParser,
  tsvParser,
  jsonParser,
  jsonLinesParser,
  codeParser,
  textParser,
  imageParser,
  passageParser,
]
