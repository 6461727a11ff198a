import { expect, test } from 'vitest'
import type { InlineDocument } from '../../fakes/memory-searcher.ts'
import { toldFrom } from '../../fakes/quoted-answer.ts'

const KILNS: InlineDocument = {
  name: 'kilns.csv',
  text: [
    'Kiln | Maker | Chamber (l) | Price EUR | Fuel',
    'Ember 40 | Rosso | 40 | 1,150 | electric\nEmber 90 | Rosso | 90 | 2,480 | electric',
    'Plume | Halle | 120 | 3,900 | gas\nSmall Plume | Halle | 60 | 2,100 | gas\nTotal | | 310 | 9,630 | ',
  ].join('\n'),
}
const OFFICES: InlineDocument = {
  name: 'offices.md',
  text: '# Offices\n\nOffice | Employees | Rent\nBode | 14 | 2,900 €/month\nTarm | 6 | 1,150 €/month',
}
const PEOPLE: InlineDocument = {
  name: 'people.md',
  text: '# People\n\nName | Role | Office\nAda Lund | glazier | Bode\nBo Krog | potter | Tarm\nCai Moe | potter | Bode',
}
const 药品: InlineDocument = {
  name: '药品.md',
  text: '# 药房库存\n\n药品 | 剂型 | 库存 | 单价(元)\n白芷散 | 散剂 | 40 | 26\n桂枝汤 | 汤剂 | 0 | 38\n麻黄汤 | 汤剂 | 15 | 44\n四物汤 | 汤剂 | 62 | 31',
}

test.each([
  ['How many kilns are there?', 'Counted in the table, 4 rows:', KILNS],
  ['How many kilns cost more than 2000 EUR?', 'Counted in the table, 3 rows:', KILNS],
  ['How many gas kilns are there?', 'Counted in the table, 2 rows:', KILNS],
  ['How many makers of kilns are there?', 'Counted in the table, 2 different values of “Maker”:', KILNS],
  ['How many potters work in Bode?', 'Counted in the table, 1 row:', PEOPLE],
  ['有几种药品？', '按表格计数，共 4 行：', 药品],
  ['单价超过30元的药品有几种？', '按表格计数，共 3 行：', 药品],
  ['药品有多少种剂型？', '按表格计数，“剂型”共有 2 种：', 药品],
])('rows of a whole table are counted, sums left out: %s', async (question, counted, table) => {
  expect((await toldFrom(question, table))?.split('\n')[0]).toBe(counted)
})

test.each<[string, ...InlineDocument[]]>([
  ['How many employees does the Bode office have?', OFFICES, PEOPLE],
  ['四物汤有多少库存？', 药品],
  ['How many litres does the chamber of Plume hold?', KILNS],
])('what a column tells is not counted: %s', async (question, ...tables) => {
  expect((await toldFrom(question, ...tables)) ?? '').not.toMatch(/^(?:Counted|按表格计数)/)
})

test.each([
  ['How many chimneys are there?', KILNS],
  ['How many kilns are made of brick?', KILNS],
  ['有几种医生？', 药品],
])('what no table speaks of is not counted: %s', async (question, table) => {
  expect((await toldFrom(question, table)) ?? '').not.toMatch(/^(?:Counted|按表格计数)/)
})

test('a long table is counted whole, quoted in part, and it is said how many rows are left', async () => {
  const rows = Array.from(
    { length: 400 },
    (_, at) => `Part ${at} of the second series | ${at % 3 === 0 ? 'brass' : 'steel'} | ${at}`,
  )
  const table = { name: 'parts.csv', text: `Part | Metal | Weight (g)\n${rows.join('\n')}` }
  const told = await toldFrom('How many parts are of brass?', table)
  expect(told).toMatch(/^Counted in the table, 134 rows:\n/)
  expect(told).toMatch(/\d+ more passages were found/)
})

test('of a table with years, how many there were is told by the cell', async () => {
  const birds = { name: 'birds.md', text: '# Birds\n\nSpecies | 2022 | 2023\nTern | 156 | 121\nGull | 2,940 | 3,115' }
  const told = await toldFrom('How many terns were counted in 2023?', birds)
  expect(told).toContain('121')
  expect(told).not.toContain('row')
})

test('cells that say nothing are no values', async () => {
  const text = '# Parts\n\nPart | Supplier\nHub | Ann\nRim | Bob\nAxle | ann\nBolt | -\nNut | Bob'
  expect(await toldFrom('How many suppliers do the parts have?', { name: 'parts.md', text })).toContain(
    '2 different values',
  )
})
