import { mkdtempSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { figuresOf } from '../../bench/cite-check/figures.ts'
import { type MarkedAnswer, markAnswer } from '../../bench/cite-check/marking.ts'
import { halfOf, readQuestionSet } from '../../bench/cite-check/question-set.ts'
import { passimLibrary } from '../../bench/peers/passim-library.ts'
import { isRemark } from '../../bench/peers/peer.ts'

/**
 * A small part of `npm run proof`, of the development half: what a change costs in answers and refusals shows in the run that brings it.
 * The floors are a little under what is reached; raise them with what is gained, and say so where one has to be lowered.
 */
const FOLDER = new URL('../../bench/data/cite-check/', import.meta.url)
const DOCUMENTS = ['en-museum-visit', 'en-release-notes', 'zh-tea-prices', 'zh-checkup-notice']
const EVERY = 3
const RIGHT = 0.75
const REFUSED = 0.45
const CITATION_RECALL = 0.95
const SIGNAL = new AbortController().signal

const set = readQuestionSet(FOLDER)
const peer = passimLibrary({
  home: mkdtempSync(path.join(process.env.TMPDIR ?? '/tmp', 'passim-proof-')),
})
const answers: MarkedAnswer[] = []

beforeAll(async () => {
  const files = DOCUMENTS.map(id =>
    fileURLToPath(new URL(`files/${id}.${set.documents.get(id)!.format}`, FOLDER)),
  )
  await peer.prepare(files, SIGNAL)
  const questions = DOCUMENTS.flatMap(id => set.questions.filter(({ document }) => document === id))
  for (const question of questions.filter((_, index) => Math.floor(index / 2) % EVERY === 0))
    answers.push(markAnswer(question, await claimsOf(question.question), set.documents))
})
afterAll(async () => await peer.close())

test('nothing of the held-out half is looked at', () =>
  expect(DOCUMENTS.map(id => halfOf(id, [...set.documents.keys()]))).toEqual(
    DOCUMENTS.map(() => 'development'),
  ))

test('every citation stands where it says it does', () => {
  const citations = answers.flatMap(({ sentences }) =>
    sentences.flatMap(sentence => sentence.citations),
  )
  expect(citations.length).toBeGreaterThan(10)
  expect(citations.filter(({ exists }) => !exists)).toEqual([])
})

test('answers and refusals are as good as they were', () => {
  const { right, refused, citationRecall } = figuresOf(answers)
  expect(right.value).toBeGreaterThanOrEqual(RIGHT)
  expect(refused.value).toBeGreaterThanOrEqual(REFUSED)
  expect(citationRecall.value).toBeGreaterThanOrEqual(CITATION_RECALL)
})

async function claimsOf(question: string) {
  const answer = await peer.answer(question, SIGNAL)
  return { ...answer, sentences: answer.sentences.filter(sentence => !isRemark(sentence)) }
}
