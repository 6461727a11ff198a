import { expect, test } from 'vitest'
import type { Hit } from '../../../src/search/searcher.ts'
import { mergeCopies } from '../../../src/search/stages/fold-copies.ts'

const hit = (text: string, at: number) =>
  ({
    chunkId: `chunk ${at}`,
    documentId: `doc ${at}`,
    source: 's',
    name: 'n',
    charStart: 0,
    charEnd: 9,
    text,
  }) as Hit // all that folding reads
const check = (texts: readonly string[], expected: readonly string[]) =>
  expect(mergeCopies(texts.map(hit)).map(({ text }) => text)).toEqual(expected)

test('the same text with other white space is one hit', () =>
  check(['Fee  due\nnow', ' Fee due now'], ['Fee  due\nnow']))
test('what says something else is another hit', () => {
  const others = [
    'Dose: 1.5 mg',
    'Dose: 15 mg',
    'Dose: -15 mg',
    'Dose: 1 5 mg',
    'Dose: 15 Mg',
    'Dose: 1⁵ mg',
  ]
  check(others, others)
  check(['1 | 23', '12 | 3'], ['1 | 23', '12 | 3'])
})

const CLAUSE =
  'Employees who travel on behalf of the company are paid a daily allowance of 45 EUR for meals, and what their lodging costs up to 120 EUR a night. Receipts are handed in within 30 days of the return. Mileage is paid at 0.30 EUR.'
const CHINESE_CLAUSE =
  '出差人员每人每天的伙食补助标准为一百元，住宿费凭票据在限额内报销，限额由财务部门每年公布一次。报销单应当在返回后三十日内提交，逾期不予受理。乘坐高铁限二等座，乘坐飞机限经济舱，特殊情况须经部门负责人书面批准。外出培训、参加会议的，主办方已经统一安排食宿的，不再发给伙食补助和住宿费；自行驾车的，按照每公里零点八元的标准给予补贴，过路费和停车费凭票据据实报销。本办法自公布之日起执行，由财务部门负责解释。'

test('long passages that differ in the printing alone are one hit', () => {
  const margins = [
    (text: string) => `${text}\n\nPrinted on 2024-01-03 10:15`,
    (text: string) => `${text}\n\nPrinted on 5 May 2024`,
    (text: string) => `Page 3 of 9\n${text}\nLast updated: June 2, 2023`,
    (text: string) => `${text.replaceAll(' ', '  ')}\n第 3 页，共 12 页`,
    (text: string) => `打印日期：2024年3月1日\n${text}`,
    (text: string) => text,
  ]
  for (const clause of [CLAUSE, `"${CLAUSE}"`, CHINESE_CLAUSE]) {
    const folded = mergeCopies(margins.map((margin, at) => hit(margin(clause), at)))
    expect(folded).toHaveLength(1)
    expect(folded[0]?.copies).toHaveLength(margins.length - 1)
  }
  check([`“${CLAUSE}”`, `"${CLAUSE}"`], [`“${CLAUSE}”`])
})
test('long passages that differ in a number, a sign, a name or the date of something else are not', () => {
  const others = [
    CLAUSE,
    CLAUSE.replace('45 EUR', '54 EUR'),
    CLAUSE.replace('0.30', '-0.30'),
    CLAUSE.replace('the company', 'Acme'),
    CLAUSE.replace('Employees', 'No employees'),
    CLAUSE.replace('EUR a night', 'eur a night'),
    `${CLAUSE}\n\n2024-01-03`,
    `${CLAUSE}\n\nValid until 2024-01-03`,
    `${CLAUSE}\n\nValid until 2024-05-06`,
    `${CLAUSE}\n\nPrinted by Ada on 2024-05-06`,
    `${CLAUSE}\n\n42`,
    `${CLAUSE}\n\n43`,
    `Berlin office\n\n${CLAUSE}`,
    CHINESE_CLAUSE,
    CHINESE_CLAUSE.replace('一百元', '二百元'),
    CHINESE_CLAUSE.replace('不予受理', '予以受理'),
    `${CHINESE_CLAUSE}\n2024年3月1日起施行`,
  ]
  check(others, others)
})
test('short passages are the same with the same margin alone', () =>
  check(
    ['Closed.\nPrinted 2024-01-03', 'Closed.\nPrinted 2024-01-04'],
    ['Closed.\nPrinted 2024-01-03', 'Closed.\nPrinted 2024-01-04'],
  ))
