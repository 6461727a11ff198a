import type { Parser } from '../../parser.ts'
import { parseMarkupLines } from '../markup-lines.ts'
import { RstWriter } from './writer.ts'

/** Shows directives as a reader sees them. */
export const rstParser: Parser = {
  id: 'rst@3',
  mediaTypes: ['text/x-rst'],
  parse: (input, signal) => parseMarkupLines(input, omissions => new RstWriter(omissions), signal),
}
