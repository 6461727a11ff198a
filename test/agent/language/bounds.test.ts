import { expect, test } from 'vitest'
import { boundsAsked, boundsTold } from '../../../src/agent/language/bounds.ts'
import { Terms } from '../../../src/agent/language/terms.ts'

test('a limit is told in many words', () => {
  for (const text of [
    'up to 8 boats',
    'no more than 8',
    'It cannot carry loads of more than 8 tons.',
    '不得超过八艘',
    '至多八艘',
  ])
    expect([text, boundsTold(text)]).toEqual([text, ['most']])
  for (const text of ['at least 4 oars', 'not fewer than 4', '不低于四支', '起码四支'])
    expect([text, boundsTold(text)]).toEqual([text, ['least']])
  for (const text of ['The default is red.', 'red unless otherwise stated', '缺省为红色'])
    expect([text, boundsTold(text)]).toEqual([text, ['default']])
  expect(boundsTold('The boat carries more than 8 tons of sand.')).toEqual([])
})

test('what only asks for a default is looked for in no answer', () => {
  expect(boundsAsked('What colour has a sail if none is given?').rest).not.toContain('given')
  expect(boundsAsked('帆不指定时是什么颜色？')).toEqual({ bounds: ['default'], rest: '帆 是什么颜色？' })
  expect(boundsAsked('How many oars are there?').bounds).toEqual([])
})

test('a question for the most finds what is told by another word, which proves no claim', () => {
  const holds = (terms: Terms) =>
    terms.pointsOf('最多').some(({ anyOf }) => anyOf.some(term => terms.of('不得超过八艘').has(term)))
  expect(holds(new Terms({ readsOtherForms: true }))).toBe(true)
  expect(holds(new Terms())).toBe(false)
})
