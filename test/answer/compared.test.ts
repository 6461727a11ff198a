import { expect, test } from 'vitest'
import { ExtractiveAnswerer } from '../../src/agent/groundings/extractive.ts'
import type { Meaning } from '../../src/search/meaning.ts'
import type { Query } from '../../src/search/searcher.ts'
import { collectAnswer } from '../fakes/answers.ts'
import { MemorySearcher } from '../fakes/memory-searcher.ts'

const TOPICS = ['boxes', 'gates', 'lamps', 'ropes', 'carts', 'doors', 'tools', 'masks']
const OTHERS = TOPICS.flatMap(topic =>
  ['north', 'south', 'west', 'east', 'upper'].map(
    side => `The ${topic} of the ${side} store are counted every week.`,
  ),
)
const DOCUMENTS = [
  { name: 'boiler.md', text: 'The boiler valve is opened by turning the brass lever.' },
  ...TOPICS.map(topic => ({
    name: `${topic}.md`,
    text: OTHERS.filter(text => text.includes(topic)).join(' '),
  })),
]

/** The answer to a question about the texts, how many of their statements are compared with it, and which are read together with it. */
async function ask(question: string, strictness?: number) {
  const compared = new Set<string>()
  const read: string[] = []
  const meaning: Meaning = {
    nearness: async (_, sentences) => {
      for (const { text } of sentences) compared.add(text)
      const cosines = sentences.map(({ text }) => (text.includes('boiler') ? 0.9 : 0.8))
      return { cosines, unrelated: { en: 0.8 } }
    },
    answerOdds: async (_, statements) => {
      read.push(...statements)
      return statements.map(text => (text.includes('boiler') ? 2 : -2))
    },
    areSmallTalk: async sentences => sentences.map(() => false),
  }
  const memory = new MemorySearcher(DOCUMENTS)
  const text = DOCUMENTS.map(document => document.text).join(' ')
  const hits = await memory.search({ text, collectionIds: ['default'], limit: 9 })
  const inOrder = hits.toSorted(
    (a, b) => Number(b.name === 'boiler.md') - Number(a.name === 'boiler.md'),
  )
  const searcher = { search: async ({ filter }: Query) => (filter ? [] : inOrder) }
  const answerer = new ExtractiveAnswerer({ searcher, reader: memory, meaning, strictness })
  const documents = async () => memory.documents
  const { answer } = await collectAnswer(
    answerer.answer({ question, collectionIds: ['default'], documents }),
  )
  return { answer, compared: compared.size, read }
}

test('statements that could not answer however near they were are not all compared by vectors', async () => {
  const { answer, compared } = await ask('How is the boiler valve opened?')
  expect(answer).toContain('turning the brass lever')
  expect(compared).toBeLessThan(OTHERS.length)
})

test('a statement is read only if it could answer and still come first, whatever reading it tells', async () => {
  const { read } = await ask('How is the boiler valve opened?', 0)
  expect(read).toEqual([expect.stringContaining('turning the brass lever')])
  const [strict, lax] = [
    await ask('Who counts the north boxes?', 1),
    await ask('Who counts the north boxes?', 0),
  ]
  expect(lax.read).toHaveLength(2)
  expect(strict.read.length).toBeLessThan(2)
})

test('the less sure an answer has to be, the more statements are compared', async () => {
  const [strict, lax] = [
    await ask('Who counts the north boxes?', 1),
    await ask('Who counts the north boxes?', 0),
  ]
  expect(lax.compared).toBeGreaterThan(strict.compared)
})

test('of statements that vectors find alike the one is quoted first that reads like an answer to the question', async () => {
  const texts = [
    'The dory is painted in spring by a guest.',
    'The dory is let in spring to a guest.',
  ]
  const memory = new MemorySearcher(texts.map((text, at) => ({ name: `${at}.md`, text })))
  const askWith = async (said: string) => {
    const meaning: Meaning = {
      nearness: async (_, sentences) => ({
        cosines: sentences.map(() => 0.86),
        unrelated: { en: 0.8 },
      }),
      answerOdds: async (_, statements) => statements.map(text => (text.includes(said) ? 2 : -2)),
      areSmallTalk: async sentences => sentences.map(() => false),
    }
    const answerer = new ExtractiveAnswerer({
      searcher: memory,
      reader: memory,
      meaning,
      strictness: 0,
    })
    const documents = async () => memory.documents
    const question = 'When may somebody hire the dory in spring?'
    return (
      await collectAnswer(answerer.answer({ question, collectionIds: ['default'], documents }))
    ).citations[0]?.text
  }
  expect(await askWith('let')).toBe(texts[1])
  expect(await askWith('painted')).toBe(texts[0])
})
