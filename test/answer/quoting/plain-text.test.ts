import { expect, test } from 'vitest'
import { ExtractiveAnswerer } from '../../../src/agent/groundings/extractive-answerer.ts'
import { toPlainText } from '../../../src/answer/quoting/plain-text.ts'
import { collectAnswer } from '../../fakes/answers.ts'
import { MemorySearcher } from '../../fakes/memory-searcher.ts'

async function quoted(text: string, question: string): Promise<string> {
  const memory = new MemorySearcher([{ name: 'a.txt', text }])
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  const request = { question, collectionIds: ['default'], documents: async () => memory.documents }
  return (await collectAnswer(answerer.answer(request))).answer
}

test('lines of a header stay lines, those of a sentence do not', async () => {
  const header = 'Date: 12 March 2026\nPlace: Room Lisbon, 4th floor\nPresent: Clara Jensen (chair)'
  expect(await quoted(header, 'Which place is Room Lisbon?')).toContain(header)
  expect(await quoted('日期：3月12日\n地点：里斯本会议室', '会议室的地点是哪里？')).toContain(
    '日期：3月12日\n地点：',
  )
  expect(
    await quoted(
      'The harbour fee is due\non Monday: it rises\nin May.',
      'When is the harbour fee due?',
    ),
  ).toContain('is due on Monday: it rises in May.')
})

/** What is quoted of a passage from some words on to its end. */
function quotedFrom(text: string, words: string): string {
  const place = {
    id: 1,
    documentId: 'd',
    source: '/d',
    name: 'd',
    title: '',
    headings: [],
    context: '',
    parts: [],
  }
  const passage = { ...place, charStart: 0, charEnd: text.length, text }
  return toPlainText({ passage, span: { start: text.indexOf(words), end: text.length } })
}

test('lines that were ended on purpose stay lines', () => {
  const rota =
    'The desk is kept by:\nMonday Ann\nTuesday Bo\nA note of whoever comes is kept, and of whoever is shown in.'
  expect(quotedFrom(rota, 'The')).toBe(rota)
  const wrapped = 'Nobody is let in after five. The desk\nis kept by Ann on Mondays and by Bo.'
  expect(quotedFrom(wrapped, 'The desk')).toBe('The desk is kept by Ann on Mondays and by Bo.')
})

test('nested items are set in under theirs, and not without', () => {
  const leave = 'Ask for leave:\n\n  in June two weeks ahead\n\n  in July a month ahead'
  expect(quotedFrom(leave, 'Ask')).toBe(
    'Ask for leave:\n  in June two weeks ahead\n  in July a month ahead',
  )
  expect(quotedFrom(leave, 'in June')).toBe('in June two weeks ahead\nin July a month ahead')
})

test('of a long paragraph the sentence that answers is quoted, of a short one all, in either language', async () => {
  const pump =
    'The pump will be replaced, and Mr Okafor sees to that. He gets three offers by the middle of April, and may spend no more than nine hundred euros. The society takes the old pump apart and carts it away.'
  const party =
    'The party is on the meadow behind the shed. Ms Lindqvist orders the drinks. Families are welcome.'
  const question = 'Who orders the drinks?'
  expect(await quoted(party, question)).toContain(party)
  expect(await quoted(`${pump} ${party}`, question)).toMatch(
    /:\nMs Lindqvist orders the drinks\. \[1\]$/,
  )
  const 水泵 =
    '水泵将予更换，由李刚负责。他应在四月中旬之前取得三份报价，费用不得超过九百元。旧水泵由协会自行拆除并运走。草坪由全体会员轮流修剪。'
  const 聚会 =
    '聚会在工具房后面的草地举行。赵琳负责订购饮料。欢迎会员携带家属参加，每户不超过四人。'
  expect(await quoted(聚会, '谁负责订购饮料？')).toContain(聚会)
  expect(await quoted(水泵 + 聚会, '谁负责订购饮料？')).toMatch(/：\n赵琳负责订购饮料。 \[1\]$/)
})

test('of a table of labels and values the pair that answers is quoted', async () => {
  const table =
    'Chair | Ada Finch | Secretary | Ben Marsh\nSeat | Leith | Founded | 1998\nTelephone | 0131 496 0111 | E-mail | club@heron.example'
  expect(await quoted(table, 'Who is the chair?')).toMatch(/:\nChair: Ada Finch \[1\]$/)
  expect(await quoted(table, 'Who is the secretary?')).toMatch(/:\nSecretary: Ben Marsh \[1\]$/)
})
