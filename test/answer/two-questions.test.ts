import { expect, test } from 'vitest'
import type { InlineDocument } from '../fakes/memory-searcher.ts'
import { answerFrom } from '../fakes/quoted-answer.ts'

const TANK: InlineDocument = { name: 'tank.txt', text: 'Each tank holds 900 litres.' }

test('of two questions, the one that only the quotation of the other would answer is named as not found', async () => {
  const question = 'How many litres does a tank hold? What does a tank of oil cost?'
  const { answer, citations } = await answerFrom(question, TANK)
  expect(answer.split('Each tank holds')).toHaveLength(2)
  expect(answer).toContain('No answer was found for “What does a tank of oil cost”.')
  expect(citations).toHaveLength(1)
})

test('two questions quote nothing twice', async () => {
  const text = 'The lease of the hall costs 90 euros a year and is paid in May.'
  const question = 'What does the lease of the hall cost? When is the lease of the hall paid?'
  const { answer, citations } = await answerFrom(question, { name: 'lease.txt', text })
  expect(answer.split('The lease')).toHaveLength(2)
  expect(answer).not.toContain('No answer was found')
  expect(citations).toHaveLength(1)
})
