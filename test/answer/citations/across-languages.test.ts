import { expect, test } from 'vitest'
import { relateAnswer } from '../../../src/answer/citations/attribution.ts'
import { openLexicon } from '../../../src/app/lexicon.ts'
import type { Passage } from '../../../src/search/passages/passage.ts'
import { EnglishTerms } from '../../../src/text/english-terms.ts'
import { Terms } from '../../../src/text/terms.ts'

const LEXICON = openLexicon()

const TEXTS = [
  'Employees receive 24 days of annual leave. Unused leave expires on 31 March, because the payroll closes.',
  'The pump must not run without water. The warranty of the pump is 36 months and excludes seals.',
  '图书遗失的，按照原价的三倍赔偿。儿童读者每次最多可借六册，借期四十五天。',
  '海拓公司向员工提供免费午餐。',
]
const PASSAGES = TEXTS.map((text, at): Passage => {
  const place = {
    documentId: `d${at + 1}`,
    source: `/d${at + 1}`,
    name: `d${at + 1}.md`,
    title: '',
    headings: [],
  }
  return { id: at + 1, ...place, context: '', charStart: 0, charEnd: text.length, text, parts: [] }
})
const terms = new Terms()
const english = new EnglishTerms(LEXICON, new Terms())

async function cited(text: string, options: { readonly english?: EnglishTerms } = { english }) {
  const found = await relateAnswer(text, { passages: PASSAGES, terms, ...options })
  return {
    text: found.text,
    words: found.references.map(({ passage, span }) => passage.text.slice(span.start, span.end)),
    unsupported: found.unsupported,
    unconfirmed: found.unconfirmed,
  }
}

test.each([
  ['员工每年有24天年假。', 'Employees receive 24 days of annual leave.', 1],
  ['水泵的保修期是36个月。', 'The warranty of the pump is 36 months and excludes seals.', 2],
  ['Children may borrow six books for 45 days.', '儿童读者每次最多可借六册，借期四十五天。', 3],
  ['Employees of Haituo get a free lunch from the company.', '海拓公司向员工提供免费午餐。', 4],
])(
  '%s is attributed without a marker to what says it in the other language',
  async (claim, words, marker) => {
    const found = await cited(claim)
    expect(found).toMatchObject({ words: [words], unsupported: [] })
    expect(found.text).toContain(`[${marker}]`)
  },
)
test('a marker of another source gives way to that of the true one', async () => {
  expect(await cited('水泵的保修期是36个月 [1]。')).toMatchObject({
    words: ['The warranty of the pump is 36 months and excludes seals.'],
    text: expect.stringContaining('[2]'),
  })
})
test.each([
  '员工每年有30天年假。',
  '公司食堂的座位不够。',
  'Employees of Beituo get a free lunch from the company.',
])('%s stands nowhere, and is not confirmed', async claim => {
  expect(await cited(claim)).toMatchObject({ words: [], unconfirmed: [claim] })
})
test('without a lexicon a claim without a marker finds nothing in the other language', async () => {
  expect((await cited('员工每年有24天年假。', {})).words).toEqual([])
})
test.each([
  [
    'Only children may borrow six books for 45 days [3].',
    'Children may borrow six books for 45 days [3].',
  ],
  ['只有员工每年有24天年假 [1]。', '员工每年有24天年假 [1]。'],
])('“%s” is not stated across languages, “%s” is', async (wrong, right) => {
  const supports = async (text: string) =>
    (await relateAnswer(text, { passages: PASSAGES, terms, english })).references.map(
      ({ support }) => support,
    )
  expect(await supports(wrong)).toEqual(['unknown'])
  expect(await supports(right)).toEqual(['stated'])
})
