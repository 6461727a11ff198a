import { describe, expect, test } from 'vitest'
import { DocumentLanguage } from '../../../src/ingest/parse/document-language.ts'
import { TrigramLanguage } from '../../../src/ingest/parse/trigram-language.ts'

const ENGLISH =
  'The tenant may end the contract with three months of notice to the end of a quarter. '
const GERMAN =
  'Der Mieter kann den Vertrag mit einer Frist von drei Monaten zum Ende des Quartals kündigen. '
const CHINESE = '承租人可以提前三个月通知出租人终止合同，但应当在季度末生效。'
const JAPANESE = '会議の議事録は来週の月曜日までに提出してください。'
const RUSSIAN =
  'Договор может быть расторгнут арендатором с уведомлением за три месяца до конца квартала. '

const trigrams = new TrigramLanguage()

function check(texts: readonly string[], stated: string | undefined, expected: string | undefined) {
  const language = new DocumentLanguage(trigrams)
  for (const text of texts) language.add({ kind: 'paragraph', text })
  expect(language.tag(stated)).toBe(expected)
}

describe('the text tells its language', () => {
  test('English', () => check([ENGLISH, ENGLISH], undefined, 'en'))
  test('German', () => check([GERMAN, GERMAN], undefined, 'de'))
  test('Chinese, with fewer characters', () => check([CHINESE, CHINESE], undefined, 'zh'))
  test('Japanese, though most of its characters may be Han', () =>
    check([JAPANESE, JAPANESE], undefined, 'ja'))
  test('Russian', () => check([RUSSIAN, RUSSIAN], undefined, 'ru'))
  test('the language of most of it', () =>
    check([ENGLISH.repeat(25), GERMAN.repeat(100)], undefined, 'de'))
})

test('what a template states does not count against the text', () =>
  check([CHINESE, CHINESE], 'en-US', 'zh'))
test('a more exact statement of the same language stays', () =>
  check([ENGLISH, ENGLISH], 'en_gb', 'en-GB'))
test('a text too short to tell has the language that is stated', () =>
  check(['Prices'], 'fr', 'fr'))
test('a text too short to tell has none otherwise', () => check(['Prices'], undefined, undefined))
test('names of languages are no tags', () => check(['Prices'], 'English', undefined))
test('tables and labels in Latin letters are of no language', () => {
  const language = new DocumentLanguage(trigrams)
  const rows = 'Month | Region | Units | Revenue | Margin | Notes\n'
  language.add({
    kind: 'table',
    text: rows + 'May | North | 10 | 1,234.50 EUR | Check with Anna\n'.repeat(9),
  })
  for (const text of [
    'Quarterly Review',
    'Team Delta',
    'Agenda',
    'Revenue per region',
    'Costs in the East',
  ]) {
    language.add({ kind: 'paragraph', text })
  }
  expect(language.tag('en')).toBe('en')
  expect(language.tag(undefined)).toBeUndefined()
})
test('tables in Chinese are Chinese', () => {
  const language = new DocumentLanguage(trigrams)
  language.add({
    kind: 'table',
    text: '部门 | 人数 | 备注\n财务部 | 12 | 负责报销与预算\n'.repeat(9),
  })
  expect(language.tag('en-US')).toBe('zh')
})
test('code is no language', () => {
  const language = new DocumentLanguage(trigrams)
  language.add({ kind: 'code', text: ENGLISH.repeat(10) })
  expect(language.tag(undefined)).toBeUndefined()
})
