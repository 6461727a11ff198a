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
