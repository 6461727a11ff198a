import { expect, test } from 'vitest'
import type { InlineDocument } from '../../fakes/memory-searcher.ts'
import { answerFrom, rowsFor } from '../../fakes/quoted-answer.ts'

const LAMPS: InlineDocument = {
  name: 'lamps.md',
  text: [
    '# Lamps\n\nLamp | Colour | Weight | Price (EUR) | Lumens | On sale since',
    'Alva | black | 900 g | 49 | 800 | March 2021',
    'Brio | white | 1.2 kg | 129 | 1,100 | May 2019',
    'Coda | black | 650 g | 35 | 450 | 12 April 2023',
    'Dora | white | 2 kg | 35 | 950 | June 2020',
  ].join('\n'),
}
const LAMP_QUESTIONS: Readonly<Record<string, string>> = {
  'Which lamp is the most expensive?': 'Brio',
  'What is the cheapest lamp?': 'Coda Dora',
  'Which white lamp is the cheapest?': 'Dora',
  'What is the heaviest lamp?': 'Dora',
  'Which is the lightest of the lamps?': 'Coda',
  'Which lamp has the most lumens?': 'Brio',
  'Which lamp has the lowest price?': 'Coda Dora',
  'Which lamp has been on sale most recently?': 'Coda',
  'How much is the most expensive lamp?': 'Brio',
}
test.each(Object.entries(LAMP_QUESTIONS))(
  'the row with the most or the least is quoted, all that are alike: %s',
  async (question, rows) => {
    expect(await rowsFor(question, LAMPS)).toBe(rows)
  },
)
test.each(['Which lamp has the longest cable?', 'Which lamp is the loudest?', 'What is the heaviest chair?'])(
  'of a column that is not there no row is chosen: %s',
  async question => {
    expect(['', 'Alva Brio Coda Dora']).toContain(await rowsFor(question, LAMPS))
  },
)
test.each(['Which is the sixth cheapest lamp?', 'What are the 10 most expensive lamps?'])(
  'a place that is not read is not taken for the first: %s',
  async question => {
    expect(['', 'Alva Brio Coda Dora']).toContain(await rowsFor(question, LAMPS))
  },
)
test('whether something is the most is not answered by another', async () => {
  expect(await rowsFor('Is Alva the cheapest lamp?', LAMPS)).not.toBe('Coda Dora')
})

const 课程: InlineDocument = {
  name: '课程.md',
  text: '# 课程\n\n课程 | 开课日期 | 课时 | 费用 | 名额\n陶艺 | 2025年3月4日 | 2小时 | 180元 | 12\n书法 | 2025年2月18日 | 90分钟 | 150元 | 30\n木工 | 2025年4月1日 | 1天 | 900元 | 8',
}
const 问题: Readonly<Record<string, string>> = {
  '哪门课程最贵？': '木工',
  '最便宜的课程是哪个？': '书法',
  '课时最长的课程是哪门？': '木工',
  '课时最短的是哪门课程？': '书法',
  '名额最少的课程是哪个？': '木工',
  '哪门课程开课最早？': '书法',
}
test.each(Object.entries(问题))('in Chinese as well: %s', async (question, rows) => {
  expect(await rowsFor(question, 课程)).toBe(rows)
})

const YEARS: InlineDocument = {
  name: 'power.md',
  text: '# Power\n\nYear | Gas | Wind\n2019 | 158 | 68\n2020 | 141 | 81\n2021 | 149 | 97',
}
test('years are found by the number of their column', async () => {
  expect(await rowsFor('In which year was gas lowest?', YEARS)).toBe('2020')
  expect(await rowsFor('In which years was gas below 150?', YEARS)).toBe('2020 2021')
  expect(await rowsFor('When did wind first exceed 80?', YEARS)).toBe('2020')
})

test('the column of two levels that the most words of the question name is meant', async () => {
  const rows =
    'Lake | Dry year | Dry year | Wet year | Wet year\nLake | Summer | Winter | Summer | Winter\nTarn | 11 | 38 | 9 | 71\nMere | 6 | 45 | 18 | 44'
  const table = { name: 'inflow.html', text: `# Inflow\n\n${rows}` }
  expect(await rowsFor('Which lake has the lowest summer inflow in a dry year?', table)).toBe('Mere')
  expect(await rowsFor('Which lake has the highest winter inflow in a wet year?', table)).toBe('Tarn')
})
test('a table that goes on on the next page is one', async () => {
  const text = '# Stops\n\nStop | Minutes\nAsh | 4\nBay | 9\n\n\fStop | Minutes\nCove | 12\nDell | 3'
  expect(await rowsFor('Which stop has the most minutes?', { name: 'stops.md', text })).toBe('Cove')
})
test('the last of many rows is found', async () => {
  const rows = Array.from({ length: 300 }, (_, at) => `P-${at + 100} | ${(at * 7) % 291}`)
  const text = `# Parts\n\nPart | Stock\n${rows.join('\n')}\nP-990 | 700`
  expect(await rowsFor('Which part has the highest stock?', { name: 'parts.csv', text })).toBe('P-990')
})

