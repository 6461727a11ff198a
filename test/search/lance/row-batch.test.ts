import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildRowTable } from '../../../src/search/lance/row-batch.ts'
import { Analyzer } from '../../../src/text/analyzer.ts'

const analyzer = new Analyzer()

async function check(texts: readonly string[]): Promise<void> {
  const rows = texts.map((text, ordinal) => ({
    ...{ version: 1, ordinal, chunkId: `chunk_${ordinal}`, text, name: '' },
    ...{ charStart: 0, charEnd: text.length, headings: [], context: '', tokens: 1 },
  }))
  const table = await buildRowTable(rows, {
    dimensions: 0,
    listTerms: row => analyzer.listTerms(row.text),
    standBack: async () => {},
  })
  const written = [...(table.getChild('terms') ?? [])]
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

test('texts of any length and script are written whole', async () => {
  const word = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('检索', 'retrieval', 'ß', '𠮷', 'é'),
  )
  const text = fc.array(word, { maxLength: 40 }).map(words => words.join(' ').repeat(40))
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 8 }), texts => check(texts)),
    { numRuns: 50 },
  )
  await check([`检索${' market'.repeat(20_000)}`, '检索'.repeat(40_000)])
})

test('an accent that stands alone is no term', () =>
  expect(analyzer.listTerms('\u0301 a')).toEqual(['a']))
