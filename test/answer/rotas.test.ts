import { expect, test } from 'vitest'
import { answerFromTable } from '../fakes/quoted-answer.ts'

const ROTA = [
  ['Name', 'Mon', 'Thu', 'Sat'],
  ['Moira', '9-17', 'off', ''],
  ['Callum (Thursday lad)', '', '11-19', '10-16'],
  ['Ines', 'off', '8-16', '10-16'],
]
const 排班 = [
  ['姓名', '星期一', '星期四', '星期六'],
  ['苏芮', '早班', '休息', '—'],
  ['柯明', '休息', '晚班', '早班'],
]
const 销量 = [
  ['门店', 'Jan', 'Feb', 'Mar'],
  ['北店', '31', '28', '44'],
  ['南店', '25', '19', '37'],
]

async function namesFor(question: string, rows: readonly (readonly string[])[], heading: string) {
  const { citations } = await answerFromTable(question, rows, [heading, 'The end.'])
  return citations.flatMap(({ text }) => text.split('\n')).map(row => row.split(' | ')[0])
}

test.each([
  ['Who of the staff is in on Saturday?', ['Callum (Thursday lad)', 'Ines']],
  ['Who is off on Thursday according to the rota?', ['Moira']],
  ['Who is off on Monday?', ['Ines']],
])('%s is answered by the column of that day, by its short name too', async (question, names) => {
  expect(await namesFor(question, ROTA, 'Staff rota week 11')).toEqual(names)
})

test.each([
  ['周六谁上班？', ['柯明']],
  ['周四谁休息？', ['苏芮']],
])('%s is answered by the column of that day', async (question, names) => {
  expect(await namesFor(question, 排班, '排班表')).toEqual(names)
})

test.each(['三月', '3月'])(
  '南店%s is a column of its short name in the other language',
  async month => {
    const { answer } = await answerFromTable(`南店${month}的销量是多少？`, 销量, [
      '各店销量',
      '完。',
    ])
    expect(answer).toContain('门店: 南店; Jan: 25; Feb: 19; Mar: 37')
    expect(answer).not.toContain('北店')
  },
)

test('of week 11 a rota says nothing of week 12', async () => {
  expect(
    await namesFor('Does Ines work on the Thursday of week 11?', ROTA, 'Staff rota week 11'),
  ).toContain('Ines')
  const other = await answerFromTable('Does Ines work on the Thursday of week 12?', ROTA, [
    'Staff rota week 11',
    'End.',
  ])
  expect(other.answer).toBe('The documents do not say.')
})
