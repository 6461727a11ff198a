import { expect, test } from 'vitest'
import type { InlineDocument } from '../../fakes/memory-searcher.ts'
import { rowsFor } from '../../fakes/quoted-answer.ts'

const TENANTS: InlineDocument = {
  name: 'tenants.md',
  text: [
    '# Flats that are let\n\nFlat | Tenant | Rent | Deposit | Phone | Size',
    'A1 | Garnier | €780/month | €1,560 | 040 331 205 | 54 m²\nA2 | Okafor | €1,040/month | €2,080 | 040 331 209 | 77 m²',
  ].join('\n'),
}
const 电器: InlineDocument = {
  name: '电器.md',
  text: '# 小家电\n\n品名 | 型号 | 售价 | 重量 | 保修\n台式净水器 | J-20 | 1,299 | 6.5 kg | 2年\n空气炸锅 | K-5 | 399 | 4.1 kg | 1年',
}
const TRAMS: InlineDocument = {
  name: 'trams.md',
  text: '# Trams\n\nLine | From | To | Leaves | Arrives\n3 | Quay | Mill | 07:10 | 07:42\n5 | Quay | Fair | 08:00 | 08:25',
}

test.each([
  ['How much deposit did Okafor pay?', 'A2', TENANTS],
  ['How much does Garnier pay per month?', 'A1', TENANTS],
  ['What is the telephone number of Garnier?', 'A1', TENANTS],
  ['How big is flat A2?', 'A2', TENANTS],
  ['What does A1 cost a month?', 'A1', TENANTS],
  ['净水器多少钱？', '台式净水器', 电器],
  ['空气炸锅有多重？', '空气炸锅', 电器],
  ['When does the tram from Quay to Fair leave?', '5', TRAMS],
])('what a column tells of a row is answered by that row: %s', async (question, rows, document) => {
  expect(await rowsFor(question, document)).toBe(rows)
})

test.each([
  ['How much deposit did Tanaka pay?', TENANTS],
  ['电饭煲多少钱？', 电器],
  ['When does the tram from Mill to Fair leave?', TRAMS],
])('what no row or no column tells is not: %s', async (question, document) => {
  expect(await rowsFor(question, document)).toBe('')
})

test.each([
  ['Who rents a flat except Garnier?', 'A2', TENANTS],
  ['除了空气炸锅，还有哪些小家电？', '台式净水器', 电器],
])('rows that are left out are not quoted: %s', async (question, rows, document) => {
  expect(await rowsFor(question, document)).toBe(rows)
})
