import { expect, test } from 'vitest'
import { answerKindOf } from '../../../src/agent/language/answer-kind.ts'

const tells = (question: string, text: string) => answerKindOf(question)(text)

test.each([
  ['会员费最少是多少万元？', '第十二条 会员应当按时交纳会员费，用于协会的活动。', false],
  ['会员费最少是多少万元？', '会员费不低于二万元。', true],
  ['会员费最少是多少万元？', '会员费为人民币 5,000 元。', true],
  ['会员费是多少元？', '会员费免收。', true],
  ['捕捞证的有效期是几年？', '年满十八周岁的渔民可以申请捕捞证。', false],
  ['捕捞证的有效期是几年？', '本办法自2021年3月1日起施行。', false],
  ['捕捞证的有效期是几年？', '捕捞证自签发之日起六个月有效。', true],
  ['捕捞证的有效期是几年？', '捕捞证长期有效。', true],
  ['停船要提前几个小时申请？', '应当提前两个小时申请。', true],
  ['停船要提前几个小时申请？', '应当提前半天申请。', true],
  ['审批需要几天？', '审批需要五个工作日。', true],
  ['审批需要几天？', '审批在十五（15）日以后送达。', true],
  ['审批需要几天？', '审批最多30个自然日。', true],
  ['押金是多少元？', '押金：¥500。', true],
  ['押金是多少元？', '押金为人民币五百。', true],
  ['泊位的面积是多少平方米？', '泊位共有四十个。', false],
])('an amount is told in its unit: %s %s', (question, text, expected) => expect(tells(question, text)).toBe(expected))

test.each([
  ['How many days of notice does a berth need?', 'Notice is given to the 2 harbour masters.', false],
  ['How many days of notice does a berth need?', 'Notice is given two weeks before.', true],
  ['How many working days does a permit take?', 'Permits are issued within 5 working days.', true],
  ['What is the idle timeout, in seconds?', 'The idle timeout follows from RFC 6298 and Section 3.8.', false],
  ['What is the idle timeout, in seconds?', 'The idle timeout is a minute, or 90 seconds behind a proxy.', true],
  ['How many days of vacation do employees get?', 'Employees get 25 vacation days per berth.', true],
  ['How many days of notice must be given?', 'The lease ends on thirty (30) days notice.', true],
  ['How many dollars is the deposit?', 'The deposit is $500.', true],
  ['What is the fee in euros?', 'The fee is EUR 59.', true],
  ['How many hours does the crew work?', 'The crew works 38.5 h.', true],
  ['What is the shift in hours?', 'Shift (h) | 30', true],
  ['How many rooms have a view in metres?', 'See §5 and Section 3.', false],
  ['How many litres does the tank hold?', 'The tank is made of steel, 3 mm thick.', false],
  ['How many boats lie in the harbour?', 'In the harbour lie 40 boats.', true],
])('an amount is told in its unit: %s %s', (question, text, expected) => expect(tells(question, text)).toBe(expected))
