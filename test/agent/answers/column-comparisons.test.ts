import { expect, test } from 'vitest'
import type { InlineDocument } from '../../fakes/memory-searcher.ts'
import { rowsFor } from '../../fakes/quoted-answer.ts'

const STORE: InlineDocument = {
  name: 'store.csv',
  text: 'Product | In stock | Minimum stock | Price EUR\nRope | 42 | 20 | 18\nPulley | 7 | 15 | 25\nHook | 4 | 4 | 3\nCleat | 0 | 6 | 9',
}
const BAR: InlineDocument = {
  name: 'bar.csv',
  text: 'Drink | On hand | Reorder level | Cost (EUR)\nCider | 36 | 25 | 2\nStout | 12 | 25 | 3\nTonic | 60 | 60 | 1',
}
const ACCOUNTS: InlineDocument = {
  name: 'accounts.md',
  text: '# Accounts\n\nItem | 2021 | 2022 | 2023\nRent | 120 | 126 | 132\nRepairs | 80 | 95 | 60\nTotal | 200 | 221 | 192',
}
const 物料: InlineDocument = {
  name: '物料.md',
  text: '# 物料\n\n物料 | 库存 | 最低库存 | 单价(元)\n轴承 | 320 | 200 | 45\n垫圈 | 85 | 150 | 28\n弹簧 | 60 | 60 | 16',
}
const 预算: InlineDocument = {
  name: '预算.md',
  text: '# 预算\n\n科目 | 2022年 | 2023年 | 2024年\n差旅 | 42 | 58 | 66\n会议 | 25 | 31 | 28\n合计 | 67 | 89 | 94',
}

test.each([
  ['Which products are below their minimum stock?', 'Pulley Cleat', STORE],
  ['Which products have a stock above the minimum stock?', 'Rope', STORE],
  ['Which drinks are under the reorder level?', 'Stout', BAR],
  ['Which items cost more in 2022 than in 2021?', 'Rent Repairs', ACCOUNTS],
  ['Which items were lower in 2023 than in 2022?', 'Repairs', ACCOUNTS],
  ['Which items rose from 2022 to 2023?', 'Rent', ACCOUNTS],
  ['哪些物料库存低于最低库存？', '垫圈', 物料],
  ['哪些物料低于最低库存？', '垫圈', 物料],
  ['哪些物料的库存不低于最低库存？', '轴承 弹簧', 物料],
  ['哪些科目2024年低于2023年？', '会议', 预算],
  ['2024年比2023年增加的科目有哪些？', '差旅', 预算],
])('two columns of a row are compared: %s', async (question, rows, document) => {
  expect(await rowsFor(question, document)).toBe(rows)
})

test('a space between figures and Han characters changes no name', async () => {
  const text = '# 预算\n\n科目 | 2023 年 | 2024 年\n差旅 | 58 | 66\n会议 | 31 | 28'
  expect(await rowsFor('哪些科目2024年低于2023年？', { name: '预算.pdf', text })).toBe('会议')
})

test('columns of different measures are not compared', async () => {
  expect(await rowsFor('Which products have a price below the minimum stock?', STORE)).not.toBe('Pulley Hook')
})

test('what is said of another column before does not turn what is compared', async () => {
  const text =
    '# Regions\n\nRegion | Cost | 2022 | 2023\nNorth | 90 | 100 | 140\nSouth | 40 | 130 | 110\nWest | 70 | 80 | 95'
  const sold = await rowsFor('Which regions with lower cost sold more in 2023 than in 2022?', {
    name: 'regions.md',
    text,
  })
  expect(sold).not.toContain('South')
})
