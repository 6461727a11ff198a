import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Passim, SearchOptions } from '../../src/index.ts'
import { Sandbox } from '../fakes/store.ts'

const TEXTS = {
  'fox.txt': 'A red fox has its den under the oak.',
  'hunt.txt': 'Red is the coat of the hunt; a fox is not.',
  'release.txt':
    'Release v0.0.30 reads foo_bar and getFooBar, see GB/T 7714-2015. Mail dev@example.cn about C++ and .NET.',
  'law.txt': '第一百二十三条 民事主体依法享有知识产权。',
  'traditional.txt': '資料檢索系統的說明。',
  'cafe.txt': 'Café Müller, ＡＢＣ-１２.',
  'opened.txt': 'The pool was opened on 9 April 2031.',
  'closed.txt': 'The pool was closed on 2031-05-03 for repair.',
  'price.txt': 'The lamp for 1,299.50 euros, of which 1,299,500 were sold.',
  'stock.txt': 'There is a stock of 41250 pumps.',
  '召开.txt': '会议于2031年6月7日召开，6月8日结束。',
}
/** Thirty texts with all the words of a phrase, none of which says it. */
const NEAR = Object.fromEntries(
  Array.from({ length: 30 }, (_, at) => [
    `near-${at}.txt`,
    `Fox, red fox red, fox: red. Fox ${at} den.`,
  ]),
)

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await passim.index([await sandbox.write(TEXTS)])
  await passim.index(
    [
      (await sandbox.write(
        Object.fromEntries(Object.entries(NEAR).map(([name, text]) => [`../near/${name}`, text])),
      )) && sandbox.path('../near'),
    ],
    { collection: 'near' },
  )
})
afterAll(() => sandbox.remove())

const names = async (query: string, options: Partial<SearchOptions> = {}) =>
  (await passim.search({ query, mode: 'keyword', limit: 5, ...options })).map(hit => hit.name)

describe('finds first', () => {
  const check = async (query: string, name: string) => expect((await names(query))[0]).toBe(name)

  test.each([
    ['v0.0.30', 'release.txt'],
    ['0.0.30', 'release.txt'],
    ['foo_bar', 'release.txt'],
    ['getFooBar', 'release.txt'],
    ['GB/T 7714-2015', 'release.txt'],
    ['7714', 'release.txt'],
    ['dev@example.cn', 'release.txt'],
    ['example.cn', 'release.txt'],
    ['C++', 'release.txt'],
    ['.NET', 'release.txt'],
    ['第一百二十三条', 'law.txt'],
    ['第123条', 'law.txt'],
    ['法', 'law.txt'],
    ['知识', 'law.txt'],
    ['检索系统', 'traditional.txt'],
    ['檢索', 'traditional.txt'],
    ['cafe muller', 'cafe.txt'],
    ['abc-12', 'cafe.txt'],
    ['dens', 'fox.txt'],
  ])('%s', (query, name) => check(query, name))
})

describe('what is said', () => {
  test('in quotes must stand there', async () =>
    expect(await names('"red fox"')).toEqual(['fox.txt']))
  test('in quotes holds in every mode', async () => {
    for (const mode of ['vector', 'hybrid', 'front-page'] as const)
      expect(await names('"red fox"', { mode }), mode).toEqual(['fox.txt'])
  })
  test('after a minus must not', async () => expect(await names('fox -oak')).toEqual(['hunt.txt']))
  test('in quotes after a minus must not', async () =>
    expect(await names('fox -"red fox"')).toEqual(['hunt.txt']))
  test('in quotes is found though many others hold its words', async () =>
    expect(await names('"fox has its den" red', { collections: ['near', 'default'] })).toEqual([
      'fox.txt',
    ]))
  test.each([
    ['"2031-04-09"', 'opened.txt'],
    ['"2031年4月9日"', 'opened.txt'],
    ['"opened on Apr 9, 2031"', 'opened.txt'],
    ['"closed on 3 May 2031 for repair"', 'closed.txt'],
    ['"2031/5/3"', 'closed.txt'],
    ['"20310503"', 'closed.txt'],
    ['"7 June 2031"', '召开.txt'],
    ['"会议于2031-06-07召开"', '召开.txt'],
  ])('with a day in another spelling: %s', async (query, name) => {
    for (const mode of ['keyword', 'hybrid'] as const)
      expect(await names(query, { mode }), mode).toEqual([name])
  })
  test.each([
    ['"1299.50"', 'price.txt'],
    ['"1299.5"', 'price.txt'],
    ['"1 299 500"', 'price.txt'],
    ['"lamp for 1299.50 euros"', 'price.txt'],
    ['"stock of 41,250"', 'stock.txt'],
    ['"41 250 pumps"', 'stock.txt'],
  ])('with a number in another spelling: %s', async (query, name) => {
    for (const mode of ['keyword', 'hybrid'] as const)
      expect(await names(query, { mode }), mode).toEqual([name])
  })
  test.each(['"1299"', '"299.50"', '"1299.05"', '"lamp for 41250 euros"'])(
    'with another number is weak: %s',
    async query => {
      const hits = await passim.search({ query, mode: 'keyword' })
      expect(hits.every(hit => hit.weak)).toBe(true)
    },
  )
  test('with a day in another spelling keeps its other words', async () => {
    const hits = await passim.search({ query: '"closed on 9 April 2031"', mode: 'keyword' })
    expect(hits.every(hit => hit.weak)).toBe(true)
  })
  test('nowhere leaves what holds the words, as weak', async () => {
    const hits = await passim.search({ query: '"den fox"', mode: 'keyword' })
    expect(hits.length).toBeGreaterThan(0)
    expect(hits.every(hit => hit.weak)).toBe(true)
  })
})

test('stop words are searched for where nothing else is found', async () => {
  expect(await names('the xylophone')).toContain('fox.txt')
  expect(await names('the fox')).not.toContain('law.txt')
})
test('no query that shares a word or a pair of characters with the collection comes back empty', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values(TEXTS)),
      fc.nat(),
      fc
        .string({ unit: 'grapheme', maxLength: 12 })
        .map(other => other.replace(/[\p{Dash}\p{Quotation_Mark}]/gu, '')), // those say what must not be there
      fc.boolean(),
      async (text, at, other, isFirst) => {
        const pieces = [...text.matchAll(/[\p{Script=Han}]{2}|[\p{L}\p{N}]+/gu)].map(
          ([piece]) => piece,
        )
        const piece = pieces[at % pieces.length]!
        expect(await names(isFirst ? `${piece} ${other}` : `${other} ${piece}`)).not.toEqual([])
      },
    ),
    { numRuns: 60 },
  ))
