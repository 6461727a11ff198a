import { describe, expect, test } from 'vitest'
import { readQueryText, WordingCheck } from '../../../src/search/rank/wording.ts'
import { Analyzer } from '../../../src/text/analyzer.ts'

describe('a query is taken apart', () => {
  const check = (
    query: string,
    text: string,
    phrases: readonly string[] = [],
    excluded: readonly string[] = [],
  ) =>
    expect(readQueryText(query)).toEqual({
      text,
      wording: phrases.length + excluded.length > 0 ? { phrases, excluded } : undefined,
    })

  test('plain words stay', () => check('red fox', 'red fox'))
  test('a phrase is looked for and required', () =>
    check('"red fox" den', 'red fox den', ['red fox']))
  test('full width quotes are quotes', () => check('＂红色 狐狸＂', '红色 狐狸', ['红色 狐狸']))
  test('what is left out is not looked for', () =>
    check('fox -hunting den', 'fox  den', [], ['hunting']))
  test('a phrase is left out', () => check('fox -"fox hunt"', 'fox', [], ['fox hunt']))
  test('hyphens in words and numbers below zero are no exclusions', () =>
    check('well-known -5 degrees - why', 'well-known -5 degrees - why'))
  test('inches are no quotes', () => check('5" and 6" pipes', '5" and 6" pipes'))
  test('nothing but exclusions is taken as it stands', () => check('-fox', '-fox'))
  test('an endless phrase is plain words', () =>
    check(`"${'a '.repeat(200)}" b`, `"${'a '.repeat(200)}" b`))
})

describe('a text says a phrase', () => {
  const check = (text: string, phrase: string, says: boolean) =>
    expect(
      new WordingCheck(new Analyzer(), { phrases: [phrase], excluded: [] }).hasAllPhrases(text),
    ).toBe(says)

  test('in any case, over line ends', () => check('The Red\n  Fox', 'red fox', true))
  test('in whole words only', () => check('infrared foxes', 'red fox', false))
  test('as it is written, not by stem', () => check('red foxes', 'red fox', false))
  test('Traditional as Simplified', () => check('資料檢索系統', '检索系统', true))
  test('across line ends in Chinese', () => check('检索\n系统', '检索系统', true))
  test('in half width for full width', () => check('ＡＢＣ１２', 'abc12', true))
  test('with signs', () => check('use C++ now', 'C++', true))
})
