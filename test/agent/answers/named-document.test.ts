import { expect, test } from 'vitest'
import { type AskRequest, collectAnswer } from '../../../src/agent/answer.ts'
import { ExtractiveAnswerer } from '../../../src/agent/answers/extractive.ts'
import { withinNamed } from '../../../src/agent/answers/named-document.ts'
import { MemorySearcher } from '../../fakes/memory-searcher.ts'

const memory = new MemorySearcher([
  { name: '门卫手册.md', text: '# 门卫工作制度\n\n## 值班\n\n夜间每两小时巡查一次。\n\n## 钥匙\n\n钥匙由班长保管。' },
  { name: 'boat-lease.md', text: '# Boat Lease\n\nThe rent of the boat is 300 euros.\n\nThe boat is returned clean.' },
  { name: 'hamburg.md', text: '# Hamburg\n\nThe rent of the hall is 90 euros.' },
])

/** What is asked of which document. */
const check = (question: string, asked: string, name?: string) => {
  const request: AskRequest = { question, collectionIds: ['default'], documents: () => memory.documents }
  const within = withinNamed(request)
  const id = memory.documents.find(document => document.name === name)?.id
  expect([within.question, within.documentIds]).toEqual([asked, id && [id]])
}

test('a title in its marks, a file and a name that something is written in scope a question', () => {
  check('《门卫工作制度》对值班有什么规定？', '对值班有什么规定？', '门卫手册.md')
  check('门卫手册.md 对值班有什么规定？', '对值班有什么规定？', '门卫手册.md')
  check('根据门卫手册，钥匙由谁保管？', '钥匙由谁保管？', '门卫手册.md')
  check('门卫手册中钥匙怎么规定？', '钥匙怎么规定？', '门卫手册.md')
  check('According to the boat lease, what is the rent?', 'what is the rent?', 'boat-lease.md')
  check('What does the boat lease say about the rent?', 'the rent?', 'boat-lease.md')
})
test('a name that is only spoken of does not', () => {
  check('When does the boat lease end?', 'When does the boat lease end?')
  check('What is the rent in Hamburg?', 'What is the rent in Hamburg?')
  check('门卫工作制度什么时候施行？', '门卫工作制度什么时候施行？')
})

test('what a document says of something is answered by what it says, not by how that was asked', async () => {
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  const ask = (question: string) =>
    collectAnswer(answerer.answer({ question, collectionIds: ['default'], documents: () => memory.documents }))
  for (const question of [
    '《门卫工作制度》对值班有什么规定？',
    '门卫手册.md 中关于值班是怎么规定的？',
    '门卫手册对值班有什么要求？',
  ]) {
    expect(await ask(question)).toMatchObject({ abstained: false, answer: expect.stringContaining('每两小时巡查一次') })
  }
  expect(await ask('《门卫工作制度》对停车有什么规定？')).toMatchObject({ abstained: true })
})
