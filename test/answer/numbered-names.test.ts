import { expect, test } from 'vitest'
import { candidatesOf } from '../../src/answer/evidence/candidates.ts'
import { parseQuestion } from '../../src/answer/question/parse.ts'
import { Terms } from '../../src/text/terms.ts'
import { MemorySearcher } from '../fakes/memory-searcher.ts'
import { answerFrom, answerFromTable } from '../fakes/quoted-answer.ts'

const BIKES = [
  ['Model', 'Range', 'Battery'],
  ['Aster 300', '55 km', '400 Wh'],
  ['Aster 400', '80 km', '500 Wh'],
  ['Aster 500', '110 km', '700 Wh'],
]
const ROOMS = [
  ['Room', 'Beds', 'Floor'],
  ['12', '4', '3'],
  ['4', '2', '12'],
  ['3', '6', '4'],
]
const 楼栋 = [
  ['楼号', '层数', '电梯（台）'],
  ['8', '18', '2'],
  ['18', '8', '3'],
  ['2', '11', '8'],
]

async function rowsFor(question: string, table: readonly (readonly string[])[]) {
  const title = table === BIKES ? 'Bikes' : table === ROOMS ? 'Rooms' : '楼栋'
  const { citations } = await answerFromTable(question, table, [title, '…'])
  return citations.flatMap(({ text }) => text.split('\n'))
}

test.each([
  ['What is the range of the Aster 400?', BIKES, 'Aster 400 | 80 km | 500 Wh'],
  ['What is the battery of the Aster 300?', BIKES, 'Aster 300 | 55 km | 400 Wh'],
  ['How many beds does Room 12 have?', ROOMS, '12 | 4 | 3'],
  ['How many beds are in Room 4?', ROOMS, '4 | 2 | 12'],
  ['8号楼有几层？', 楼栋, '8 | 18 | 2'],
  ['18号楼有几部电梯？', 楼栋, '18 | 8 | 3'],
])('%s asks for the row of that number, and not for one that has it elsewhere', async (question, table, row) => {
  expect(await rowsFor(question, table)).toEqual([row])
})

test('of sentences, too, the one about that number answers', async () => {
  const text = '# Halls\n\nHall 7 seats 40 people.\n\nHall 40 seats 7 people.\n\nHall 12 seats 90 people.\n'
  const { citations } = await answerFrom('How many people does Hall 40 seat?', { name: 'halls.md', text })
  expect(citations[0]?.text).toBe('Hall 40 seats 7 people.')
})

test.each([
  ['How far is Ghent 40 km away?', 'en'],
  ['What happened on Monday 5 May?', 'en'],
  ['What did the Report 2024 say?', 'en'],
  ['3月8号有什么活动？', 'zh'],
  ['第8号文件说了什么？', 'zh'],
  ['满200减多少？', 'zh'],
] as const)('the number of %s names nothing: it is an amount, a date or an ordinal', (question, language) => {
  const { terms } = parseQuestion(question, language)
  expect(terms.filter(({ text }) => /[a-z]-\d|\d\p{Script=Han}/u.test(text) && !text.startsWith('第'))).toEqual([])
})

test('a row of numbers and Latin names is in the language of its columns', async () => {
  const text = '# 手机\n\n型号 | 内存 | 价格\nLumo Pro | 256 GB | 4999\nLumo | 128 GB | 3999'
  const memory = new MemorySearcher([{ name: 'phones.md', text }])
  const hits = await memory.search({ text: '内存', collectionIds: ['default'], limit: 8 })
  const rows = candidatesOf(hits, new Terms()).filter(({ statement }) => statement.kind === 'row')
  expect(rows.map(({ language }) => language)).toEqual(['zh', 'zh'])
})
