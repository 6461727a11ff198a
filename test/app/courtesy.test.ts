import { expect, test } from 'vitest'
import { findCourtesy } from '../../src/app/courtesy.ts'

test.each([
  ['Hello!', /^Hello/],
  ['ok thanks, got it', /welcome/],
  ['Great. Thank you for the answer, goodbye!', /^Goodbye/],
  ['hello, how are you?', /What would you like to know/],
  ['Who are you?', /^I am Passim/],
  ['Hi, what can you do?', /^I am Passim/],
  ['Can you help me?', /^I am Passim/],
  ['你能帮我吗？', /^我是 Passim/],
  ['你是谁？', /^我是 Passim/],
  ['你好，你能做什么呢？', /^我是 Passim/],
  ['早', /^你好/],
  ['辛苦了', /不客气/],
  ['多谢！明白了', /不客气/],
  ['谢谢，再见', /再见/],
  ['好的', /再问/],
])('%s is a courtesy', (message, reply) => expect(findCourtesy(message)).toMatch(reply))

test.each([
  'Hello, how many days of leave are there?',
  'What is a thank you note?',
  'Thanks. And the deadline?',
  'Who are you to contact?',
  'What can you do about damp?',
  'Can you help me with the visa?',
  '你是谁的客户？',
  '你好，年假有几天？',
  '谢谢信怎么写？',
  '...',
])('%s is a question', message => expect(findCourtesy(message)).toBeUndefined())
