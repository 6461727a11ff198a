import { expect, test } from 'vitest'
import {
  formatListNumber,
  type Numbering,
} from '../../../../../src/ingest/parse/parsers/office/list-numbers.ts'

test.each<[Numbering, readonly number[], string]>([
  ['1', [3, 200], '3 200'],
  ['a', [2.5, Number.NaN], '2.5 NaN'],
  ['a', [1, 26, 27, 53], 'a z aa aaa'],
  ['A', [2], 'B'],
  ['i', [1, 4, 9, 14, 48, 199], 'i iv ix xiv xlviii cxcix'],
  ['I', [6], 'VI'],
  ['①', [1, 20, 21], '① ⑳ 21'],
  ['01', [3, 12, 100], '03 12 100'],
  ['1st', [1, 2, 3, 11, 22, 103], '1st 2nd 3rd 11th 22nd 103rd'],
  ['甲', [1, 10, 11], '甲 癸 11'],
  ['子', [2, 12, 13], '丑 亥 13'],
  ['壹', [1, 10, 12, 30, 105], '壹 壹拾 壹拾贰 叁拾 壹佰零伍'],
  [
    '一',
    [1, 10, 11, 20, 35, 100, 105, 112, 120],
    '一 十 十一 二十 三十五 一百 一百零五 一百一十二 一百二十',
  ],
])('counts by %s', (by, numbers, shown) => {
  expect(numbers.map(number => formatListNumber(number, by)).join(' ')).toBe(shown)
})
