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
