import { expect, test } from 'vitest'
import { findQuote } from '../../../src/answer/citations/quotations.ts'
import type { Passage } from '../../../src/search/passages/passage.ts'
import { findQuotations, QuotableTexts } from '../../../src/text/quotations.ts'

function check(text: string, expected: readonly string[]) {
  expect(findQuotations(text).map(quotation => quotation.text)).toEqual(expected)
}

for (const [open, close] of [
  '“”',
  '„“',
  '„”',
  '«»',
  '‹›',
  '‘’',
  '‚‘',
  '「」',
  '『』',
  '＂＂',
  '""',
  "''",
]) {
  test(`${open}…${close} quote`, () =>
    check(`It says ${open}the pump is old${close}, so.`, ['the pump is old']))
}
test('an apostrophe ends no quotation', () =>
  check("The user's note reads 'the pump's seal isn't new' there.", ["the pump's seal isn't new"]))
test('apostrophes quote nothing', () =>
  check("The users' notes and the owners' manual differ.", []))
test('a curly apostrophe ends no quotation', () =>
  check('He said ‘the pump’s seal isn’t new’ there.', ['the pump’s seal isn’t new']))
test('a block quote is no quotation by itself', () =>
  check('It says:\n\n> The pump is old and must not run dry.', []))
test('quotations side by side', () =>
  check('«the pump is old» and «the seal is new»', ['the pump is old', 'the seal is new']))

const TEXT =
  'Pets are not allowed in the flat. Smoking is allowed on the balcony, which is never heated in winter. 承租人不得转租房屋，出租人应当提前三十日通知。'

function found(quote: string): readonly string[] | undefined {
  const place = {
    documentId: 'd',
    source: '/d',
    name: 'd.md',
    title: '',
    headings: [],
    context: '',
    parts: [],
  }
  const passage: Passage = { ...place, id: 1, charStart: 0, charEnd: TEXT.length, text: TEXT }
  const at = findQuote(quote, { named: [], all: [passage], texts: new QuotableTexts() })
  return at?.spans.map(({ start, end }) => TEXT.slice(start, end))
}

for (const quote of [
  'Pets are allowed in the flat',
  'Pets are now allowed in the flat',
  'Pets are … allowed in the flat',
  'Smoking is not allowed on the balcony',
  'which is ever heated in winter',
  '承租人得转租房屋',
  '承租人可以转租房屋',
  '承租人……转租房屋',
  '承租人无得转租房屋',
  '出租人不应当提前三十日通知',
  '出租人未提前三十日通知',
]) {
  test(`a quotation that says the contrary is not found: ${quote}`, () =>
    expect(found(quote)).toBeUndefined())
}
test('what is left out between sentences may deny something else', () =>
  expect(found('Pets are not allowed … on the balcony')).toEqual([
    'Pets are not allowed',
    'on the balcony',
  ]))
