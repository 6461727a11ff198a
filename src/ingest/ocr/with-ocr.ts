import type { Parser } from '../parser.ts'
import { ocrId } from './availability.ts'
import type { OcrOptions } from './ocr.ts'

/** The parser with OCR set so; its id says how, so that documents are read again when that changes. */
export function withOcr(parser: Parser, options: OcrOptions): Parser {
  if (!parser.usesOcr) return parser
  const id = `${parser.id}+${ocrId(options)}`
  const settled = options.mode === 'always' ? {} : { settledId: parser.id }
  return { ...parser, ...settled, id, parse: (input, signal) => parser.parse({ ...input, ocr: options }, signal) }
}
