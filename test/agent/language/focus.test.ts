import { expect, test } from 'vitest'
import { focusOf } from '../../../src/agent/language/focus.ts'

const check = (question: string, ...expected: string[]) =>
  expect([question, focusOf(question)]).toEqual([question, expected])

test('what something is asked of is named by the last word of each thing', () => {
  check('What is the warranty period of the camping mug?', 'mug')
  check('How much does the delivery of a compressor cost?', 'delivery', 'compressor')
  check('What does parking at the library cost?', 'parking', 'library')
  check("What is Marta's telephone number?", 'Marta')
  check('How large is the warehouse in Oslo?', 'warehouse', 'Oslo')
  check('How many lockers does the ferry have?', 'ferry')
  check('How many days of leave are granted for a wedding?', 'wedding')
  check('How much is the mug?', 'mug')
})
test('in Chinese by what stands before the attribute', () => {
  check('光伏组件的重量是多少？', '光伏组件')
  check('渡轮的船长是谁？', '渡轮')
})
test('a time, a number and whatever the documents are about are no focus', () => {
  check('How much was spent on catering in 2022?', 'catering')
  check('What was the revenue from helmets in the first half of 2023?', 'helmets')
  check('How many ferries does the company operate?')
  check('What is the weight of the stove in kilograms?', 'stove')
  check('What is the maximum file size in megabytes?')
  check('公司的员工有多少？')
  check('工作满十年的船员有多少天年假？')
})
test('what is said of the thing is none of it', () => {
  check('What is the fee for goods that are returned late?', 'goods')
  check('Which section of the manual holds descriptions of file formats?')
  check('Can employees work from home?')
  check('Who is now in charge of the accounts?')
  check('新来的水手不应该做什么？')
})
test('a question of any length is read', () => {
  check(`What is the fee of ${'a '.repeat(20_000)}ferry?`)
})
