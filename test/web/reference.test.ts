import { expect, test } from 'vitest'
import { formatBibtex, formatFootnote } from '../../src/web/source/reference.ts'

const CITATION = {
  ...{ marker: 1, documentId: 'doc_1', source: 'https://example.org/a', doc: 'Rules {50%}.pdf' },
  ...{ headings: ['Travel'], page: 3, charStart: 12, charEnd: 40, support: 'stated' as const },
  ...({ text: 'Hotels cost\nat most $140 & tax.', quoteVerified: true, verified: true } as const),
}

test('a quotation is copied as a footnote with its words and place', () => {
  expect(formatFootnote(CITATION, 'rules.pdf, p. 3')).toBe(
    '“Hotels cost at most $140 & tax.” rules.pdf, p. 3.',
  )
})

test('a quotation is copied as an entry of BibTeX on one line, whose braces pair', () => {
  expect(formatBibtex(CITATION)).toBe(
    String.raw`@misc{doc_1-12, title = {Rules 50\%.pdf}, pages = {3}, note = {Travel}, url = {https://example.org/a}, annote = {Hotels cost at most \$140 \& tax.}}`,
  )
})
