import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Analyzer } from '../../src/text/analyzer.ts'

const analyzer = new Analyzer()
const check = (text: string, expected: readonly string[]) =>
  expect(analyzer.listTerms(text)).toEqual(expected)
const checkQuery = (text: string, expected: readonly string[]) =>
  expect(analyzer.listQueryTerms(text)).toEqual(expected)

describe('terms', () => {
  test('English words are stemmed', () => check('Indexing documents', ['index', 'document']))
  test('case and width do not matter', () => check('ＡＢＣ Abc', ['abc', 'abc']))
  test('letters and digits are found apart', () => check('FY2019', ['fy2019', 'fy', '2019']))
  test('a number is found whole and in parts', () => check('1,000.5', ['1000.5', '1', '000', '5']))
  test('an apostrophe does not hide a word', () =>
    check("the company's don't", ['the', 'compani', 'dont']))
  test('Han gives characters and bigrams', () => check('检索', ['检', '检索', '索']))
  test('Traditional is folded to Simplified', () => check('檢索', ['检', '检索', '索']))
  test('accents do not matter', () => check('Café naïve cafe', ['cafe', 'naiv', 'cafe']))
  test('kana and hangul give characters and bigrams too', () =>
    check('カナ 한국', ['カ', 'カナ', 'ナ', '한', '한국', '국']))
  test('half width finds full width', () => check('ｶﾅ', ['カ', 'カナ', 'ナ']))
  test('scripts are told apart in one run', () =>
    check('PDF文件3', ['pdf', '文', '文件', '件', '3']))
})

describe('identifiers are found whole and in parts', () => {
  const holds = (text: string, ...expected: readonly string[]) =>
    expect(analyzer.listTerms(text)).toEqual(expect.arrayContaining([...expected]))

  test('a version', () => holds('Release v0.0.30.', 'v0.0.30', 'v0', '0.30'))
  test('a language with signs', () => holds('C++, C# and F#', 'c++', 'c#', 'f#', 'c'))
  test('a name with a point before', () => holds('on .NET, ASP.NET', '.net', 'asp.net', 'net'))
  test('a standard', () => holds('GB/T 7714-2015', 'gb/t', '7714-2015', 'gb', '7714', '2015'))
  test('an identifier with underscores', () => holds('call foo_bar()', 'foo_bar', 'foo', 'bar'))
  test('an identifier in camel case', () =>
    holds('fooBar getHTTPResponse', 'foobar', 'foo', 'bar', 'http', 'respons'))
  test('an address', () => holds('Mail a@b.cn!', 'a@b.cn', 'b', 'cn'))
  test('a part of a law, however its number is written', () => {
    holds('依照第一百二十三条', '第123条', '第一', '百二')
    holds('第 123 條', '第123条')
    holds('第两千零八条、第十二章、第一二条', '第2008条', '第12章', '第12条')
  })
  test('names with a capital inside stay whole', () => check('iPhone', ['iphon']))
  test('an address without end has its parts only', () =>
    expect(
      analyzer.listTerms(`https://x.org/${'a/'.repeat(50)}b`).every(term => term.length <= 64),
    ).toBe(true))
})

describe('query terms', () => {
  test('a word as long as a document is read once, in documents too', () => {
    for (const word of [
      'a'.repeat(400_000),
      `aB.${'a'.repeat(400_000)}`,
      `${'a'.repeat(400_000)}.`,
      '第'.repeat(9),
    ])
      expect(analyzer.listQueryTerms(word).length).toBeGreaterThan(0)
  })
  test('stop words are left out', () => checkQuery('what is the warranty', ['warranti']))
  test('stop words are all there is: then they are searched for', () =>
    checkQuery('who is', ['who', 'is']))
  test('a grammatical character is left out, its bigrams stay', () =>
    checkQuery('我的书', ['我', '我的', '的书', '书']))
  test('a single character is a query', () => checkQuery('法', ['法']))
  test('a term as often as the text has it', () => checkQuery('the fox, foxes', ['fox', 'fox']))
})

test('a query made of words of a text always matches it', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), text => {
      const terms = new Set(analyzer.listTerms(text))
      expect(analyzer.listQueryTerms(text).every(term => terms.has(term))).toBe(true)
    }),
  ))

test('the terms of a phrase stand in a row in every text that holds it', () =>
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('red', '狐狸', 'fooBar', 'v0.1', 'C++', '第三条', 'é', '檢')),
      fc.nat(),
      fc.nat(),
      (words, a, b) => {
        const text = words.join(' ')
        const [from, to] = [Math.min(a, b), Math.max(a, b)]
          .map(at => at % (words.length + 1))
          .toSorted((x, y) => x - y)
        const phrase = analyzer.listSequence(words.slice(from, to).join(' '))
        expect(` ${analyzer.listSequence(text).join(' ')} `).toContain(
          ` ${phrase.join(' ')} `.replace('  ', ' '),
        )
      },
    ),
  ))
test('a whole identifier counts once however often a text names it, its parts each time', () => {
  const terms = new Analyzer().listTerms('GB/T 7714-2015, GB/T 7714-2015')
  expect(terms.filter(term => term === '7714-2015')).toHaveLength(1)
  expect(terms.filter(term => term === '7714')).toHaveLength(2)
})

test('a text is compared without blanks between Chinese characters, and with one between words, however many there are', () => {
  const many = ' \n'.repeat(20_000) // what looks at every blank from every other one does not come to an end
  expect(analyzer.normalizeText(`${many}中${many}国${many}red${many}fox${many}狐${many}`)).toBe(
    '中国 red fox 狐',
  )
})
