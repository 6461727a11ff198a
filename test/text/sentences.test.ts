import { expect, test } from 'vitest'
import { splitSentences } from '../../src/text/sentences.ts'

const check = (text: string, expected: readonly string[]) =>
  expect(splitSentences(text).map(({ start, end }) => text.slice(start, end))).toEqual(expected)

test('a full stop of an abbreviation before a number ends no sentence', () => {
  check('Repairs: Anton Weiss, ext. 310. Parts: Mei Chen, ext. 322.', [
    'Repairs: Anton Weiss, ext. 310.',
    'Parts: Mei Chen, ext. 322.',
  ])
  check('It is in vol. 3 and sec. 4. Done. 5 more.', [
    'It is in vol. 3 and sec. 4.',
    'Done.',
    '5 more.',
  ])
})
test('without a number after it, or of a word that is none, it does', () => {
  check('Dial the ext. Then wait.', ['Dial the ext.', 'Then wait.'])
  check('The answer is no. 7 people said so.', ['The answer is no.', '7 people said so.'])
})
test('nor does that of letters with full stops before a word in lower case', () => {
  check('Tests are permitted from 9 a.m. to 5p.m. on weekdays. Not at 7 a.m. Others may be.', [
    'Tests are permitted from 9 a.m. to 5p.m. on weekdays.',
    'Not at 7 a.m.',
    'Others may be.',
  ])
  check('By U.S. law. Of the U.S. Nobody knew.', ['By U.S. law.', 'Of the U.S.', 'Nobody knew.'])
})
test('who said what is quoted belongs to it', () => {
  check('他敲桥板。“里头空了。”他说。“换掉！”李明喊道。天亮了。', [
    '他敲桥板。',
    '“里头空了。”他说。',
    '“换掉！”李明喊道。',
    '天亮了。',
  ])
  check('She knocked. "It is hollow." said Anna. “Why?” he asked. Nobody knew.', [
    'She knocked.',
    '"It is hollow." said Anna.',
    '“Why?” he asked.',
    'Nobody knew.',
  ])
})
test('a sentence of its own behind a quotation does not', () => {
  check('“里头空了。”他带了四个徒弟，住了五天。', ['“里头空了。”', '他带了四个徒弟，住了五天。'])
  check('"It is hollow." Anna went home.', ['"It is hollow."', 'Anna went home.'])
})
test('nor does an exclamation or question mark before a word in lower case end a sentence', () => {
  check('The `trace!` macro and the empty? method print. Stop! Why? Nobody knew.', [
    'The `trace!` macro and the empty? method print.',
    'Stop!',
    'Why?',
    'Nobody knew.',
  ])
  check('停！then go', ['停！', 'then go'])
})
