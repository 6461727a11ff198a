import type { Parser } from '../parser.ts'
import { docxParser } from './docx.ts'
import { htmlParser } from './html.ts'
import { markdownParser } from './markdown.ts'
import { passageParser } from './passage.ts'
import { pdfParser } from './pdf.ts'
import { textParser } from './text.ts'

/** The formats Passim reads by itself, in the order they are tried. */
export const builtinParsers: readonly Parser[] = [
  pdfParser,
  docxParser,
  htmlParser,
  markdownParser,
  textParser,
  passageParser,
]
