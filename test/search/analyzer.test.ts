import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Analyzer } from '../../src/search/analyzer.ts'

const analyzer = new Analyzer()
const check = (text: string, expected: readonly string[]) => expect(analyzer.terms(text)).toEqual(expected)
const checkQuery = (text: string, expected: readonly string[]) => expect(analyzer.queryTerms(text)).toEqual(expected)

describe('terms', () => {
  test('English words are stemmed', () => check('Indexing documents', ['index', 'document']))
  test('case and width do not matter', () => check('ＡＢＣ Abc', ['abc', 'abc']))
  test('letters and digits are found apart', () => check('FY2019', ['fy2019', 'fy', '2019']))
  test('a number is found whole and in parts', () => check('1,000.5', ['1000.5', '1', '000', '5']))
  test('an apostrophe does not hide a word', () => check("the company's don't", ['the', 'compani', 'dont']))
  test('Han gives characters and bigrams', () => check('检索', ['检', '检索', '索']))
  test('Traditional is folded to Simplified', () => check('檢索', ['检', '检索', '索']))
  test('scripts are told apart in one run', () => check('PDF文件3', ['pdf', '文', '文件', '件', '3']))
})

describe('query terms', () => {
  test('stop words are left out', () => checkQuery('what is the warranty', ['warranti']))
  test('stop words are all there is: then they are searched for', () => checkQuery('who is', ['who', 'is']))
  test('a grammatical character is left out, its bigrams stay', () =>
    checkQuery('我的书', ['我', '我的', '的书', '书']))
  test('a single character is a query', () => checkQuery('法', ['法']))
  test('each term once', () => checkQuery('fox fox', ['fox']))
})

test('a query made of words of a text always matches it', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), text => {
      const terms = new Set(analyzer.terms(text))
      expect(analyzer.queryTerms(text).every(term => terms.has(term))).toBe(true)
    }),
  ))
