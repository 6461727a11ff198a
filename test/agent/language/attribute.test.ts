import { expect, test } from 'vitest'
import { answerKindOf } from '../../../src/agent/language/answer-kind.ts'
import { attributeOf } from '../../../src/agent/language/attribute.ts'
import { tellsByForm } from '../../../src/agent/language/measured.ts'
import { reportedTopic } from '../../../src/agent/language/report-frame.ts'

const check = (question: string, expected: string | undefined) =>
  expect([question, attributeOf(question)?.text]).toEqual([question, expected])

test('what a question asks of a thing is told by its form', () => {
  check('Who is the CEO of Larkspur Boats?', 'CEO')
  check("What is Marta's shoe size?", 'shoe size')
  check('Who is the harbour master?', 'harbour master')
  check('Who owns the marina?', 'owns')
  check('When was the marina founded?', 'founded')
  check('How many employees does the marina have?', 'employees')
  check('码头的占地面积是多少？', '占地面积')
  check('谁是码头的经理？', '经理')
  check('码头的泊位每小时收费多少？', '收费')
  check('泊位费每年上涨多少？', '上涨')
  check('每月最多可以停泊几天？', undefined)
  check('员工每年享受几天带薪年假？', undefined)
  check('Which bank keeps the deposit?', 'bank')
  check('What bank holidays does the marina have?', 'bank holidays')
  check('押金存在哪家银行？', '银行')
})
test('spaces and marks tell nothing of the form', () => {
  check(`What  is the\n\tfee of${' '.repeat(20_000)}the harbour ? ?!`, 'fee')
  check(`Who is the CEO${'?'.repeat(20_000)}`, 'CEO')
  check(`What is the ${'a '.repeat(5000)}fee of the harbour?`, undefined)
  expect(reportedTopic(`What is said${' '.repeat(20_000)}about the fee?`)).toBe('the fee')
})
test('what kind of word its answer has need not stand there', () => {
  check('What is the minimum amount of fuel on board?', undefined)
  check('Which countries do you deliver to?', undefined)
  check('本次活动的名称是什么？', undefined)
})
test('a price is told by an amount of money, a weight by its unit', () => {
  expect(tellsByForm('price', 'A ticket is 12 euros.')).toBe(true)
  expect(tellsByForm('price', 'A ticket is valid for 12 days.')).toBe(false)
  expect(tellsByForm('重量', '净重 12 公斤')).toBe(true)
})
test('a colour is told by its name, an address by a street with its number', () => {
  expect(tellsByForm('colour', 'Guests wear a green badge.')).toBe(true)
  expect(tellsByForm('colour', 'The locker has a steel door.')).toBe(false)
  expect(tellsByForm('颜色', '外壳为蓝色。')).toBe(true)
  for (const place of ['Pella Marina, 8 Orchard Road, Leeds', 'Hafenstrasse 12, Hamburg', '人民路 18 号'])
    expect([place, tellsByForm('address', place)]).toEqual([place, true])
  expect(tellsByForm('address', 'Pella Marina signs 8 orders.')).toBe(false)
  expect(tellsByForm('email address', 'Pella Marina, 8 Orchard Road, Leeds')).toBe(false)
})
test('a question for a place waits for one that it has not named itself', () => {
  expect(answerKindOf('仓库在哪里？')('仓库设在三号楼北侧。')).toBe(true)
  expect(answerKindOf('停车场在哪里？')('停车场开放时间为每天6:00至23:00。')).toBe(false)
})
test('a count may be none, and a time an occasion', () => {
  expect(answerKindOf('How many guests may I bring?')('No guests are admitted.')).toBe(true)
  expect(answerKindOf('How many guests may I bring?')('Guests register at the desk.')).toBe(false)
  expect(answerKindOf('When may I use the lift?')('The lift is used when goods arrive.')).toBe(true)
})
test('a verb may ask for what has a unit', () => {
  check('How much does the Kestrel 20 weigh?', 'weight')
  check('What does the annual ticket cost?', 'cost')
  check('How long is the warranty of the pump?', 'warranty')
  expect(tellsByForm('cost', 'The ticket is £240 a year.')).toBe(true)
  expect(tellsByForm('discount', 'Students get 20% off.')).toBe(true)
})
test('the steps of something need not be called so', () => check('What are the steps to reset the clock?', undefined))
test('what somebody can do, and why something is so, asks for no word that a text could lack', () => {
  check('码头的客人分别能做什么？', undefined)
  check('码头的起重机为什么停用？', undefined)
  check('What problem does the sluice prevent?', undefined)
  check('What is the new limit of the crane?', undefined)
})
test('a spacing is told by a length', () => {
  expect(tellsByForm('spacing', 'Posts stand on a 40 mm grid.')).toBe(true)
  expect(tellsByForm('间距', '立柱间距为 2 米。')).toBe(true)
  expect(tellsByForm('spacing', 'Posts stand on a grid.')).toBe(false)
})
