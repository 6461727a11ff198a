import { expect, test } from 'vitest'
import { isKeywords, isToDecide } from '../../../src/agent/language/decisions.ts'
import { isOfOtherUnit, quantitiesIn } from '../../../src/agent/language/quantities.ts'

const kinds = (text: string) => [isToDecide(text), isKeywords(text)]

test('a statement is put to be decided, as a question for yes or no is', () => {
  for (const text of [
    'Is it open?',
    '可以续借吗？',
    'the sauna is open daily',
    'The drill took 7 hours',
    '有效期是两年',
  ]) {
    expect([text, ...kinds(text)]).toEqual([text, true, false])
  }
})
test('keywords state nothing and ask nothing', () => {
  for (const text of ['warranty period', '保修期', 'rent 2024'])
    expect([text, ...kinds(text)]).toEqual([text, false, true])
})
test('a question and a request are neither', () => {
  for (const text of ['What is the fee?', '租金是多少', 'list all fees', '比较两份合同']) {
    expect([text, ...kinds(text)]).toEqual([text, false, false])
  }
})

test('amounts are compared in one unit, in digits and in Han numbers', () => {
  const amounts = (text: string) => quantitiesIn(text).map(({ dimension, amount }) => `${dimension} ${amount}`)
  expect(amounts('60 minutes, 1 hour or 一小时')).toEqual(['time 3600', 'time 3600', 'time 3600'])
  expect(amounts('2.5kg and 三十天')).toEqual(['mass 2.5', 'time 2592000'])
  expect(amounts('2025年3月15日第三天')).toEqual([])
})
test('a number with another unit is another number, unless it is to be decided', () => {
  expect(isOfOtherUnit('What must be done within 30 minutes?', '须提前三十天通知。')).toBe(true)
  expect(
    isOfOtherUnit('What must be done within 60 minutes?', 'Within 1 hour the key is replaced, within 60 days paid.'),
  ).toBe(false)
  expect(isOfOtherUnit('Did the drill take 7 hours?', 'The drill took 7 minutes.')).toBe(false)
})
