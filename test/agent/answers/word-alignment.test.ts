import { expect, test } from 'vitest'
import { collectAnswer } from '../../../src/agent/answer.ts'
import { ExtractiveAnswerer } from '../../../src/agent/answers/extractive.ts'
import type { Meaning } from '../../../src/agent/language/meaning.ts'
import { openLexicon } from '../../../src/app/lexicon.ts'
import type { Query } from '../../../src/search/searcher.ts'
import { MemorySearcher } from '../../fakes/memory-searcher.ts'

const LEXICON = openLexicon()

const LIKE: Readonly<Record<string, string>> = { 水泵: 'pump', 噪声: 'noise', 滤芯: 'filter' }

/** Sentences are as near as those of a model; words are near to their translations only. */
const MEANING: Meaning = {
  nearness: async (questions, sentences) =>
    questions.map(question => ({
      cosines: sentences.map(({ text }) => {
        if (LIKE[question]) return LIKE[question] === text ? 0.9 : 0.8
        if (/^\w+$/.test(text)) return 0.8
        return /pump/.test(text) ? 0.88 : 0.8
      }),
      unrelated: { en: 0.8 },
    })),
}

const MANUAL = [
  '# Manual\n\nThe pump is painted green and stands on 4 feet of rubber.',
  'The pump makes a noise of 62 decibels in a quiet room.',
  'Wear gloves when you clean the housing after 10 days of work.',
  'The cable is led along the wall and fixed with 6 clips of steel.',
  'The box is opened with 2 hands and without a knife.',
  'Paper and foil are thrown away within 3 days of the delivery.',
  'Children are kept away from the machine until it is 1 year old.',
].join('\n\n')

async function ask(question: string) {
  const memory = new MemorySearcher([{ name: 'manual.md', text: MANUAL }])
  const hits = await memory.search({ text: 'the of a', collectionIds: ['default'], limit: 8 })
  const searcher = { search: async ({ filter }: Query) => (filter ? hits : []) }
  const answerer = new ExtractiveAnswerer({ searcher, reader: memory, meaning: MEANING, lexicon: LEXICON })
  return await collectAnswer(
    answerer.answer({ question, collectionIds: ['default'], documents: () => memory.documents }),
  )
}

test('of sentences in the other language that are equally near, the one with the words of the question is quoted', async () => {
  const { answer } = await ask('水泵的噪声是多少？')
  expect(answer).toBe('文档原文（英文）：\nThe pump makes a noise of 62 decibels in a quiet room. [1]')
})
test('a sentence that has no word of the question is not quoted across languages', async () => {
  expect(await ask('汽车的油箱有多大？')).toMatchObject({ abstained: true })
})
test('a number of an occasion in Chinese does not keep an English sentence from being quoted', async () => {
  const { answer } = await ask('第二次测水泵的噪声是多少？')
  expect(answer).toContain('The pump makes a noise of 62 decibels in a quiet room. [1]')
})

const OTHER_WORDS: Readonly<Record<string, string>> = { loud: 'noise', pump: 'pump' }

/** One sentence is a little nearer to the question than all others, and one of its words to a word of the question. */
const IN_OTHER_WORDS: Meaning = {
  nearness: async (questions, sentences) =>
    questions.map(question => ({
      cosines: sentences.map(({ text }) => {
        if (/^\w+$/.test(text)) return OTHER_WORDS[question] === text ? 0.95 : 0.8
        return /noise/.test(text) ? 0.853 : 0.8
      }),
      unrelated: { en: 0.8 },
    })),
}

test('a sentence that has other words for those of the question in its language answers it', async () => {
  const ask = async (question: string) => {
    const memory = new MemorySearcher([{ name: 'manual.md', text: MANUAL }])
    const hits = await memory.search({ text: 'the of a', collectionIds: ['default'], limit: 8 })
    const searcher = { search: async ({ filter }: Query) => (filter ? [] : hits) }
    const answerer = new ExtractiveAnswerer({ searcher, reader: memory, meaning: IN_OTHER_WORDS })
    return await collectAnswer(
      answerer.answer({ question, collectionIds: ['default'], documents: () => memory.documents }),
    )
  }
  expect((await ask('How loud is the pump?')).answer).toContain('The pump makes a noise of 62 decibels')
  expect(await ask('How costly is the red pump?')).toMatchObject({ abstained: true })
})
