import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Attributes } from '../../src/ingest/store/catalog/document.ts'
import { type Filter, matchFilter, parseFilter } from '../../src/search/filter.ts'
import { readFilter } from '../../src/search/filter-text.ts'

const ADA: Attributes = {
  author: 'Ada',
  year: 2020,
  draft: false,
  code: '007',
  created: 1_600_000_000,
  language: 'en',
}

describe('a filter as text', () => {
  const check = (text: string, holds: boolean) =>
    expect(matchFilter(readFilter(text), ADA), text).toBe(holds)

  test('equal', () => check('author=Ada', true))
  test('not equal', () => check('author != Ada', false))
  test('numbers in their order', () => check('year>=2020', true))
  test('not above itself', () => check('year>2020', false))
  test('a number written as text is one', () => check('code=7', true))
  test('a quoted number is text', () => check('code="7"', false))
  test('truth values', () => check('draft=false', true))
  test('one of several', () => check('language in zh, en', true))
  test('none of several', () => check('language not in zh,en', false))
  test('both', () => check('author=Ada and year<2000', false))
  test('and binds closer than or', () => check('author=Ada or author=Bob and year<2000', true))
  test('parentheses bind closest', () => check('(author=Ada or author=Bob) and year<2000', false))
  test('a date stands for its moment', () =>
    check('created>=2020-09-13 and created<2020-09-14', true))
  test('a year is a moment too', () => check('created<2020', false))
  test('a day, a month or a year is each of its moments', () => {
    check('created=2020-09-13', true)
    check('created=2020-09', true)
    check('created=2020-10', false)
    check('created in 2019, 2020', true)
    check('created<=2020-09-13', true)
    check('created>2020-09', false)
    check('created!=2020-09-13', false)
    check('created!=2020-09-14', true)
    check('created not in 2020-09, 2021', false)
    check('created="2020-09-13"', true)
    check('created="2020-09-13T12:26:40Z"', true)
  })
  test('a date in an expression is a day, a month or a year, too', () => {
    const matches = (type: 'eq' | 'ne' | 'gt' | 'lte', value: string | number) =>
      matchFilter({ type, key: 'created', value }, { created: 1_600_000_000 })
    expect(matches('eq', '2020-09-13')).toBe(true)
    expect(matches('eq', '2020-12')).toBe(false)
    expect(matches('ne', '2020')).toBe(false)
    expect(matches('gt', '2020-09-12')).toBe(true)
    expect(matches('lte', '2020-09')).toBe(true)
    expect(matches('eq', '1600000000')).toBe(true)
    expect(matches('eq', 1_600_000_000)).toBe(true)
    const own = { created: '2020-09-13' }
    expect(matchFilter({ type: 'eq', key: 'created', value: '2020-09-13' }, own)).toBe(true)
  })
  test('a time relative to today', () => {
    check('created=last week', false)
    check('created<this year', true)
    const daysAgo = (days: number) => Math.floor(Date.now() / 1000) - days * 86_400
    const isRecent = (text: string, created: number) => matchFilter(readFilter(text), { created })
    expect(isRecent('created=last 7 days', daysAgo(5))).toBe(true)
    expect(isRecent('created=最近七天', daysAgo(8))).toBe(false)
    expect(isRecent('created=the last 2 weeks', daysAgo(8))).toBe(true)
  })
  test('a date as people write it', () => {
    check('created=13 September 2020', true)
    check('created>=2020年9月', true)
    check('created=October 2020', false)
  })
  test('case and composed characters do not matter', () => {
    check('author=ada', true)
    expect(matchFilter(readFilter('name=Müller'), { name: 'Mu\u0308ller' })).toBe(true)
  })
  test('a part of a text', () => {
    check('author contains AD', true)
    check('author contains Bob', false)
    check('size contains 1', false)
  })
  test('a value may have the words that compare', () =>
    expect(readFilter('title=Life under water')).toEqual({
      type: 'eq',
      key: 'title',
      value: 'Life under water',
    }))
  test('a folder', () => {
    const file = { source: '/home/ada/reports/2024/may.pdf' }
    const isUnder = (folder: string) => matchFilter(readFilter(`source under ${folder}`), file)
    expect(['/home/ada/reports', '/home/ada/reports/', 'reports/2024'].map(isUnder)).toEqual([
      true,
      true,
      true,
    ])
    expect(['/home/ada/rep', 'home', '2023'].map(isUnder)).toEqual([false, true, false])
  })
  test('nothing is above what is not there', () => check('size>0', false))
  test('what is not there is not equal', () => check('size!=0', true))
  test('JSON is taken as it is', () => check('{"type":"eq","key":"author","value":"Ada"}', true))
  test('a value may have blanks', () =>
    expect(readFilter('title=The Sea and name!=x')).toEqual({
      type: 'and',
      filters: [
        { type: 'eq', key: 'title', value: 'The Sea' },
        { type: 'ne', key: 'name', value: 'x' },
      ],
    }))
  test('quotes keep anything together', () =>
    expect(readFilter('"the title"="black and \\"white\\""')).toEqual({
      type: 'eq',
      key: 'the title',
      value: 'black and "white"',
    }))
})