const REGIONS: InlineDocument = {
  name: 'regions.md',
  text: [
    '# Sales\n\nRegion | Revenue (EUR million) | Profit (EUR million)',
    'North | 12 | 3\nSouth | 35 | (8)\nWest | 53 | 6\nEast | 41 | 9\nAll regions | 141 | 10\nTotal | 141 | 10',
  ].join('\n'),
}
const 门店: InlineDocument = {
  name: '门店.md',
  text: '# 门店\n\n门店 | 营业额（万元） | 门票\n城东店 | 320 | 20元\n城西店 | 185 | 免费\n城南店 | 410 | 30元\n合计 | 915 | ',
}
test.each([
  ['Which region has the highest revenue?', 'West', REGIONS],
  ['Which region has the second highest revenue?', 'East', REGIONS],
  ['Which are the two regions with the highest revenue?', 'West East', REGIONS],
  ['Which three regions have the highest revenue?', 'South West East', REGIONS],
  ['Which region has the lowest profit?', 'South', REGIONS],
  ['Which regions have a revenue over 40 million?', 'West East', REGIONS],
  ['哪家门店营业额最高？', '城南店', 门店],
  ['营业额最高的两家门店是哪些？', '城东店 城南店', 门店],
  ['哪家门店门票最便宜？', '城西店', 门店],
])(
  'a row that sums up the others is none of them, and the place asked for is told: %s',
  async (question, rows, document) => {
    expect(await rowsFor(question, document)).toBe(rows)
  },
)

const LAKES: InlineDocument = {
  name: 'lakes.md',
  text: '# Lakes\n\nLake | Length (km) | Depth (m)\nAmber | 12 | 140\nBriar | 31 | 22\nCorrie | 7 | 85',
}
const TOWERS: InlineDocument = {
  name: 'towers.md',
  text: '# Towers\n\nTower | Height (m) | Distance (km)\nAsh | 120 | 4\nBell | 98 | 9\nCrown | 176 | 2',
}
const 码头: InlineDocument = {
  name: '码头.md',
  text: '# 码头\n\n码头 | 距离（公里） | 启用日期\n甲码头 | 12 | 2019-05-03\n乙码头 | 4 | 2001-03-07\n丙码头 | 9 | 2022-08-11',
}
const CREW: InlineDocument = {
  name: 'crew.md',
  text: '# Crew\n\nSailor | Age | Joined\nAnn | 31 | 3 May 2012\nBob | 58 | 1 June 2020\nCyd | 44 | 12 March 2016',
}
test.each([
  ['Which lake is the deepest?', 'Amber', LAKES],
  ['Which lake is the longest?', 'Briar', LAKES],
  ['Which tower is the tallest?', 'Crown', TOWERS],
  ['Which sailor is the oldest?', 'Bob', CREW],
  ['哪个码头距离最近？', '乙码头', 码头],
  ['哪个码头最近启用？', '丙码头', 码头],
])('each superlative is said of its own measure: %s', async (question, rows, document) => {
  expect(await rowsFor(question, document)).toBe(rows)
})

const STAFF: InlineDocument = {
  name: 'staff.md',
  text: '# Staff\n\nName | Role | Joined\nAnn | cook | 3 May 2012\nBob | guide | 1 June 2020\nCyd | cook | 12 March 2016',
}
const HOUSES: InlineDocument = {
  name: 'houses.md',
  text: '# Houses\n\nHouse | Built | Last checked\nMill | 1 May 1820 | 3 June 2024\nForge | 2 July 1790 | 9 June 2025',
}
const 票价: InlineDocument = {
  name: '票价.md',
  text: '# 票价\n\n线路 | 票价(元) | 发车 | 到达\n甲线 | 58 | 09:15 | 10:42\n乙线 | 112 | 06:40 | 11:05\n丙线 | 26 | 08:20 | 08:58',
}
test.each([
  ['Who of the staff has been with the company the longest?', 'Ann', STAFF],
  ['Which cook has worked here the longest?', 'Ann', STAFF],
  ['Who is the oldest?', '', STAFF],
  ['Which house is the oldest?', 'Forge', HOUSES],
  ['票价第二高的是哪条线路？', '甲线', 票价],
  ['第二便宜的线路是哪条？', '甲线', 票价],
  ['哪条线路最早发车？', '乙线', 票价],
  ['最早的是哪条线路？', '乙线', 票价],
])('age, service and departure are told by their own dates: %s', async (question, rows, document) => {
  expect(await rowsFor(question, document)).toBe(rows)
})

test('rows that say nothing that can be compared are told of', async () => {
  const text =
    '# Pots\n\nPot | Price (EUR)\nVase | 40\nTile | \nUrn | on request\nJug | 25\nBowl | 12\nCup | 9\nDish | 14'
  const { answer } = await answerFrom('Which pot is the most expensive?', { name: 'pots.md', text })
  expect(answer).toMatch(/Pot: Vase; Price \(EUR\): 40 \[1\]\n1 more row says nothing there that can be compared\.$/)
})
