import { expect, test } from 'vitest'
import { namesPerson, namesSomeone } from '../../../src/agent/language/person-name.ts'

const names = (text: string, question = '') => [namesPerson(text, question), namesSomeone(text, question)]

test('a person is named by surname and given name, in both languages', () => {
  for (const text of [
    '主持人：王芳',
    '董事长为陈志远。',
    '负责人欧阳娜',
    'Signed by Ingrid Solberg.',
    'Ask Dr. Lee.',
  ]) {
    expect([text, ...names(text)]).toEqual([text, true, true])
  }
})
test('a company is somebody, and no person', () => {
  expect(names('between Larkspur Boats Ltd and us')).toEqual([false, true])
  expect(names('甲方为海蓝科技有限公司')).toEqual([false, true])
})
test('a role, and who the question has named already, is nobody new', () => {
  for (const text of ['经理负责处理投诉', '向公司提交，高于标准，双方同意', 'The manager decides.']) {
    expect([text, ...names(text)]).toEqual([text, false, false])
  }
  expect(names('王芳参加会议', '王芳的职务是什么？')).toEqual([false, false])
})
test('a name is found behind many that the question names, and in a line without an end', () => {
  const crowd = 'Anna B. '.repeat(1500)
  expect(names(`${crowd}met Homer Bell.`, 'Anna B.')).toEqual([true, true])
  for (const lead of ['的'.repeat(39), '的'.repeat(41), '的'.repeat(45), '的'.repeat(5000)])
    expect(names(`${lead}主持人欧阳娜`)).toEqual([true, true])
})