describe('what is wrong is named', () => {
  const refuse = (input: unknown, message: RegExp) =>
    expect(() => parseFilter(input)).toThrow(message)
  const nested = (depth: number): unknown => ({
    type: 'and',
    filters: [depth > 1 ? nested(depth - 1) : { type: 'eq', key: 'a', value: 1 }],
  })

  test('no operator', () =>
    expect(() => readFilter('author Ada')).toThrow(/after "author Ada", expected one of =/))
  test('no value', () => expect(() => readFilter('author=')).toThrow(/expected a value/))
  test('a date that is none', () =>
    expect(() => readFilter('created>=someday')).toThrow(/someday is none/))
  test('an open parenthesis', () => expect(() => readFilter('(a=1')).toThrow(/expected "\)"/))
  test('an open quotation', () => expect(() => readFilter('a="1')).toThrow(/not closed/))
  test('too many parentheses', () =>
    expect(() => readFilter('('.repeat(90_000))).toThrow(/fewer parentheses/))
  test('an unknown type', () =>
    refuse({ type: 'like', key: 'a', value: 1 }, /type "like": choose eq, ne/))
  test('a list where one value belongs', () =>
    refuse({ type: 'eq', key: 'a', value: [1] }, /filter\.value must be text/))
  test('one value where a list belongs', () =>
    refuse({ type: 'in', key: 'a', value: 1 }, /list of values for in/))
  test('an unknown field', () =>
    refuse({ type: 'eq', key: 'a', value: 1, x: 1 }, /filter\.x has no such field/))
  test('the place of an inner one', () =>
    refuse(
      { type: 'or', filters: [{ type: 'eq', key: 'a', value: 1 }, { type: 'eq' }] },
      /filter\.filters\[1\]\.key/,
    ))
  test('too deep', () => refuse(nested(8), /deeper than 8/))
  test('too many', () =>
    refuse(
      { type: 'or', filters: Array(100).fill({ type: 'eq', key: 'a', value: 1 }) },
      /at most 100/,
    ))
  test('too many values', () =>
    refuse({ type: 'in', key: 'a', value: Array(1001).fill(1) }, /at most 1000/))
})

const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('a', 'b', '2', ''),
  fc.boolean(),
)
const key = fc.constantFrom('k', 'l')
const comparison = fc.oneof(
  fc.record({ type: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'), key, value }),
  fc.record({
    type: fc.constantFrom('in', 'nin'),
    key,
    value: fc.array(value, { minLength: 1, maxLength: 3 }),
  }),
) as fc.Arbitrary<Filter>
const attributes = fc.dictionary(key, value) as fc.Arbitrary<Attributes>

test('a comparison and its opposite never both hold, nor neither', () =>
  fc.assert(
    fc.property(key, value, attributes, (key, value, record) => {
      const holds = (type: 'eq' | 'ne' | 'in' | 'nin') =>
        matchFilter({ type, key, value: type.endsWith('in') ? [value] : value } as Filter, record)
      expect([holds('ne'), holds('nin'), holds('in')]).toEqual([
        !holds('eq'),
        !holds('eq'),
        holds('eq'),
      ])
    }),
  ))
test('`and` is all of them, `or` any, and what is checked stays what it was', () =>
  fc.assert(
    fc.property(
      fc.array(comparison, { minLength: 1, maxLength: 4 }),
      attributes,
      (filters, record) => {
        const each = filters.map(filter => matchFilter(filter, record))
        expect(matchFilter(parseFilter({ type: 'and', filters }), record)).toBe(each.every(Boolean))
        expect(matchFilter(parseFilter({ type: 'or', filters }), record)).toBe(each.some(Boolean))
        expect(parseFilter({ type: 'or', filters })).toEqual({ type: 'or', filters })
      },
    ),
  ))

test('a moment in a filter is the same in every time zone', () => {
  const module = new URL('../../dist/search/filter-text.js', import.meta.url).href
  const script = `const { readFilter } = await import(${JSON.stringify(module)})
    console.log(JSON.stringify(readFilter('created >= 2024-05-01T10:00')))`
  const env = { ...process.env, TZ: 'Asia/Shanghai' }
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env,
    encoding: 'utf8',
  })
  expect(JSON.parse(stdout)).toMatchObject({
    key: 'created',
    value: Date.UTC(2024, 4, 1, 10) / 1000,
  })
})
