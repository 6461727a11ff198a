import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { agreementOf } from '../../bench/cite-check/agreement.ts'
import { markdown, plainText } from '../../bench/cite-check/formats/markup.ts'
import { docx, epub, pptx, xlsx } from '../../bench/cite-check/formats/office.ts'
import { csv, eml } from '../../bench/cite-check/formats/plain.ts'
import { halfOf, KINDS, readQuestionSet } from '../../bench/cite-check/question-set.ts'
import { isChinese } from '../../bench/cite-check/statement.ts'

const FOLDER = new URL('../../bench/data/cite-check/', import.meta.url)
const SET = readQuestionSet(FOLDER) // throws where evidence stands nowhere, or in two places
const IDS = [...SET.documents.keys()]

describe('the questions', () => {
  test('are 640 pairs over 40 documents', () => {
    expect(IDS).toHaveLength(40)
    expect(SET.questions.filter(({ answerable }) => answerable)).toHaveLength(640)
    expect(SET.questions.filter(({ answerable }) => !answerable)).toHaveLength(640)
  })
  test('are of every kind', () => {
    for (const kind of KINDS)
      expect(SET.questions.filter(question => question.kind === kind).length).toBeGreaterThan(40)
  })
  test('are half in Chinese', () => {
    const chinese = SET.questions.filter(({ question }) => isChinese(question)).length
    expect(Math.abs(chinese / SET.questions.length - 0.5)).toBeLessThan(0.02)
  })
  test('none is asked twice', () =>
    expect(new Set(SET.questions.map(({ question }) => question)).size).toBe(SET.questions.length))
})

describe('the claims', () => {
  test('are at least 300 pairs of two different sentences', () => {
    expect(SET.claims.length).toBeGreaterThanOrEqual(300)
    expect(SET.claims.filter(({ stated, changed }) => stated === changed)).toEqual([])
  })
})

describe('the halves', () => {
  test('are of equal size in each language, by document', () => {
    const count = (language: string, half: string) =>
      IDS.filter(id => id.startsWith(language) && halfOf(id, IDS) === half).length
    expect([count('en', 'development'), count('en', 'held-out')]).toEqual([10, 10])
    expect([count('zh', 'development'), count('zh', 'held-out')]).toEqual([10, 10])
  })
})

describe('the files', () => {
  const writers = { txt: plainText, md: markdown, csv, eml, docx, xlsx, pptx, epub } as const

  test('each document has its file', () => {
    for (const { id, format } of SET.documents.values())
      expect(existsSync(new URL(`files/${id}.${format}`, FOLDER)), id).toBe(true)
  })
  test('they are what the sources make today', () => {
    for (const document of SET.documents.values()) {
      const write = Object.entries(writers).find(([format]) => format === document.format)?.[1]
      if (!write) continue
      const stored = readFileSync(new URL(`files/${document.id}.${document.format}`, FOLDER))
      expect(stored.equals(Buffer.from(write(document))), document.id).toBe(true)
    }
  })
})

describe('the checker', () => {
  test('agrees with the labels given by reading', () => {
    const { sentences, supported, kappa } = agreementOf(SET, new URL('labels.jsonl', FOLDER))
    expect(sentences).toBeGreaterThanOrEqual(300)
    expect(supported.value).toBeGreaterThan(0.9)
    expect(kappa).toBeGreaterThan(0.8)
  })
})
