import { expect, test } from 'vitest'
import { collectAnswer } from '../../../src/agent/answer.ts'
import { ExtractiveAnswerer } from '../../../src/agent/answers/extractive.ts'
import { MemorySearcher } from '../../fakes/memory-searcher.ts'

const memory = new MemorySearcher([
  {
    name: 'mooring.md',
    text: '# Mooring\n\nThis contract is made between Larkspur Boats Ltd and Pella Marina AB.\n\nThe mooring fee is 40 euros.\n\nPresent at the inspection: Anna Berg and Tom Okafor.\n\nThe harbour master is Nils Aune.',
  },
  { name: 'library.md', text: '# Opening hours of the library\n\nFriday: 7:30 to 14:30' },
  {
    name: '码头.md',
    text: '# 码头\n\n码头经理负责处理投诉。\n\n码头开放时间为每天六点至二十二点。\n\n值班主管由周立新担任。',
  },
])

async function ask(question: string) {
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  return collectAnswer(answerer.answer({ question, collectionIds: ['default'], documents: () => memory.documents }))
}
const refuses = async (question: string) =>
  expect([question, (await ask(question)).abstained]).toEqual([question, true])
const tells = async (question: string, words: string) =>
  expect(await ask(question)).toMatchObject({ abstained: false, answer: expect.stringContaining(words) })

test('a line that names the thing and not what is asked of it is no answer', async () => {
  await refuses('Who is the CEO of Pella Marina?')
  await refuses('Who owns Pella Marina?')
  await refuses('Where is the headquarters of Pella Marina?')
  await refuses('What is the bank account of Larkspur Boats?')
  await refuses('When was Pella Marina founded?')
  await refuses('码头的占地面积是多少？')
})
test('what is asked of a thing is told by the sentence that has it', async () => {
  await tells('What is the fee of the mooring?', '40 euros')
  await tells('Who is the master of the harbour?', 'Nils Aune')
  await tells('码头的开放时间是什么？', '六点至二十二点')
})
test('who did something may be told by naming somebody in other words', () =>
  tells('Who attended the inspection?', 'Anna Berg and Tom Okafor'))
test('who somebody is is answered by a name, and where something is by a place', async () => {
  await refuses('谁是码头经理？')
  await tells('谁是值班主管？', '周立新')
  await refuses('码头在哪里？')
})

test('a statement is answered with the sentence that decides it, and its year may be wrong', async () => {
  await tells('The mooring fee is 50 euros', '40 euros')
  await tells('码头开放时间是每天八点至十点', '六点至二十二点')
})
test('hours tell when something closes without the word', () =>
  tells('When does the library close on Friday?', '14:30'))
test('keywords find what a heading says', () => tells('mooring fee', '40 euros'))
