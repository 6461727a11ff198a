import { expect, test } from 'vitest'
import { answerFrom } from '../fakes/quoted-answer.ts'

const FERRIES = {
  name: 'ferries.md',
  text: [
    '# Ferries of the harbour',
    'The ferry Anna was bought in March 2022.',
    'The ferry Berta was bought in June 2024.',
    'The ferry Clara was bought on 12 May 2026.',
    'Dogs have travelled free of charge since 2023.',
    'The ticket office opens at seven.',
  ].join('\n\n'),
}
const 设备: typeof FERRIES = {
  name: '采购.md',
  text: [
    '# 工厂记录',
    '锅炉设备于2022年3月采购。',
    '水泵设备于2024年6月采购。',
    '风机设备于2026年5月12日采购。',
    '售票处七点开门。',
  ].join('\n\n'),
}

/** The sentences that answer, by their names. */
async function named(question: string) {
  const isChinese = /\p{Script=Han}/u.test(question)
  const { abstained, citations } = await answerFrom(question, isChinese ? 设备 : FERRIES)
  const quoted = abstained ? '' : citations.map(({ text }) => text).join('\n')
  return (quoted.match(/Anna|Berta|Clara|Dogs|锅炉|水泵|风机/g) ?? []).toSorted().join(' ')
}

test.each([
  ['Which ferry was bought after 2025?', 'Clara'],
  ['Which ferry was bought before 2024?', 'Anna'],
  ['Which ferry was bought between May and August 2024?', 'Berta'],
  ['Which ferry was bought by the end of 2023?', 'Anna'],
  ['2025年以后采购的设备是什么？', '风机'],
  ['2024年以前采购的设备是什么？', '锅炉'],
  ['2024年5月到8月之间采购的设备是什么？', '水泵'],
  ['2021年12月到3月之间采购的设备是什么？', '锅炉'],
  ['2022年4月到2024年5月之间采购的设备是什么？', ''],
])(
  '%s is answered by what lies within its bounds, whatever year is written',
  async (question, expected) => {
    expect(await named(question)).toBe(expected)
  },
)

test('a sentence that says since when is likelier to answer of a time that it reaches', async () => {
  const confidences = [
    'Do dogs travel free of charge after 2024?',
    'Did dogs travel free of charge before 2022?',
  ].map(async question => (await answerFrom(question, FERRIES)).confidence ?? 0)
  const [within, before] = await Promise.all(confidences)
  expect(within).toBeGreaterThan(before!) // two questions
})
