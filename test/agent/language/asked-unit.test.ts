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
  ['泊位的面积是多少平方米？', '泊位共有四十个。', false],
])('an amount is told in its unit: %s %s', (question, text, expected) => expect(tells(question, text)).toBe(expected))

test.each([
  ['How many days of notice does a berth need?', 'Notice is given to the 2 harbour masters.', false],
  ['How many days of notice does a berth need?', 'Notice is given two weeks before.', true],
  ['How many working days does a permit take?', 'Permits are issued within 5 working days.', true],
  ['What is the idle timeout, in seconds?', 'The idle timeout follows from RFC 6298 and Section 3.8.', false],
  ['What is the idle timeout, in seconds?', 'The idle timeout is a minute, or 90 seconds behind a proxy.', true],
  ['How many litres does the tank hold?', 'The tank is made of steel, 3 mm thick.', false],
  ['How many boats lie in the harbour?', 'In the harbour lie 40 boats.', true],
])('an amount is told in its unit: %s %s', (question, text, expected) => expect(tells(question, text)).toBe(expected))
