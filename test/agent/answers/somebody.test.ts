import { expect, test } from 'vitest'
import { collectAnswer } from '../../../src/agent/answer.ts'
import { ExtractiveAnswerer } from '../../../src/agent/answers/extractive.ts'
import { MemorySearcher } from '../../fakes/memory-searcher.ts'

const memory = new MemorySearcher([
  {
    name: 'travel.md',
    text: '# Travel\n\nTravel expenses are approved by the line manager.\n\nThe landlord is Homer.',
  },
  { name: '报销.md', text: '# 制度\n\n报销单由部门经理审批。\n\n公司公章由行政部保管。\n\n总经理负责召集年度会议。' },
])

async function ask(question: string) {
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  return collectAnswer(answerer.answer({ question, collectionIds: ['default'], documents: () => memory.documents }))
}

test.each([
  ['Who is the approver of travel expenses?', 'line manager'],
  ['Who is the person who approves travel expenses?', 'line manager'],
  ['Who is the landlord?', 'Homer'],
  ['报销的审批人是谁？', '部门经理'],
  ['谁是报销单的审批人？', '部门经理'],
  ['保管公章的是谁？', '行政部'],
])('%s is told by who does it: %s', async (question, words) => {
  expect(await ask(question)).toMatchObject({ abstained: false, answer: expect.stringContaining(words) })
})
test('who has a title is not told by what the title does', async () => {
  expect((await ask('谁是总经理？')).abstained).toBe(true)
})
