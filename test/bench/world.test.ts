import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compareTexts } from '../../bench/world/compare-texts.ts'
import { summarise, writeComparison, writeReport } from '../../bench/world/report.ts'
import { FILE_RESULT, type FileResult } from '../../bench/world/result.ts'
import { zip } from '../fixtures/zip.ts'

const OTHER = z.object({ reader: z.string(), text: z.string() })

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
  expect(compareTexts('the tide, the boat', 'The tide the the')).toMatchObject({
    words: 4,
    otherWords: 4,
    found: 0.75,
  })
})

test('Chinese is compared by its characters', () => {
  expect(compareTexts('潮水表', '潮水')).toMatchObject({ words: 3, otherWords: 2, found: 1 })
})

test('targets of links are not compared', () => {
  expect(compareTexts('The tide', 'The tide <https://a.example/b?c=d>').otherWords).toBe(2)
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

const OTHER_READERS = 'bench/world/other-readers.py'

function readByAnother(name: string, content: string | Uint8Array): unknown {
  const folder = mkdtempSync(path.join(tmpdir(), 'passim-world-'))
  const file = path.join(folder, name)
  writeFileSync(file, content)
  const read = execFileSync('python3', [OTHER_READERS, file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return JSON.parse(read)
}

const hasPython = spawnSync('python3', ['--version']).status === 0

test.skipIf(!hasPython)(
  'a folder is read beside an independent reader and beside expected texts (needs Python)',
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'passim-world-'))
    const results = path.join(folder, '.results.jsonl')
    writeFileSync(path.join(folder, 'a.txt'), 'The tide rises at six.')
    writeFileSync(path.join(folder, 'b.txt'), 'The boat leaves.')
    writeFileSync(path.join(folder, 'b.txt.expected.txt'), 'The boat leaves at noon.')
    const args = ['--import', 'tsx', 'bench/world.ts', folder, '--results', results]
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toContain('| .txt | 2 | 2 |')
    const read = readFileSync(results, 'utf8').trim().split('\n')
    expect(read.map(line => FILE_RESULT.parse(JSON.parse(line)))).toMatchObject([
      { file: 'a.txt', outcome: 'completed', reader: 'utf-8', found: 1 },
      { file: 'b.txt', outcome: 'completed', reader: 'expected', found: 0.6 },
    ])
    rmSync(folder, { recursive: true })
  },
)

describe.skipIf(!hasPython)('the other reader (needs Python)', () => {
  test('reads all parts of a text, and one of two alternatives', () => {
    const paragraph = (content: string) => `<w:p><w:r>${content}</w:r></w:p>`
    const alternatives = paragraph(
      `<mc:AlternateContent><mc:Choice>${paragraph('<w:t>Box</w:t>')}</mc:Choice><mc:Fallback>${paragraph('<w:t>Box</w:t>')}</mc:Fallback></mc:AlternateContent>`,
    )
    const part = (content: string) => `<w:x xmlns:w="w" xmlns:mc="mc">${content}</w:x>`
    const file = zip({
      'word/document.xml': part(`${alternatives}${paragraph('<w:delText>Old</w:delText>')}`),
      'word/comments.xml': part(paragraph('<w:t>Why?</w:t>')),
      'word/styles.xml': part(paragraph('<w:t>Style</w:t>')),
    })
    const { reader, text } = OTHER.parse(readByAnother('a.docx', file))
    expect([reader, ...text.split(/\s+/).filter(Boolean)]).toEqual(['zip', 'Why?', 'Box'])
  })
  test('takes a file of mail fields for a mail, and none for a mailbox', () => {
    const mail = 'Subject: Tide\nFrom: a@b.example\nContent-Type: text/plain\n\nAt six.\n'
    expect(readByAnother('a.txt', mail)).toMatchObject({ reader: 'email' })
    expect(readByAnother('a.eml', `From a@b.example Mon Nov 30 2026\n${mail}`)).toEqual({})
  })
})
