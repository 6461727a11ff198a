import { expect, test } from 'vitest'
import { ExtractiveAnswerer } from '../../src/agent/groundings/extractive-answerer.ts'
import { findDocumentsAbout } from '../../src/answer/named-documents.ts'
import { parseQuestion } from '../../src/answer/question/parse.ts'
import { detectLanguage } from '../../src/text/language.ts'
import { type Answer, collectAnswer } from '../fakes/answers.ts'
import { type InlineDocument, MemorySearcher } from '../fakes/memory-searcher.ts'

const GUIDE: InlineDocument = {
  name: 'guide.md',
  text: '# Keeping Bees\n\nThis guide explains how to keep bees in a small garden, and what they need.\n\n## The hive\n\nA hive stands dry.\n\n## Honey\n\nHarvest in July.',
}
const 手册: InlineDocument = {
  name: '手册.md',
  text: '# 养蜂手册\n\n本手册介绍在城市的小花园里养蜂的全部方法，包括选址、蜂箱的制作、日常的照料、疾病的防治，以及采蜜的时间和工具，供初学者参考。\n\n## 蜂箱\n\n蜂箱要干燥。',
}

async function checkAsks(expected: boolean, ...questions: readonly string[]) {
  const { documents } = new MemorySearcher([GUIDE, 手册])
  const answers = await Promise.all(
    questions.map(async text => {
      const question = parseQuestion(text, detectLanguage(text))
      return [
        text,
        question.kind === 'overview' &&
          (await findDocumentsAbout({ question, documents: async () => documents })).length > 0,
      ]
    }),
  )
  expect(answers).toEqual(questions.map(question => [question, expected]))
}

async function answer(question: string, documents: readonly InlineDocument[]): Promise<Answer> {
  const memory = new MemorySearcher(documents)
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  return collectAnswer(
    answerer.answer({
      question,
      collectionIds: ['default'],
      documents: async () => memory.documents,
    }),
  )
}

test('English questions about the whole are told apart', async () =>
  await checkAsks(
    true,
    'What is this about?',
    "What's this document about",
    'Summarize this document.',
    'Summarise',
    'Please summarize the report',
    'What does this paper say?',
    'Give me a short summary.',
    'What are the main points of this document?',
    'Tell me about these files',
    'what is guide.md about?',
    'Summarize "Keeping Bees"',
  ))

test('Chinese questions about the whole are told apart', async () =>
  await checkAsks(
    true,
    '这份文件讲什么',
    '这份文件讲了什么？',
    '总结一下',
    '请总结这篇文章的主要内容。',
    '请你能不能帮我简单概括一下这份报告',
    '这个文档的主要内容是什么？',
    '概括全文',
    '这是什么文件？',
    '手册.md讲什么？',
    '介绍一下这份报告',
    '这些文档是关于什么的？',
  ))

test('questions about something in it are not about the whole', async () =>
  await checkAsks(
    false,
    'What is this policy about refunds?',
    'Summarize the refund rules',
    'What does it say about honey?',
    'What is a hive?',
    '总结一下退款规则',
    '蜂箱要放在哪里？',
    '这份文件的有效期是多久？',
    '本规则适用于谁？',
    'What about the price?',
  ))

test('a wish said over and over is read in no time', async () =>
  await checkAsks(false, `${'请帮我'.repeat(60)}查`))

test('an overview gives title, beginning and headings, each cited', async () => {
  const found = await answer('What is this about?', [GUIDE])
  expect(found.answer).toBe(
    "In the documents' own words:\nKeeping Bees (guide.md)\nThis guide explains how to keep bees in a small garden, and what they need. [1]\nSections: The hive [2]; Honey [3]",
  )
  expect(found.citations.map(citation => citation.text)).toEqual([
    'This guide explains how to keep bees in a small garden, and what they need.',
    'The hive',
    'Honey',
  ])
  expect(found).toMatchObject({ abstained: false, mode: 'extractive' })
  expect(found.citations.every(citation => citation.verified)).toBe(true)
})

test('a Chinese overview is in Chinese', async () => {
  const found = await answer('这份文件讲什么', [手册])
  expect(found.answer).toBe(
    '文档原文：\n养蜂手册 (手册.md)\n本手册介绍在城市的小花园里养蜂的全部方法，包括选址、蜂箱的制作、日常的照料、疾病的防治，以及采蜜的时间和工具，供初学者参考。 [1]\n章节：蜂箱 [2]',
  )
})

test('the beginning is where the prose begins, after a title page and a list of contents', async () => {
  const text =
    '# Report\n\n4 May 2021\n\n# Contents\n\nIntroduction 2\n\n# Introduction\n\nBees were counted in forty gardens over three summers, in town and outside of it.'
  const found = await answer('What is this about?', [{ name: 'report.md', text }])
  expect(found.citations[0]?.text).toMatch(/^Bees were counted/)
})

test('a first sentence that is too long is cut, not left out', async () => {
  const found = await answer('What is this about?', [
    { name: 'long.md', text: `${'buzz '.repeat(200)}.` },
  ])
  expect(found.citations[0]).toMatchObject({
    text: expect.stringMatching(/^(?:buzz ?)+$/),
    verified: true,
  })
  expect(found.answer.length).toBeLessThan(500)
})

test('a document that is named is described alone', async () => {
  const found = await answer('What is guide.md about?', [手册, GUIDE])
  expect(new Set(found.citations.map(citation => citation.doc))).toEqual(new Set(['guide.md']))
})

test('of many documents a few are described, and the number of all is told', async () => {
  const many = Array.from({ length: 9 }, (_, at) => ({ ...GUIDE, name: `guide-${at}.md` }))
  const found = await answer('What is this about?', many)
  expect(new Set(found.citations.map(citation => citation.doc)).size).toBe(5)
  expect(found.answer).toMatch(/There are 9 documents; these are 5 of them\./)
})

test('with no document there is nothing to describe', async () => {
  expect(await answer('What is this about?', [])).toMatchObject({ abstained: true, citations: [] })
})
