import type { Parser } from '../../parser.ts'
import { parseMarkupLines } from '../markup-lines.ts'
import { RstWriter } from './writer.ts'

/** reStructuredText: headings, text, lists, tables and code; directives show what a reader sees. */
export const rstParser: Parser = {
  id: 'rst@2',
  mediaTypes: ['text/x-rst'],
  parse: (input, signal) => parseMarkupLines(input, omissions => new RstWriter(omissions), signal),
}
