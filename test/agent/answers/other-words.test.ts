import { expect, test } from 'vitest'
import { collectAnswer } from '../../../src/agent/answer.ts'
import { ExtractiveAnswerer } from '../../../src/agent/answers/extractive.ts'
import type { Meaning } from '../../../src/agent/language/meaning.ts'
import { MemorySearcher } from '../../fakes/memory-searcher.ts'

const CODE = [
  'Staff may bring a dog on Fridays.',
  'A parcel is handed out at the desk.',
  'Visitors leave their coats in the hall.',
  'Keys are returned in the evening.',
  'Bicycles stand behind the building.',
  'Lunch is served from noon.',
  'Post is fetched at four.',
].join('\n\n')

/** So near to the question as is said of the sentence that holds a word; text that has nothing to do with it is at .10. */
function nearBy(cosines: Readonly<Record<string, number>>): Meaning {
  const cosine = (text: string) => Object.entries(cosines).find(([word]) => text.includes(word))?.[1] ?? 0.1
  return {
    nearness: async (questions, sentences) =>
      questions.map(() => ({ cosines: sentences.map(({ text }) => cosine(text)), unrelated: { en: 0.1, zh: 0.1 } })),
  }
}

function ask(cosines: Readonly<Record<string, number>>) {
  const memory = new MemorySearcher([{ name: 'code.md', text: CODE }])
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory, meaning: nearBy(cosines) })
  const question = 'Can I take my pet to the office on Fridays?'
  return collectAnswer(answerer.answer({ question, collectionIds: ['default'], documents: () => memory.documents }))
}

test('a sentence in other words answers when it alone is near by its meaning', async () => {
  const { answer } = await ask({ dog: 0.17 })
  expect(answer).toContain('Staff may bring a dog on Fridays.')
  expect(answer).not.toContain('parcel')
})
test('of several that are as near, none does', async () => {
  expect(
    await ask({ dog: 0.13, parcel: 0.13, coats: 0.13, Keys: 0.13, Bicycles: 0.13, Lunch: 0.13, Post: 0.13 }),
  ).toMatchObject({ abstained: true })
})
