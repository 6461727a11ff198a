import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packContext, renderContext } from '../../../src/search/passages/context.ts'
import type { Passage } from '../../../src/search/passages/passage.ts'
import type { Hit } from '../../../src/search/searcher.ts'
import { wordCounter } from '../../fakes/word-counter.ts'

const DOCUMENT = Array.from({ length: 40 }, (_, at) => `w${at}`).join(' ')

function hit(charStart: number, charEnd: number, changes: Partial<Hit> = {}): Hit {
  const text = (changes.text ?? DOCUMENT).slice(charStart, charEnd)
  return {
    ...{
      score: 1,
      weak: false,
      documentId: 'a',
      fileId: 'f',
      collectionId: 'c',
      source: '/a.txt',
      name: 'a.txt',
      title: 'A',
    },
    ...{
      headings: [],
      charStart,
      charEnd,
      context: '',
      tokens: 1,
      attributes: {},
      chunkId: `${charStart}`,
    },
    ...changes,
    text,
  }
}

const render = (passage: Passage) => `[${passage.id}] ${passage.text}`

function pack(hits: readonly Hit[], maxTokens = 1000) {
  return packContext(hits, { counter: wordCounter, maxTokens, render })
}

function check(hits: readonly Hit[], expected: readonly string[], maxTokens?: number) {
  expect(pack(hits, maxTokens).passages.map(render)).toEqual(expected)
}

test('a hit is a passage with its number', () => check([hit(0, 5)], ['[1] w0 w1']))

test('overlapping chunks become one passage that repeats nothing', () =>
  check([hit(0, 8), hit(3, 14)], [`[1] ${DOCUMENT.slice(0, 14)}`]))

test('chunks that touch become one passage', () =>
  check([hit(0, 8), hit(8, 14)], [`[1] ${DOCUMENT.slice(0, 14)}`]))

test('chunks with a blank line between them become one passage', () => {
  const text = 'one two\n\nthree'
  check([hit(9, 14, { text }), hit(0, 7, { text })], ['[1] one two\n\nthree'])
})

test('chunks apart stay apart, in the order of the document', () =>
  check([hit(30, 35), hit(0, 5)], ['[1] w0 w1', `[2] ${DOCUMENT.slice(30, 35)}`]))

test('documents stand in the order of their best hit', () =>
  check(
    [hit(0, 5, { documentId: 'b' }), hit(0, 2), hit(20, 25, { documentId: 'b' })],
    ['[1] w0 w1', `[2] ${DOCUMENT.slice(20, 25)}`, '[3] w0'],
  ))

test('a merged passage covers the pages of its parts', () => {
  const { passages } = pack([hit(0, 8, { pages: [1, 2] }), hit(8, 14, { pages: [2, 3] })])
  expect(passages[0]?.pages).toEqual([1, 3])
})

test('a chunk over the budget is left out and reported, a smaller one after it is taken', () => {
  const { passages, omitted } = pack([hit(0, 90), hit(100, 104)], 4)
  expect(passages).toHaveLength(1)
  expect(omitted).toMatchObject([{ hit: { charStart: 0 }, reason: 'budget' }])
})

test('a text that another document repeats is dropped and reported', () => {
  const { passages, omitted } = pack([hit(0, 8), hit(0, 8, { documentId: 'copy' })])
  expect(passages).toHaveLength(1)
  expect(omitted).toMatchObject([{ hit: { documentId: 'copy' }, reason: 'repeated' }])
})

test('numbers go on after those given out before', () => {
  const { passages } = packContext([hit(0, 5)], {
    counter: wordCounter,
    maxTokens: 9,
    render,
    firstId: 7,
  })
  expect(passages[0]?.id).toBe(7)
})

/** Chunks begin and end with words, as a chunker cuts them. */
const WORDS = [...DOCUMENT.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
  start: index,
  end: index + word.length,
}))

const anyHit = fc
  .record({
    documentId: fc.constantFrom('a', 'b', 'c'),
    first: fc.nat(39),
    count: fc.integer({ min: 1, max: 15 }),
  })
  .map(({ documentId, first, count }) =>
    hit(WORDS[first]!.start, WORDS[Math.min(first + count, WORDS.length) - 1]!.end, { documentId }),
  )

test('whatever is found, the budget holds, every hit is packed or reported, and every passage is a slice of its document', () => {
  fc.assert(
    fc.property(fc.array(anyHit, { maxLength: 12 }), fc.nat(60), (hits, maxTokens) => {
      const { passages, omitted } = pack(hits, maxTokens)
      expect(wordCounter.count(renderContext(passages, render))).toBeLessThanOrEqual(maxTokens)
      expect(passages.flatMap(passage => passage.parts).length + omitted.length).toBe(hits.length)
      for (const { charStart, charEnd, text } of passages) {
        expect(text.replace(/\s/g, ' ')).toBe(DOCUMENT.slice(charStart, charEnd))
      }
      expect(passages.map(passage => passage.id)).toEqual(passages.map((_, at) => at + 1))
    }),
  )
})
