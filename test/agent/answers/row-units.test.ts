import { expect, test } from 'vitest'
import type { InlineDocument } from '../../fakes/memory-searcher.ts'
import { answerFrom, rowsFor } from '../../fakes/quoted-answer.ts'

function check(table: InlineDocument, expected: Readonly<Record<string, string>>): void {
  test.each(Object.entries(expected))('%s', async (question, rows) => expect(await rowsFor(question, table)).toBe(rows))
}

const FIRMS: InlineDocument = {
  name: 'firms.csv',
  text: 'Firm | Revenue (millions) | Stock | Staff\nF-a | 3 | 900 g | 1.2 million\nF-b | 8 | 2 kg | 3 million\nF-c | 12 | 700 g | 2 million',
}
check(FIRMS, {
  'Which firms have a revenue over 5 million?': 'F-b F-c',
  'Which firms have a revenue over 5?': 'F-b F-c',
  'Which firms have a revenue between 5 and 10 million?': 'F-b',
  'Which firms have a stock over 1 kg?': 'F-b',
  'Which firms have a stock under 0.8 kg?': 'F-c',
  'Which firms have a staff over 1,500,000?': 'F-b F-c',
})

const ROPES: InlineDocument = {
  name: 'ropes.md',
  text: '# Ropes\n\nRope | Length | Weight (g) | Dries in\nR-a | 90 cm | 400 | 45 minutes\nR-b | 1.5 m | 2,300 | 2 hours\nR-c | 2 m | 900 | 1 hour',
}
check(ROPES, {
  'Which ropes are lighter than 1 kg?': 'R-a R-c',
  'Which ropes are longer than half a metre?': 'R-a R-b R-c',
  'Which ropes have a length of more than 1 m?': 'R-b R-c',
  'Which ropes dry in less than an hour?': 'R-a',
  'Which ropes have a length under 3 kg?': '',
})

const 工段: InlineDocument = {
  name: '工段.md',
  text: '# 工段\n\n工段 | 时长（分钟） | 产量（万件）\n甲段 | 30 | 4\n乙段 | 90 | 12\n丙段 | 150 | 0.8',
}
check(工段, {
  '哪些工段的时长超过1小时？': '乙段 丙段',
  '时长不到半小时的工段有哪些？': '',
  '时长不超过半小时的工段有哪些？': '甲段',
  '产量超过三万件的工段有哪些？': '甲段 乙段',
  '产量低于10000件的工段有哪些？': '丙段',
})

const SHIPS: InlineDocument = {
  name: 'ships.md',
  text: '# Freight\n\nAmounts in thousands of USD.\n\nShip | 2022 | 2023\nAda | 41,200 | 38,100\nBea | 12,480 | 15,770\nCleo | 8,905 | 9,120',
}
check(SHIPS, {
  'Which ships had freight of more than 10 million dollars in 2023?': 'Ada Bea',
  'Which ships had freight below USD 10 million in 2022?': 'Cleo',
})
const 部门: InlineDocument = {
  name: '部门.md',
  text: '# 部门收入\n\n单位：百万元\n\n部门 | 2022年 | 2023年\n家具 | 3,380 | 3,015\n灯具 | 515 | 498',
}
check(部门, { '2023年收入低于5亿元的部门有哪些？': '灯具', '2023年收入超过20亿元的部门有哪些？': '家具' })

test('the line that names the unit of a table is quoted behind its numbers, once', async () => {
  const { answer, citations } = await answerFrom('What was the freight of Ada in 2023?', SHIPS)
  expect(answer).toContain('Ship: Ada; 2022: 41,200; 2023: 38,100 [1]\nAmounts in thousands of USD. [2]')
  expect(citations.map(({ text }) => text)).toEqual(['Ada | 41,200 | 38,100', 'Amounts in thousands of USD.'])
  expect((await answerFrom('2023年灯具的收入是多少？', 部门)).answer).toMatch(/灯具.*\n单位：百万元 \[2\]/)
})
test('no line is quoted where header or cells name the unit', async () => {
  const text = '# Mass\n\nAmounts in grams.\n\nRope | Weight (kg)\nR-a | 4\nR-b | 2'
  expect((await answerFrom('What is the weight of R-b?', { name: 'mass.md', text })).answer).not.toContain('grams')
})

test('a milliwatt is no megawatt', async () => {
  const text = '# Sensors\n\nSensor | Power (mW)\nS1 | 900\nS2 | 4500\nS3 | 2100'
  const { answer } = await answerFrom('Which sensors need more than 2 W?', { name: 'sensors.md', text })
  expect(answer).toContain('S2')
  expect(answer).toContain('S3')
  expect(answer).not.toContain('S1')
})
