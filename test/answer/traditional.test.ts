import { expect, test } from 'vitest'
import { parseQuestion } from '../../src/answer/question/parse.ts'
import { VectorMeaning } from '../../src/search/meaning.ts'
import { SentenceVectors } from '../../src/search/rerankers/sentence-vectors.ts'
import { findDates, findWeekdays } from '../../src/text/dates.ts'
import { readPolarity } from '../../src/text/polarity.ts'
import { findQuantities } from '../../src/text/quantities.ts'
import { toSimplified } from '../../src/text/simplified.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { answerFrom } from '../fakes/quoted-answer.ts'

const QUESTIONS = [
  ['為什麼漲價？', '为什么涨价？'],
  ['誰負責採購，什麼時候開會？', '谁负责采购，什么时候开会？'],
  ['最貴的是哪一個，重多少公斤？', '最贵的是哪一个，重多少公斤？'],
  ['沒有電梯的樓有幾棟？', '没有电梯的楼有几栋？'],
  ['怎樣清洗濾網？', '怎样清洗滤网？'],
  ['三萬元以下的設備有哪些？', '三万元以下的设备有哪些？'],
] as const

test.each(QUESTIONS)('%s is read as %s is', (traditional, simple) => {
  const { text, ...read } = parseQuestion(traditional, 'zh')
  expect(text).toBe(traditional)
  expect(read).toEqual({ ...parseQuestion(simple, 'zh'), text: undefined })
})

test('what a document says in Traditional is read as in Simplified: numbers, dates and what is denied', () => {
  expect(findQuantities('三萬二千個').map(({ value }) => value)).toEqual([32_000])
  expect(findQuantities('十五個月').map(({ unit }) => unit?.dimension)).toEqual(['time'])
  expect(findDates('九月三號').map(({ month, day }) => [month, day])).toEqual([[9, 3]])
  expect(findWeekdays('週六、禮拜日').map(({ day }) => day)).toEqual([6, 0])
  expect(readPolarity('這裡沒有電梯').negations).toBe(1)
  expect(readPolarity('須經許可').modality).toBe('oblige')
})

test('each character stays in its place', () => {
  for (const text of ['𠀾龍', '臺灣「麵」', 'a龍b', '㑮人'])
    expect(toSimplified(text)).toHaveLength(text.length)
})

test('models read both sides in Simplified', async () => {
  const odds: string[] = []
  const embedder = Object.assign(new HashingEmbedder(), {
    answerOdds: async (question: string, passages: readonly string[]) => {
      odds.push(question, ...passages)
      return passages.map(() => 0)
    },
  })
  const meaning = new VectorMeaning(embedder, new SentenceVectors(embedder, async () => undefined))
  await meaning.measureNearness('機器', [{ documentId: 'doc_1', text: '機器開機' }])
  await meaning.estimateAnswerOdds('機器', ['機器開機'])
  expect(embedder.calls.flatMap(({ texts }) => texts).toSorted()).toEqual(['机器', '机器开机'])
  expect(odds).toEqual(['机器', '机器开机'])
})

test('an answer from a document in Traditional is quoted as it is written', async () => {
  const text = '# 手冊\n\n保固期為三年。\n\n產地是臺灣。\n'
  const { citations } = await answerFrom('保固期是几年？', { name: '手冊.md', text })
  expect(citations[0]?.text).toBe('保固期為三年。')
})
