import { expect, test } from 'vitest'
import { candidatesOf } from '../../src/answer/evidence/candidates.ts'
import { parseQuestion } from '../../src/answer/question/parse.ts'
import { isHeld, Terms } from '../../src/text/terms.ts'
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
])(
  '%s asks for the row of that number, and not for one that has it elsewhere',
  async (question, table, row) => {
    expect(await rowsFor(question, table)).toEqual([row])
  },
)

test('of sentences, too, the one about that number answers', async () => {
  const text =
    '# Halls\n\nHall 7 seats 40 people.\n\nHall 40 seats 7 people.\n\nHall 12 seats 90 people.\n'
  const { citations } = await answerFrom('How many people does Hall 40 seat?', {
    name: 'halls.md',
    text,
  })
  expect(citations[0]?.text).toBe('Hall 40 seats 7 people.')
})

const DRILLS = [
  ['Action', 'Building', 'Due'],
  ['Fire drill', 'A', '8 April'],
  ['Fire drill', 'B', '9 April'],
  ['Lamps', 'C', '2 May'],
]

test.each([
  ['When is the fire drill in Building B due?', ['Fire drill | B | 9 April']],
  ['When is the fire drill in building A due?', ['Fire drill | A | 8 April']],
])('%s asks for the row with that letter in its column', async (question, rows) => {
  const { citations } = await answerFromTable(question, DRILLS, ['Drills', '…'])
  expect(citations.flatMap(({ text }) => text.split('\n'))).toEqual(rows)
})

test.each([
  ['en', 'When was the drill in Building C?', 'Buildings A and C had their drill in May.', true],
  ['en', 'When was the drill in Building C?', 'Building A had its drill on 3 March.', false],
  ['en', 'Who works in Room 14?', 'Rooms 12, 13, and 14 are for the editors.', true],
  ['zh', 'C区几点开门？', 'A、C区九点开门。', true],
  ['zh', 'C区几点开门？', 'A区九点开门，C型另放。', false],
] as const)('in %s, %s: what %s names is held: %s', (language, question, text, isHeldThere) => {
  const names = parseQuestion(question, language).terms.filter(
    term => term.isName && /-|^[a-z]/.test(term.text),
  )
  expect(names.length).toBeGreaterThan(0)
  expect(names.every(term => isHeld(term, new Terms().of(text)))).toBe(isHeldThere)
})

test.each([
  ['How far is Ghent 40 km away?', 'en'],
  ['What happened on Monday 5 May?', 'en'],
  ['What did the Report 2024 say?', 'en'],
  ['Is A as good as B?', 'en'],
  ['What should I know about the X?', 'en'],
  ['3月8号有什么活动？', 'zh'],
  ['第8号文件说了什么？', 'zh'],
  ['满200减多少？', 'zh'],
] as const)(
  'the number of %s names nothing: it is an amount, a date or an ordinal',
  (question, language) => {
    const { terms } = parseQuestion(question, language)
    expect(
      terms.filter(
        ({ text }) => /[a-z]-[a-z\d]|\d\p{Script=Han}/u.test(text) && !text.startsWith('第'),
      ),
    ).toEqual([])
  },
)

test('a row of numbers and Latin names is in the language of its columns', async () => {
  const text = '# 手机\n\n型号 | 内存 | 价格\nLumo Pro | 256 GB | 4999\nLumo | 128 GB | 3999'
  const memory = new MemorySearcher([{ name: 'phones.md', text }])
  const hits = await memory.search({ text: '内存', collectionIds: ['default'], limit: 8 })
  const rows = candidatesOf(hits, new Terms()).filter(({ statement }) => statement.kind === 'row')
  expect(rows.map(({ language }) => language)).toEqual(['zh', 'zh'])
})
