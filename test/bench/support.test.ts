import { describe, expect, test } from 'vitest'
import { readSource, unitsQuoted } from '../../bench/cite-check/document.ts'
import { supportOf, type Verdict } from '../../bench/cite-check/support.ts'

const HOUSE = readSource(
  'en-house',
  `---
language: en
format: md
title: House rules
---
# House rules
Guests must leave the sauna at 10 p.m. because the neighbours sleep early.
The pool is not heated in winter. The boiler holds 80 litres.
Anna Berg keeps the keys in room 12.
| Room | Beds | Price (EUR) |
| --- | --- | --- |
| Attic | 2 | 45 |
| Garden | 4 | 70 |
`,
)

const SHOP = readSource(
  'zh-shop',
  `---
language: zh
format: md
title: 店规
---
# 店规
会员卡有效期三年，丢失后补办收费 20 元。本店不接受退货。
仓库由周建国负责，前台由李美华负责。
`,
)

describe('one sentence', () => {
  test('its own words are support', () => english('The boiler holds 80 litres.', 'full'))
  test('other words in another order are', () =>
    english('80 litres is what the boiler holds.', 'full'))
  test('another number is none', () => english('The boiler holds 90 litres.', 'partial', 'none'))
  test('another unit is none', () => english('The boiler holds 80 kilograms.', 'partial', 'none'))
  test('a unit is the same however it is written', () => english('The boiler holds 80 l.', 'full'))
  test('a negation that the source has not', () =>
    english('The boiler does not hold 80 litres.', 'none'))
  test('a negation that only the source has', () =>
    english('The pool is heated in winter.', 'none'))
  test('the same negation', () => english("The pool isn't heated in winter.", 'full'))
  test('what one must is not what one may', () =>
    english('Guests may leave the sauna at 10 p.m.', 'none'))
  test('another name', () =>
    english('The keys are kept by Carl Dahl in room 12.', 'partial', 'none'))
  test('what another sentence says is no support', () =>
    expect(
      supportOf(
        'The boiler holds 80 litres.',
        unitsQuoted(HOUSE, 'Anna Berg keeps the keys'),
        HOUSE,
      ).verdict,
    ).toBe('none'))
})

describe('one row of a table', () => {
  test('a cell with the name of its row', () => english('The attic costs 45 euros.', 'full'))
  test('a cell of another row', () => english('The attic costs 70 euros.', 'partial', 'none'))
  test('a cell of another column', () => english('The garden has 70 beds.', 'none'))
})

describe('Chinese', () => {
  test('its own words', () => chinese('会员卡有效期三年。', 'full'))
  test('numbers in words and digits are the same', () => chinese('会员卡的有效期是 3 年。', 'full'))
  test('another number', () => chinese('会员卡丢失后补办收费 30 元。', 'partial', 'none'))
  test('a negation left out', () => chinese('本店接受退货。', 'none'))
  test('a name in the place of another', () =>
    chinese('前台由周建国负责。', 'partial', 'none', 'full'))
})

describe('another language', () => {
  test('numbers and names are compared', () => chinese('A lost card costs 20 yuan.', 'full'))
  test('another number is no support', () => chinese('A lost card costs 30 yuan.', 'none'))
  test('without numbers and names nothing is known', () =>
    chinese('Goods cannot be taken back.', 'unknown'))
})

/** The best verdict that any sentence of the document gives is one of these. */
function english(sentence: string, ...verdicts: Verdict[]) {
  expect(verdicts).toContain(supportOf(sentence, HOUSE.units, HOUSE).verdict)
}

function chinese(sentence: string, ...verdicts: Verdict[]) {
  expect(verdicts).toContain(supportOf(sentence, SHOP.units, SHOP).verdict)
}
