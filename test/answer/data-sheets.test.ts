import { expect, test } from 'vitest'
import { answerFromTable } from '../fakes/quoted-answer.ts'

const HEATERS = [
  ['Heater', 'Ember 20', 'Ember 35', 'Ember 50'],
  ['Output', '2.0 kW', '3.5 kW', '5.0 kW'],
  ['Tank', '12 l', '18 l', '18 l'],
  ['Weight', '9.5 kg', '14 kg', '21 kg'],
  ['Thermostat', 'no', 'yes', 'yes'],
]
const 电饭锅 = [
  ['参数', '小满 3', '小满 5', '小满 8'],
  ['容量', '3 升', '5 升', '8 升'],
  ['功率', '450 W', '780 W', '1100 W'],
  ['重量', '2.6 kg', '3.9 kg', '5.2 kg'],
  ['预约', '无', '无', '有'],
]

/** Which things the answer names, and the rows that are cited. */
async function told(question: string) {
  const isChinese = /\p{Script=Han}/u.test(question)
  const { answer, citations } = await (isChinese
    ? answerFromTable(question, 电饭锅, ['电饭锅型号', '保修一年。'])
    : answerFromTable(question, HEATERS, ['Heaters', 'Keep off curtains.']))
  const [, line = ''] = answer.split('\n')
  const rows = citations.flatMap(({ text }) => text.split('\n')).map(row => row.split(' | ')[0])
  return [line, rows]
}

test.each([
  ['Which heater is the heaviest?', 'By the table: Ember 50', 'Weight'],
  ['Which heater is the lightest?', 'By the table: Ember 20', 'Weight'],
  ['Which heaters have a thermostat?', 'By the table: Ember 35, Ember 50', 'Thermostat'],
  ['Which heaters weigh less than 15 kg?', 'By the table: Ember 20, Ember 35', 'Weight'],
  [
    'How many heaters have a thermostat?',
    'Columns, counted in the table: 2 of 3 (Thermostat: yes)',
    'Thermostat',
  ],
  [
    'What is the average weight of the heaters?',
    'Average of Weight: 14.8333 kg, from 3 of 3 columns',
    'Weight',
  ],
  ['可以预约的型号有几个？', '按表格计数，列数：1，共 3（预约：是）', '预约'],
  ['哪个型号最重？', '按表格：小满 8', '重量'],
  ['哪个型号可以预约？', '按表格：小满 8', '预约'],
  ['功率低于800W的有哪些型号？', '按表格：小满 3、小满 5', '功率'],
])('%s of a data sheet is answered by the columns that it gives', async (question, line, row) => {
  expect(await told(question)).toEqual([line, [row]])
})
