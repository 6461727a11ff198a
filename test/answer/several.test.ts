import { expect, test } from 'vitest'
import type { AskRequest } from '../../src/agent/groundings/extractive-answerer.ts'
import { ExtractiveAnswerer } from '../../src/agent/groundings/extractive-answerer.ts'
import { openLexicon } from '../../src/app/lexicon.ts'
import type { Query } from '../../src/search/searcher.ts'
import { collectAnswer } from '../fakes/answers.ts'
import { type InlineDocument, MemorySearcher } from '../fakes/memory-searcher.ts'

const LEXICON = openLexicon()

const 图书馆: InlineDocument = {
  name: '图书馆.md',
  text: '# 借阅\n\n成人读者每次可借图书十册，借期三十天。儿童读者每次可借六册，借期四十五天。',
}

function setUp(documents: readonly InlineDocument[]) {
  const memory = new MemorySearcher(documents)
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  const ask = (question: string, more: Partial<AskRequest> = {}) =>
    answerer.answer({
      question,
      collectionIds: ['default'],
      documents: async () => memory.documents,
      ...more,
    })
  return { memory, ask }
}

test('a list is made of documents in the other language where those in its own have nothing', async () => {
  const { memory } = setUp([图书馆])
  const hits = await memory.search({
    text: '儿童读者每次可借',
    collectionIds: ['default'],
    limit: 9,
  })
  const searcher = { search: async ({ filter }: Query) => (filter ? hits : []) }
  const answerer = new ExtractiveAnswerer({ searcher, reader: memory, lexicon: LEXICON })
  const request = {
    question: 'List everything that readers may borrow',
    collectionIds: ['default'],
    documents: async () => [],
  }
  expect(await collectAnswer(answerer.answer(request))).toMatchObject({
    abstained: false,
    answer: expect.stringMatching(/^In the documents' own words \(Chinese\):[\s\S]*十册/),
  })
})
