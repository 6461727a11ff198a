import { expect, test } from 'vitest'
import { answerFromTable } from '../fakes/quoted-answer.ts'

const FIGURES = [
  ['EUR million', '2021', '2022', '2023'],
  ['Revenue', '148.3', '221.5', '202.1'],
  ['Debt', '22.0', '18.4', '47.9'],
  ['Staff', '871', '1,205', '1,248'],
]
const 收入 = [
  ['项目', '2021年', '2022年', '2023年'],
  ['营业收入', '120', '95', '143'],
  ['净利润', '12', '15', '9'],
]
const VISITORS = [
  ['Visitors', 'Jan', 'Feb', 'Mar'],
  ['Mill', '310', '120', '290'],
  ['Pier', '90', '240', '130'],
]

test.each([
  [
    'In which year was the revenue highest?',
    FIGURES,
    'By the table: 2022',
    'Revenue | 148.3 | 221.5 | 202.1',
  ],
  ['When was the debt lowest?', FIGURES, 'By the table: 2022', 'Debt | 22.0 | 18.4 | 47.9'],
  [
    'In which years was the revenue above 200?',
    FIGURES,
    'By the table: 2022, 2023',
    'Revenue | 148.3 | 221.5 | 202.1',
  ],
  ['哪一年营业收入最高？', 收入, '按表格：2023年', '营业收入 | 120 | 95 | 143'],
  [
    'When did the Pier have the most visitors?',
    VISITORS,
    'By the table: Feb',
    'Pier | 90 | 240 | 130',
  ],
])('%s is answered by the column that it is', async (question, table, told, row) => {
  const { answer, citations } = await answerFromTable(question, table, ['Figures', '…'])
  expect(answer).toContain(told)
  expect(citations.flatMap(({ text }) => text.split('\n'))).toEqual([row])
})

test('a figure of a year is asked of its row, as before', async () => {
  const { answer, citations } = await answerFromTable(
    'How many staff were there in 2022?',
    FIGURES,
    ['Figures', '…'],
  )
  expect(answer).not.toContain('By the table')
  expect(citations[0]?.text).toBe('Staff | 871 | 1,205 | 1,248')
})
