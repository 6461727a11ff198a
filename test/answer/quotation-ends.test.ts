import { describe, expect, test } from 'vitest'
import type { InlineDocument } from '../fakes/memory-searcher.ts'
import { answerFrom, quotesFor } from '../fakes/quoted-answer.ts'

const GARDEN: InlineDocument = {
  name: 'garden.md',
  text: '# Garden rules\n\nEmergency drills take place twice a year\n\nNotes\n\nHoses belong in the shed\n\nFees\n\nA plot costs 90 euros a year.',
}
const 花园: InlineDocument = {
  name: '花园.md',
  text: '# 花园手册\n\n应急演练每年举行两次\n\n备注\n\n水管应放回工具棚\n\n会费\n\n每个地块的年费为九十欧元。',
}

test('a line without a full stop is quoted without the heading below', async () => {
  expect(await quotesFor('How often do emergency drills take place?', GARDEN)).toEqual([
    'Emergency drills take place twice a year',
  ])
  expect((await quotesFor('应急演练多久举行一次？', 花园))[0]).toBe('应急演练每年举行两次')
})

describe('of two questions in one message', () => {
  const TANK: InlineDocument = { name: 'tank.txt', text: 'Each tank holds 900 litres.' }

  test('the one that only the quotation of the other would answer is named as not found', async () => {
    const question = 'How many litres does a tank hold? What does a tank of oil cost?'
    const { answer, citations } = await answerFrom(question, TANK)
    expect(answer.split('Each tank holds')).toHaveLength(2)
    expect(answer).toContain('No answer was found for “What does a tank of oil cost”.')
    expect(citations).toHaveLength(1)
  })

  test('nothing is quoted twice', async () => {
    const text = 'The lease of the hall costs 90 euros a year and is paid in May.'
    const question = 'What does the lease of the hall cost? When is the lease of the hall paid?'
    const { answer, citations } = await answerFrom(question, { name: 'lease.txt', text })
    expect(answer.split('The lease')).toHaveLength(2)
    expect(answer).not.toContain('No answer was found')
    expect(citations).toHaveLength(1)
  })
})
