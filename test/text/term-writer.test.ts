import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Analyzer } from '../../src/text/analyzer.ts'
import { TermWriter } from '../../src/text/term-sink.ts'

const analyzer = new Analyzer()

function check(texts: readonly string[]): void {
  const writer = new TermWriter()
  for (const text of texts) {
    analyzer.write(text, writer)
    writer.endText()
  }
  const { bytes, offsets } = writer
  const written = texts.map((_, at) =>
    Buffer.from(bytes.subarray(offsets[at], offsets[at + 1])).toString(),
  )
  expect(written).toEqual(texts.map(text => analyzer.listTerms(text).join(' ')))
}

test('texts are written as their terms, a blank between two', () =>
  check([
    'The Markets of 2019',
    '',
    '數據庫索引 C++',
    'naïve café ＡＢＣ',
    '𠮷野家 한국어 ภาษา',
    'fooBar_v0.0.30',
  ]))

test('texts of any length and script are written whole', () => {
  const word = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('检索', 'retrieval', 'ß', '𠮷', 'é'),
  )
  const text = fc.array(word, { maxLength: 40 }).map(words => words.join(' ').repeat(40))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), texts => check(texts)),
    { numRuns: 50 },
  )
  check([`检索${' market'.repeat(20_000)}`, '检索'.repeat(40_000)])
})

test('an accent that stands alone is no term', () =>
  expect(analyzer.listTerms('\u0301 a')).toEqual(['a']))
