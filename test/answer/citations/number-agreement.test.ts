import { expect, test } from 'vitest'
import { relateAnswer } from '../../../src/answer/citations/attribution.ts'
import { readClaim } from '../../../src/answer/citations/claims.ts'
import { Judge } from '../../../src/answer/citations/judgement.ts'
import { Terms } from '../../../src/text/terms.ts'

const TEXT = [
  'Annual leave is 24 days a year. Sick leave is granted for 90 days at most. Trainee leave is 8 weeks.',
  'A late book costs 20 cents a day. The fine never exceeds 5 euros per book.',
  'The notice period begins on the 1st of a month. It is 30 days.',
  '年休假为五天。病假最长为九十天。成人读者每次可借十册，借期三十天。',
].join('\n\n')
const terms = new Terms()

const place = {
  documentId: 'd1',
  source: '/d1',
  name: 'd1',
  title: '',
  headings: [],
  charStart: 0,
  charEnd: TEXT.length,
}
const passage = { id: 1, ...place, context: 'Rules of 2024', text: TEXT, parts: [] }

const check = async (claim: string, isStated: boolean) => {
  const bearings = await new Judge({ terms }).judge(readClaim(claim, { terms }), [passage])
  const isFound = bearings.length > 0 && bearings.every(({ support }) => support === 'stated')
  expect({ claim, isFound }).toEqual({ claim, isFound: isStated })
}

test('a number rests on the sentence that tells of what the claim does', async () => {
  await check('Annual leave is 24 days.', true)
  await check('Annual leave is 24 days, and sick leave is at most 90 days.', true)
  await check('A late book costs 20 cents a day.', true)
  await check('The notice period is 30 days.', true)
  await check('年休假为5天。', true)
  await check('成人读者可借10册，借期30天。', true)
})
test('the year of a title tells when something is, not since when', async () => {
  await check('In 2024 annual leave is 24 days.', true)
  await check('Annual leave is 24 days since 2024.', false)
})
test('a number of another subject in the same passage proves nothing', async () => {
  await check('Annual leave is 90 days.', false)
  await check('In 2024 annual leave is 90 days.', false)
  await check('Trainee leave is 24 days.', false)
  await check('Employees get 90 days of annual leave and 24 days of sick leave.', false)
  await check('A late book costs 5 cents a day.', false)
  await check('年休假为九十天。', false)
})
test('such a sentence is named as unsupported, with its marker or without', async () => {
  const place = {
    documentId: 'd',
    source: '/d',
    name: 'd.md',
    title: '',
    headings: [],
    context: '',
  }
  const passages = [{ id: 1, ...place, charStart: 0, charEnd: TEXT.length, text: TEXT, parts: [] }]
  for (const written of [
    'Annual leave is 90 days a year [1].',
    'Annual leave is 90 days a year.',
  ]) {
    const { unsupported, references } = await relateAnswer(written, { passages, terms })
    expect({ unsupported, references }).toEqual({
      unsupported: ['Annual leave is 90 days a year.'],
      references: [],
    })
  }
})
test('a claim without a marker rests on the source whose numbers agree, not on the one that has most of its words', async () => {
  const texts = [
    'Annual leave of full-time employees is 24 days in a calendar year.',
    'Annual leave of full-time employees: 30 days, each year.',
  ]
  const place = {
    documentId: 'd',
    source: '/d',
    name: 'd.md',
    title: '',
    headings: [],
    context: '',
    charStart: 0,
  }
  const passages = texts.map((text, at) => ({
    id: at + 1,
    ...place,
    charEnd: text.length,
    text,
    parts: [],
  }))
  const claim = 'Annual leave of full-time employees is 30 days in a year.'
  const { unsupported, references } = await relateAnswer(claim, { passages, terms })
  expect(unsupported).toEqual([])
  expect(references.map(({ passage }) => passage.id)).toEqual([2])
})
