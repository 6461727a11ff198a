import { francAll } from 'franc-min'
import { describe, expect, test } from 'vitest'
import { TrigramLanguage } from '../../../src/ingest/parse/trigram-language.ts'

const SENTENCES = [
  'The tenant may end the contract with three months of notice to the end of a quarter.',
  'Der Mieter kann den Vertrag mit einer Frist von drei Monaten zum Ende des Quartals kündigen.',
  'Le locataire peut résilier le contrat avec un préavis de trois mois pour la fin d’un trimestre.',
  'El inquilino puede rescindir el contrato con tres meses de antelación al final de un trimestre.',
  'Договор может быть расторгнут арендатором с уведомлением за три месяца до конца квартала.',
  'Орендар може розірвати договір, повідомивши за три місяці до кінця кварталу.',
  'يجوز للمستأجر إنهاء العقد بإشعار مدته ثلاثة أشهر حتى نهاية ربع السنة.',
  'किरायेदार तिमाही के अंत तक तीन महीने की सूचना देकर अनुबंध समाप्त कर सकता है।',
  '承租人可以提前三个月通知出租人终止合同，但应当在季度末生效。',
  '会議の議事録は来週の月曜日までに提出してください。',
  '임차인은 분기 말까지 3개월 전에 통지하고 계약을 해지할 수 있다.',
  'ผู้เช่าอาจบอกเลิกสัญญาโดยแจ้งล่วงหน้าสามเดือน',
  'Ο μισθωτής μπορεί να καταγγείλει τη σύμβαση με προειδοποίηση τριών μηνών.',
]
const trigrams = new TrigramLanguage()

function check(text: string) {
  const [best] = francAll(text, { minLength: 1 })[0] ?? []
  expect(trigrams.detectCode(text)).toBe(best === 'und' ? undefined : best)
}

describe('the language that franc finds', () => {
  test.each(SENTENCES)('%s', check)
  test('texts in two languages', () => {
    for (const first of SENTENCES)
      for (const second of SENTENCES) check(`${first} ${second.slice(0, 40)}`)
  })
  test('beginnings, down to a word', () => {
    for (const sentence of SENTENCES)
      for (let end = 1; end < sentence.length; end += 7) check(sentence.slice(0, end))
  })
  test('what is beyond the basic plane', () => check('𠮷野家で𠮷田さんと会う 😀😀'))
  test('no letters', () => check('1234 5678 !? 90'))
  test('odd white space', () => check('  the\u00a0tenant \n\n may\tend '))
})
