import { describe, expect, test } from 'vitest'
import { MAX_SYNONYM_CHARS, parseSynonyms } from '../../../src/search/synonyms/synonym-file.ts'

test('a line is a group, with commas and arrows of either language', () =>
  expect(
    parseSynonyms(
      '\uFEFF# ours\r\nlaptop, note  book，笔记本、手提电脑\n\nPC, 电脑 => desktop\n微机＝＞电脑',
    ),
  ).toEqual([
    {
      line: 2,
      from: ['laptop', 'note book', '笔记本', '手提电脑'],
      to: ['laptop', 'note book', '笔记本', '手提电脑'],
    },
    { line: 4, from: ['PC', '电脑'], to: ['desktop'] },
    { line: 5, from: ['微机'], to: ['电脑'] },
  ]))

test('no text is no synonyms', () => expect(parseSynonyms('\n # nothing\n')).toEqual([]))

describe('a fault is reported with its line', () => {
  const check = (name: string, text: string, message: string) =>
    test(name, () => expect(() => parseSynonyms(text)).toThrow(message))

  check('a term alone', 'a, b\nalone', 'Synonyms, line 2: "alone" has no synonym')
  check('the same term twice', 'one, one', 'line 1: "one" has no synonym')
  check('an empty term', '# x\na,, b', 'line 2: a term is empty')
  check('nothing before the arrow', '=> b', 'line 1: a term is empty')
  check('two arrows', 'a => b => c', 'line 1: a line has at most one =>')
  check('a term without a letter', 'a, ?!', 'line 1: "?!" has no letter and no digit')
  check('a long term', `a, ${'b'.repeat(101)}`, 'has 101 characters; at most 100 are allowed')
  const many = Array.from({ length: 21 }, (_, index) => `t${index}`).join()
  check('too many terms', `\n${many}`, 'line 2: a group has at most 20 terms, and this one 21')
  check('too many groups', 'a, b\n'.repeat(2_001), 'line 2001: at most 2000 groups are allowed')
  check('a long list', '#'.repeat(MAX_SYNONYM_CHARS + 1), `${MAX_SYNONYM_CHARS} are allowed`)
})
