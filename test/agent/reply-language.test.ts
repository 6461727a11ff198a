import { expect, test } from 'vitest'
import { detectReplyLanguage } from '../../src/agent/messages/reply-language.ts'

const check = (question: string, expected: 'en' | 'zh') =>
  test(`${expected}: ${question.slice(0, 100)}`, () =>
    expect(detectReplyLanguage(question)).toBe(expected))

check('What does 采购合同.docx say about the notice period?', 'en')
check('What does 采购合同 say about the notice period?', 'en')
check('What is “违约金”?', 'en')
check('What is the meaning of 违约金?', 'en')
check('Summarize 《个人信息保护法》', 'en')
check('How long is the notice?', 'en')
check('lease.pdf 的租期是多久？', 'zh')
check('lease.pdf里的"notice period"是多久？', 'zh')
check('What is love 是什么意思？', 'zh')
check('采购合同.docx', 'zh')
check('采购合同的付款期限', 'zh')
check('CPU 温度上限', 'zh')
check(`Prices of hotels. ${'x '.repeat(10_000)}违约金${' x'.repeat(10_000)}`, 'en') // its beginning and its end tell
