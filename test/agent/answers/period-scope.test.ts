import { expect, test } from 'vitest'
import type { InlineDocument } from '../../fakes/memory-searcher.ts'
import { toldFrom } from '../../fakes/quoted-answer.ts'

const SECOND: InlineDocument = {
  name: 'spring.md',
  text: '# Pella Boats: second quarter of 2026\n\nRevenue was 14 million euros.\n\nThe yard had 210 employees.',
}
const THIRD: InlineDocument = {
  name: 'autumn.md',
  text: '# Pella Boats: third quarter of 2026\n\nRevenue was 19 million euros, more than in the second quarter.\n\nThe yard had 230 employees.',
}
const 去年: InlineDocument = {
  name: '松江船厂2023年年度报告.md',
  text: '# 松江船厂年度报告\n\n公司实现营业收入三亿元。\n\n公司共有员工500人。',
}
const 今年: InlineDocument = {
  name: '松江船厂2024年年度报告.md',
  text: '# 松江船厂年度报告\n\n公司实现营业收入四亿元。\n\n公司共有员工600人。',
}

test('of two reports, the one of the quarter that is named answers alone', async () => {
  const second = await toldFrom('How many employees did the yard have in Q2 2026?', SECOND, THIRD)
  expect(second).toContain('210')
  expect(second).not.toContain('230')
  expect(await toldFrom('How many employees did the yard have in the third quarter?', SECOND, THIRD)).toContain('230')
})
test('a report of another quarter does not answer, though it names the one that is asked for', async () => {
  expect(await toldFrom('How many employees did the yard have in the first quarter of 2026?', SECOND, THIRD)).toBe(
    undefined,
  )
  expect(await toldFrom('How many employees did the yard have in the second quarter?', THIRD)).toBe(undefined)
  expect(await toldFrom('How many employees did the yard have in Q2 2025?', SECOND)).toBe(undefined)
})
test('a time that only the first lines of a document tell holds for all of it', async () => {
  const report = {
    name: 'report.md',
    text: '# Pella Boats\n\nFor the three months to 30 June 2026\n\n## Staff\n\nThe yard had 220 employees.',
  }
  expect(await toldFrom('How many employees did the yard have in Q2 2026?', report)).toContain('220')
  expect(await toldFrom('How many employees did the yard have in Q3 2026?', report)).toBe(undefined)
})
test('of reports of two years, the one of the year answers alone', async () => {
  const last = await toldFrom('松江船厂2023年有多少员工？', 去年, 今年)
  expect(last).toContain('500')
  expect(last).not.toContain('600')
  expect(await toldFrom('松江船厂2022年有多少员工？', 去年, 今年)).toBe(undefined)
})
test('a report that the search did not find is looked into when its name tells the time', async () => {
  const others = Array.from({ length: 12 }, (_, at) => ({
    name: `yard-${at}-2025-q1.md`,
    text: `# Yard ${at}, first quarter of 2025\n\nThe yard had ${at + 300} employees of the yard ${at}.`,
  }))
  const asked = 'How many employees did the yard have in the fourth quarter of 2025?'
  const fourth = { name: 'q4.md', text: '# Fourth quarter of 2025\n\nThe company had 77 employees.' }
  expect(await toldFrom(asked, ...others, fourth)).toContain('77')
})
