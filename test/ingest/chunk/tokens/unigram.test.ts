import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Tokenizer } from '@huggingface/tokenizers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildUnigramTables, Unigram } from '../../../../src/ingest/chunk/tokens/unigram.ts'
import { packVocabulary } from '../../../../src/ingest/chunk/tokens/vocabulary.ts'
import { loadTokenCounter, loadTokenizer } from '../../../../src/ingest/embed/local-tokens.ts'
import { chooseDraws } from '../../../suites.ts'

const MODEL = fileURLToPath(
  new URL('../../../../data/models/multilingual-e5-small-enzh', import.meta.url),
)
const read = (name: string) => JSON.parse(readFileSync(`${MODEL}/${name}`, 'utf8'))
const library = new Tokenizer(read('tokenizer.json'), read('tokenizer_config.json'))
const ours = await loadTokenizer(MODEL)

function check(text: string) {
  const ids = library.encode(text).ids
  expect(ours.encode(text, Infinity)).toEqual(ids)
  expect(ours.count(text)).toBe(ids.length - 2)
}

const VOCABULARY = packVocabulary([['<unk>', 0], ['▁', -3], ['a', -4], ['b', -4], ['▁ab', -5], ['aa', -8]]) // biome-ignore format: a table

async function checkSplit(text: string, expected: readonly number[]) {
  const unigram = new Unigram(await buildUnigramTables(VOCABULARY), 0)
  expect(unigram.encode(text)).toEqual(expected)
  expect(unigram.count(text)).toBe(expected.length)
}

test('the split with the highest sum wins', () => checkSplit(' ab', [4]))
test('of two equal splits the one with the longest last piece wins', () =>
  checkSplit('aaa', [2, 5]))
test('an unknown character is one token', () => checkSplit('a?', [2, 0]))
test('a run of unknown characters is one token', () => checkSplit('a?¿𠀀 ?', [2, 0, 1, 0]))
test('no text is no token', () => checkSplit('', []))

test('white space alone counts as the library counts it', () =>
  ['', ' ', ' \n\t ', '▁', '\u3000'].forEach(check))
test('special tokens written in a text are single tokens', () =>
  ['<s>', 'a <mask> b', '</s><unk><unk>x', '<s', '＜s＞', 'x＜s＞', '＜unk＞\u{10ffff}'].forEach(
    check,
  ))
test('broken surrogate pairs are unknown characters', () =>
  ['\ud800', 'a\udc00b', '\ud83d\ud83d\ude00'].forEach(check))
test('compatibility forms are folded first', () =>
  ['ﬁne ½ ㍿ ①', 'ＡＢＣ１２３', 'e\u0301 \u00a8 한', 'ﷺ'].forEach(check))
test('what is put together after plain characters is put together', () =>
  [
    'cafe\u0301',
    'x\u1112\u1161\u11ab',
    '가\u11a8',
    'か\u3099',
    'a  b',
    ' a',
    'a ',
    'a<b',
    'a\u0300 b',
  ].forEach(check))
test('a text far longer than the model reads is counted whole', () =>
  check('检索 augmented 生成！'.repeat(3000)))

const script = (from: number, to: number) =>
  fc.array(
    fc.integer({ min: from, max: to }).map(code => String.fromCodePoint(code)),
    { maxLength: 12 },
  )
const mixed = fc.array(
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      'the retrieval of documents',
      '数据库索引的更新',
      '检索',
      ' ',
      '  ',
      '\n\n',
      '，',
      '。',
      '...',
      '<s>',
      '😀👩‍👩‍👧',
      '１２',
      '3.14%',
    ),
    ...[
      script(0x20, 0x7e),
      script(0x4e00, 0x9fff),
      script(0x400, 0x6ff),
      script(0x900, 0xdff),
      script(0xac00, 0xd7a3),
    ].map(chars => chars.map(list => list.join(''))),
    ...[
      script(0x3000, 0x30ff),
      script(0xff00, 0xffef),
      script(0x2000, 0x2bff),
      script(0x1f300, 0x1faff),
      script(0x20000, 0x20fff),
    ].map(chars => chars.map(list => list.join(''))),
  ),
  { maxLength: 12 },
)

test('any mix of scripts, symbols and white space gives the ids of the library', () => {
  fc.assert(
    fc.property(mixed, parts => check(parts.join(''))),
    { numRuns: chooseDraws(100, 400) },
  )
})

test('a cut text keeps its special tokens', () => {
  const whole = ours.encode('one two three four', Infinity)
  expect(ours.encode('one two three four', 4)).toEqual([whole[0], whole[1], whole[2], whole.at(-1)])
})

test('a counter is named after its model and counts no special tokens', async () => {
  const counter = await loadTokenCounter(MODEL)
  expect([counter.id, counter.count('Hello, 世界')]).toEqual([
    'multilingual-e5-small-enzh@1',
    library.encode('Hello, 世界').ids.length - 2,
  ])
})

test('a directory without a tokenizer is model_unavailable', async () => {
  await expect(loadTokenCounter('/nowhere')).rejects.toMatchObject({ code: 'model_unavailable' })
})

test('counts stay exact past the number of runs that are remembered', () => {
  const text = Array.from({ length: 60_000 }, (_, at) => `w${at.toString(36)}`).join(' ')
  for (const counted of [text, text.slice(0, -1)]) {
    expect(ours.count(counted)).toBe(ours.encode(counted, Infinity).length - 2)
  }
})
