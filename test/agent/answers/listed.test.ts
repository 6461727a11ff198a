import { expect, test } from 'vitest'
import { collectAnswer } from '../../../src/agent/answer.ts'
import { ExtractiveAnswerer } from '../../../src/agent/answers/extractive.ts'
import { type InlineDocument, MemorySearcher } from '../../fakes/memory-searcher.ts'

const TOOLS: InlineDocument = { name: 'stock.csv', text: 'Tool | Shelf\nPlane | 3\nChisel | 7\nSaw | 2' }
const TALK: InlineDocument = {
  name: 'talk.txt',
  text: 'Minutes of the tool meeting\n\nPresent: Ada Brandt, Ole Vik\nChair: Ada Brandt\n\nEvery tool was counted. Bids close on 3 May. Ole Vik repairs the saw by 12 June 2024.',
}
const 纪要: InlineDocument = {
  name: '纪要.txt',
  text: '工作会议纪要\n\n地点：二楼\n出席人：何云、杜鹃\n\n工具须在4月5日前归还。联系电话：13800001111。',
}

async function list(question: string): Promise<readonly string[]> {
  const memory = new MemorySearcher([TOOLS, TALK, 纪要])
  const hits = await memory.search({ text: 'tool tools the 会议 工具 人 shelf', collectionIds: ['default'], limit: 9 })
  const searcher = { search: async ({ limit }: { readonly limit: number }) => hits.slice(0, limit) }
  const answerer = new ExtractiveAnswerer({ searcher, reader: memory })
  const asked = { question, collectionIds: ['default'], documents: () => memory.documents }
  const { citations } = await collectAnswer(answerer.answer(asked))
  return citations.map(({ text }) => text)
}

test('a list that is a table has its rows, and nothing else', async () => {
  expect(await list('List all tools')).toEqual(['Plane | 3\nChisel | 7\nSaw | 2'])
})
test('a list that is a line has that line alone', async () => {
  expect(await list('列出所有出席人')).toEqual(['出席人：何云、杜鹃'])
})
test('deadlines and numbers of telephones are told by their form, in both languages', async () => {
  const deadlines = await list('List all deadlines')
  expect(deadlines.toSorted()).toEqual(
    ['Bids close on 3 May.', 'Ole Vik repairs the saw by 12 June 2024.', '工具须在4月5日前归还。'].toSorted(),
  )
  expect(await list('列出所有电话')).toEqual(['联系电话：13800001111。'])
})
test('under a heading that is what is listed, every date is one', async () => {
  const text =
    '# Lease\n\n## 7. Deadlines\n\n- Handing over the keys: 31 January.\n\n- Inspection: 27 March.\n\n## 8. Rent\n\nThe rent is 20 euros.'
  const memory = new MemorySearcher([{ name: 'lease.md', text }])
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  const question = 'List all deadlines of the lease'
  const asked = { question, collectionIds: ['default'], documents: () => memory.documents }
  const { citations } = await collectAnswer(answerer.answer(asked))
  expect(citations.map(({ text }) => text).toSorted()).toEqual([
    '- Handing over the keys: 31 January.',
    '- Inspection: 27 March.',
  ])
})
