import type { Parser } from '../parser.ts'
import { cardsParser } from './cards.ts'
import { codeParser } from './code.ts'
import { csvParser, tsvParser } from './csv.ts'
import { docParser } from './doc/doc.ts'
import { docxParser } from './docx/docx.ts'
import { emlParser } from './eml/eml.ts'
import { epubParser } from './epub.ts'
import { htmlParser } from './html/html.ts'
import { imageParser } from './image.ts'
import { ipynbParser } from './ipynb/ipynb.ts'
import { jsonLinesParser, jsonParser } from './json/json.ts'
import { asciidocParser, orgParser } from './line-markup.ts'
import { markdownParser } from './markdown/markdown.ts'
import { mboxParser } from './mbox.ts'
import { msgParser, tnefParser } from './msg/msg.ts'
import { odpParser } from './odp.ts'
import { odsParser } from './ods/ods.ts'
import { odtParser } from './odt/odt.ts'
import { passageParser } from './passage.ts'
import { pdfParser } from './pdf/pdf.ts'
import { pptParser } from './ppt/ppt.ts'
import { pptxParser } from './pptx/pptx.ts'
import { rstParser } from './rst/rst.ts'
import { rtfParser } from './rtf/rtf.ts'
import { texParser } from './tex/tex.ts'
import { textParser } from './text/text.ts'
import { xlsParser } from './xls/xls.ts'
import { xlsxParser } from './xlsx/xlsx.ts'
import { xmlParser } from './xml.ts'
import { zipParser } from './zip.ts'

/** Tried in order. */
export const builtinParsers: readonly Parser[] = [
  pdfParser,
  docxParser,
  docParser,
  pptxParser,
  pptParser,
  xlsxParser,
  xlsParser,
  htmlParser,
  markdownParser,
  epubParser,
  odtParser,
  odsParser,
  odpParser,
  rtfParser,
  emlParser,
  msgParser,
  tnefParser,
  mboxParser,
  zipParser,
  ipynbParser,
  cardsParser,
  xmlParser,
  orgParser,
  asciidocParser,
  texParser,
  rstParser,
  csvParser,
  tsvParser,
  jsonParser,
  jsonLinesParser,
  codeParser,
  textParser,
  imageParser,
  passageParser,
]
