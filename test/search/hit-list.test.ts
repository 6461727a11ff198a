import { expect, test } from 'vitest'
import { diversify, foldCopies } from '../../src/search/hit-list.ts'
import type { Hit } from '../../src/search/searcher.ts'

const hit = (text: string, at: number) =>
  ({ chunkId: `chunk ${at}`, documentId: `doc ${at}`, source: 's', name: 'n', charStart: 0, charEnd: 9, text }) as Hit // all that folding reads
const check = (texts: readonly string[], expected: readonly string[]) =>
  expect(foldCopies(texts.map(hit)).map(({ text }) => text)).toEqual(expected)

test('the same text with other white space is one hit', () =>
  check(['Fee  due\nnow', ' Fee due now'], ['Fee  due\nnow']))
test('what says something else is another hit', () => {
  const others = ['Dose: 1.5 mg', 'Dose: 15 mg', 'Dose: -15 mg', 'Dose: 1 5 mg', 'Dose: 15 Mg', 'Dose: 1⁵ mg']
  check(others, others)
  check(['1 | 23', '12 | 3'], ['1 | 23', '12 | 3'])
})

test('scores below zero are compared as others are, also where nothing but unlikeness counts', () => {
  const hits = ['red fox', 'red boat', 'red fox'].map((text, at) => ({ ...hit(text, at), score: -1 - at }))
  const chosen = (diversity: number) =>
    diversify(hits, { limit: 2, diversity, termsOf: text => text.split(' ') }).map(({ score }) => score)
  expect([chosen(0), chosen(0.3), chosen(1)]).toEqual([
    [-1, -2],
    [-1, -2],
    [-1, -2],
  ])
})
