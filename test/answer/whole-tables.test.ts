import { expect, test } from 'vitest'
import { answerFromTable } from '../fakes/quoted-answer.ts'

const ROWS = [
  ['Boat', 'Seats', 'Deposit (euros)'],
  ['Canoe', '3', '40'],
  ['Kayak', '1', '25'],
  ['Rowing boat', '4', '60'],
]

const ask = (question: string) =>
  answerFromTable(question, ROWS, ['Boats for hire', 'The jetty closes at dusk.'])

test('two rows that are asked for together are both quoted, with their columns named', async () => {
  const { answer, citations } = await ask('What is the deposit for the canoe and the kayak?')
  expect(answer).toContain('Boat: Canoe; Seats: 3; Deposit (euros): 40')
  expect(answer).toContain('Boat: Kayak; Seats: 1; Deposit (euros): 25')
  expect(citations).toHaveLength(1)
})

test('of one thing its row is quoted, not the table', async () => {
  const { answer } = await ask('What is the deposit for the kayak?')
  expect(answer).toContain('Boat: Kayak')
  expect(answer).not.toContain('Rowing boat')
})

test('of the least of something its row is quoted, though no row says that word, and not the table', async () => {
  const { answer } = await ask('Which boat has the lowest deposit?')
  expect(answer).toContain('Boat: Kayak')
  expect(answer).not.toContain('Rowing boat')
})

test('a row is quoted without its empty cells, its columns named by both rows of the header', async () => {
  const rows = [
    ['Boat', 'Deposit', 'Deposit', 'Note'],
    ['Boat', 'Net', 'Gross', 'For hire'],
    ['Canoe', '40', '48', 'no longer'],
    ['Kayak', '25', '30', ''],
    ['Rowing boat', '60', '72', 'by day'],
  ]
  const { answer } = await answerFromTable('Which boat has the lowest gross deposit?', rows, [
    'Boats for hire',
    'Dusk.',
  ])
  expect(answer).toContain('\nBoat: Kayak; Deposit Net: 25; Deposit Gross: 30 [1]')
})

const TASKS = [
  ['Task', 'Who', 'State'],
  ['Paint the jetty', 'Aas', 'open'],
  ['Mend the winch', 'Lund', 'overdue'],
  ['Buy two oars', 'Lund', 'open'],
]

test('of a list the rows whose cells say what is asked for are quoted, or all where only the heading says it', async () => {
  const asked = async (question: string) =>
    (
      await answerFromTable(question, TASKS, [
        'Action items of the boat house',
        'The jetty closes at dusk.',
      ])
    ).answer
  const overdue = await asked('Which action items are overdue?')
  expect(overdue).toContain('Task: Mend the winch')
  expect(overdue).not.toContain('oars')
  const all = await asked('What are the action items of the boat house?')
  for (const [task] of TASKS.slice(1)) expect(all).toContain(task)
})

const READINGS = [
  ['库房', '湿度（%）', '备注'],
  ['3号库', '88', '鲜切花'],
  ['5号库', '91', '苹果'],
  ['8号库', '65', '空库'],
]

test('of another day than its heading tells a table says nothing, of that day the row that is asked for', async () => {
  const asked = async (question: string) =>
    (await answerFromTable(question, READINGS, ['2025年7月8日温湿度记录', '上限另行通知。'])).answer
  expect(await asked('7月8日5号库的湿度是多少？')).toContain('库房: 5号库; 湿度（%）: 91')
  expect(await asked('7月8日5号库的湿度是多少？')).not.toContain('3号库')
  expect(await asked('7月9日5号库的湿度是多少？')).toBe('在文档中没有找到答案。')
})

test('what the first of two lines over a table tells holds for its rows', async () => {
  const asked = async (question: string) =>
    (
      await answerFromTable(question, READINGS, [
        '冷库\n\n日报：2025年7月8日\n\n值班员：樊敏',
        '上限另行通知。',
      ])
    ).answer
  expect(await asked('7月8日5号库的湿度是多少？')).toContain('库房: 5号库; 湿度（%）: 91')
  expect(await asked('7月9日5号库的湿度是多少？')).toBe('在文档中没有找到答案。')
})
