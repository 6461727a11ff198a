import { expect, test } from 'vitest'
import { parseQuestion } from '../../src/answer/question/parse.ts'
import { answerFromTable } from '../fakes/quoted-answer.ts'

const ACTIONS = [
  ['Action', 'Owner', 'State'],
  ['Buy hoses', 'Ada', 'done'],
  ['Paint the gate', 'Ben', 'open'],
  ['Mend the pump', 'Cleo', 'not done'],
  ['Order sand', 'Dora', 'done'],
]
const 任务 = [
  ['任务', '负责人', '状态'],
  ['采购水管', '王芳', '已完成'],
  ['粉刷大门', '李强', '进行中'],
  ['修理水泵', '赵敏', '未完成'],
  ['订购沙子', '孙涛', '已完成'],
]

test.each([
  ['Which actions are not done?', ACTIONS, ['Paint the gate', 'Mend the pump']],
  ['Which actions are not done yet?', ACTIONS, ['Paint the gate', 'Mend the pump']],
  ['Which actions have been done?', ACTIONS, ['Buy hoses', 'Order sand']],
  ['哪些任务没有完成？', 任务, ['粉刷大门', '修理水泵']],
  ['哪些任务还未完成？', 任务, ['粉刷大门', '修理水泵']],
])('%s', async (question, table, names) => {
  const { citations } = await answerFromTable(question, table, ['Actions', '…'])
  const rows = citations.flatMap(({ text }) => text.split('\n'))
  expect(rows.map(row => row.split(' | ')[0])).toEqual(names)
})

test.each(['各部门的未来计划是什么？', '没收的物品有哪些？', '未知的费用有多少？'])(
  '%s denies nothing: 未 and 没 are parts of words',
  question => {
    expect(parseQuestion(question, 'zh').lacking).toBeUndefined()
  },
)
