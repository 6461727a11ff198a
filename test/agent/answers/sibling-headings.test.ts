import { expect, test } from 'vitest'
import type { InlineDocument } from '../../fakes/memory-searcher.ts'
import { toldFrom } from '../../fakes/quoted-answer.ts'

const 销售: InlineDocument = {
  name: '销售.md',
  text: [
    '# 大区销售通报',
    '## 华东地区\n\n华东地区完成销售额四亿元，负责人为周敏。',
    '## 华南地区\n\n华南地区完成销售额三亿元，退货率为百分之二。',
  ].join('\n\n'),
}
const TICKETS: InlineDocument = {
  name: 'tickets.md',
  text: [
    '# Pella Ferry',
    '## Day ticket\n\nIt costs 6 euros. A dog travels free.',
    '## Group ticket\n\nIt costs 40 euros. The group may have ten people.',
  ].join('\n\n'),
}
const LAMP: InlineDocument = {
  name: 'lamp.md',
  text: '# Pella lamp\n\nA red light means that the battery is empty. A blue light means that it is charging.',
}

test('of headings that end alike, the one that the question names answers alone', async () => {
  expect(await toldFrom('华南地区完成了多少销售额？', 销售)).toMatch(/三亿元(?!.*四亿元)/su)
  expect(await toldFrom('What does the group ticket cost?', TICKETS)).toMatch(/40 euros(?!.*6 euros)/su)
})
test('one that the document does not know is answered by none of them', async () => {
  expect(await toldFrom('华北地区完成了多少销售额？', 销售)).toBe(undefined)
  expect(await toldFrom('What does the student ticket cost?', TICKETS)).toBe(undefined)
  expect(await toldFrom('What does a ticket cost?', TICKETS)).toContain('euros')
})
test('what is told of another of them is not told of this one', async () => {
  expect(await toldFrom('华东地区的负责人是谁？', 销售)).toContain('周敏')
  expect(await toldFrom('华南地区的负责人是谁？', 销售)).toBe(undefined)
})
test('a colour is answered by no other colour', async () => {
  expect(await toldFrom('What does a red light mean?', LAMP)).toContain('empty')
  expect(await toldFrom('What does a green light mean?', LAMP)).toBe(undefined)
})
