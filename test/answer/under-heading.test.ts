import { expect, test } from 'vitest'
import type { InlineDocument } from '../fakes/memory-searcher.ts'
import { quotesFor } from '../fakes/quoted-answer.ts'

const BOATS: InlineDocument = {
  name: 'boats.md',
  text: [
    '# Boat club\n\nThe club is on the lake.\n\n## Open repairs\n\n- Oak planks\n\n- Jetty tar',
    '## Winter storage\n\nHulls lie on their side.\n\n## Moorings\n\nEach has a number.',
  ].join('\n\n'),
}
const LONG: InlineDocument = {
  name: 'long.txt',
  text: `Boat meeting\n\nThe open repairs of the boats are:\n${Array.from({ length: 90 }, (_, at) => `- Plank of row ${at + 101} is loose.`).join('\n')}`,
}
const MEETING: InlineDocument = {
  name: 'meeting.txt',
  text: 'Boat meeting\n\nOpen repairs\n- Ask for oak planks.\n- Tar the jetty by May.\n\nThe next meeting is in June.',
}
const 船会: InlineDocument = {
  name: '船会.txt',
  text: '船会说明\n\n四、报名所需材料\n- 泳衣照片\n- 健康证明\n\n码头有编号。',
}
const GARDEN: InlineDocument = {
  name: 'garden.md',
  text: '# Garden rules\n\nEmergency drills take place twice a year\n\nNotes\n\nHoses belong in the shed\n\nFees\n\nA plot costs 90 euros a year.',
}
const 花园: InlineDocument = {
  name: '花园.md',
  text: '# 花园手册\n\n应急演练每年举行两次\n\n备注\n\n水管应放回工具棚\n\n会费\n\n每个地块的年费为九十欧元。',
}

test('a label is quoted with the list under it', async () => {
  const whole = 'Open repairs\n- Ask for oak planks.\n- Tar the jetty by May.'
  expect(await quotesFor('What are the open repairs?', MEETING)).toContain(whole)
  expect((await quotesFor('报名需要哪些材料？', 船会))[0]).toMatch(
    /四、报名所需材料\n- 泳衣照片\n- 健康证明$/,
  )
})

test('no quotation is a heading alone, or ends with one', async () => {
  for (const question of [
    'open repairs',
    'winter storage',
    'moorings',
    'What are all open repairs and moorings?',
  ])
    for (const quote of await quotesFor(question, BOATS))
      expect(quote).not.toMatch(/(?:^|\n)(?:Boat club|Open repairs|Winter storage|Moorings)$/)
})

test('a long list under a heading is cut between two items', async () => {
  const [quote = ''] = await quotesFor('List all open repairs.', LONG)
  expect(quote).toMatch(
    /^The open repairs of the boats are:\n(?:- Plank of row \d{3} is loose\.(?:\n|$)){20,80}$/,
  )
})

test('a line without a full stop is quoted without the heading below', async () => {
  expect(await quotesFor('How often do emergency drills take place?', GARDEN)).toEqual([
    'Emergency drills take place twice a year',
  ])
  expect((await quotesFor('应急演练多久举行一次？', 花园))[0]).toBe('应急演练每年举行两次')
})
