import { expect, test } from 'vitest'
import { ExtractiveAnswerer } from '../../src/agent/groundings/extractive.ts'
import { openLexicon, openWordRarity } from '../../src/app/lexicon.ts'
import { collectAnswer } from '../fakes/answers.ts'
import { MemorySearcher } from '../fakes/memory-searcher.ts'

const memory = new MemorySearcher([
  {
    name: 'vacuum.md',
    text: '# Robot vacuum\n\nThe side brush should be exchanged every six months.\n\nThe payer signs the receipt.\n\nThe colors of the lamp are red and amber.\n\nThe operating profit was 6.1 million euros.\n\nThe filter may be cleaned with hexene, and the tank with sulfate.\n\nThe vote had two abstentions.',
  },
])
async function ask(question: string) {
  const options = {
    searcher: memory,
    reader: memory,
    lexicon: openLexicon(),
    rarity: openWordRarity(),
  }
  const request = { question, collectionIds: ['default'], documents: async () => memory.documents }
  return collectAnswer(new ExtractiveAnswerer(options).answer(request))
}

test.each([
  [
    'How often should the side brsuh be exchanged?',
    'every six months',
    '“brsuh” was read as “brush”.',
  ],
  ['What was the operating porfit?', '6.1 million', '“porfit” was read as “profit”.'],
  ['What was the operating proffit?', '6.1 million', '“proffit” was read as “profit”.'],
])(
  'a word that there is not is read as the one of the documents that it is a slip away from, and that is said: %s',
  async (question, told, said) => {
    const { answer, abstained } = await ask(question)
    expect([abstained, answer.split('\n')[0]]).toEqual([false, said])
    expect(answer).toContain(told)
  },
)

test('the question stays as it was asked', async () => {
  expect((await ask('What was the operating porfit?')).question).toBe(
    'What was the operating porfit?',
  )
})

test.each([
  'What does the payee sign?',
  'What was the operating profile?',
  'Who is Brsuh?',
  'Who was absent from the vote?',
])('a word that there is, another last letter and a name are no slips: %s', async question => {
  expect((await ask(question)).answer).not.toContain('was read as')
})

test.each(['May the filter be cleaned with hexane?', 'Is the tank cleaned with sulfite?'])(
  'another vowel in the last syllable is another thing: %s',
  async question => {
    expect((await ask(question)).answer).not.toContain('was read as')
  },
)

test('what a question asks for by its only word is no slip', async () => {
  expect((await ask('What is the brsuh?')).answer).not.toContain('was read as')
})

test('a question of many words that there are not is searched as it is', async () => {
  const words = Array.from(
    { length: 30 },
    (_, at) => `zq${String.fromCharCode(97 + (at % 26)).repeat(4)}${'xy'.repeat(at)}`,
  )
  expect(
    (await ask(`How often should the brsuh of ${words.join(' ')} be exchanged?`)).answer,
  ).not.toContain('was read as')
})
