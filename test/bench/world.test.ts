import { expect, test } from 'vitest'
import { compareTexts } from '../../bench/world/compare-texts.ts'
import { summarise, writeComparison, writeReport } from '../../bench/world/report.ts'
import type { FileResult } from '../../bench/world/result.ts'

const READ: FileResult = {
  file: 'a.pdf',
  format: '.pdf',
  outcome: 'completed',
  warnings: [],
  words: 100,
  cpuSeconds: 0.1,
  peakBytes: 1,
  otherWords: 100,
  found: 1,
  order: 1,
}

test('a word is found as often as both texts hold it', () => {
  expect(compareTexts('the tide, the boat', 'The tide the the')).toMatchObject({ words: 4, otherWords: 4, found: 0.75 })
})

test('Chinese is compared by its characters', () => {
  expect(compareTexts('潮水表', '潮水')).toMatchObject({ words: 3, otherWords: 2, found: 1 })
})

test('order is the longest common subsequence of the words', () => {
  expect(compareTexts('one two three four', 'three four one two').order).toBe(0.5)
})

test('a row counts failures by code, growth, silent loss and emptiness', () => {
  const files = [
    READ,
    { ...READ, words: 900 },
    { ...READ, found: 0.5 },
    { ...READ, found: 0.5, warnings: ['parts_skipped'] },
    { ...READ, outcome: 'no_text', words: 0, found: 0 },
  ]
  const [row] = summarise(files)
  expect(row).toMatchObject({ files: 5, completed: 4, failed: 'no_text 1', compared: 4 })
  expect(row).toMatchObject({ grown: 1, silentLoss: 1, emptyBesideText: 1 })
})

test('the report names the files that should be looked at', () => {
  const report = writeReport([READ, { ...READ, file: 'grown.pdf', words: 900 }])
  expect(report).toContain('grown.pdf: 900 of 100 words')
  expect(report).not.toContain('a.pdf: ')
})

test('two runs are compared by the files whose outcome or words differ', () => {
  const other = { ...READ, file: 'b.pdf' }
  const text = writeComparison([READ, other], [READ, { ...other, outcome: 'corrupt', found: 0 }])
  expect(text).toBe(
    '1 of 2 files read by both runs differ\n- b.pdf: completed, 100 words, 1.000 found -> corrupt, 100 words, 0.000 found',
  )
})
