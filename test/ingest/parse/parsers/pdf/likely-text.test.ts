import { expect, test } from 'vitest'
import { isLikelyText } from '../../../../../src/ingest/parse/parsers/pdf/likely-text.ts'
import { pdfParser } from '../../../../../src/ingest/parse/parsers/pdf/pdf.ts'
import { parseBytes } from '../../../../fixtures/parsed.ts'
import { type PdfText, pdf } from '../../../../fixtures/pdf.ts'

const TEXT = [
  'Every boat that enters the outer basin must report by radio before it passes',
  'the beacon, and must wait for the answer of the watch before it proceeds to',
  'the berth that it has been given by the office of the harbour. Boats that come',
  'at night show a white light at the mast and keep outside until they are called.',
  'Nets may be dried on the eastern meadow from April until October, but nobody may',
  'leave them there overnight during the market, since the meadow then serves as a',
  'parking place for the visitors who come from inland by the road through the hills.',
]

function shiftLetters(text: string, distance: number): string {
  return text.replace(/[a-z]/g, letter =>
    String.fromCharCode(((letter.charCodeAt(0) - 97 + distance) % 26) + 97),
  )
}

test.each([2, 3, 9, 25])('Letters that are shifted by %i are in no language', distance => {
  expect(isLikelyText(shiftLetters(TEXT.join(' '), distance))).toBe(false)
})

const CHINESE =
  '渡口在城北三里，旧有石阶十二级，直通水边。每日清晨，船夫先以竹竿探水深浅，然后渡客。夏日水涨，渡资加倍；冬日水浅，行人可踏石而过，乡人称此为龟背石。'
const RUSSIAN =
  'Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства. Каждый человек должен обладать всеми правами и всеми свободами, провозглашенными настоящей Декларацией, без какого бы то ни было различия.'

function mapLetters(text: string, map: (code: number) => number): string {
  return text.replace(/\p{L}/gu, letter => String.fromCodePoint(map(letter.codePointAt(0) ?? 0)))
}

test.each([
  ['Chinese', mapLetters(CHINESE, code => 0x4e00 + ((code * 7919) % 20_900))],
  ['Russian', mapLetters(RUSSIAN.toLowerCase(), code => 0x430 + ((code - 0x430 + 7) % 32))],
  [
    'English in letters of several scripts',
    mapLetters(TEXT.join(' '), code => [0x430, 0x627, 0x905, 0xe01][code % 4]! + (code % 20)),
  ],
])('%s by a wrong character map is in no language', (_, text) => {
  expect(isLikelyText(text)).toBe(false)
})

test.each([
  ['English', TEXT.join(' ')],
  [
    'Polish',
    'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa. Każdy człowiek posiada wszystkie prawa i wolności zawarte w niniejszej Deklaracji bez względu na jakiekolwiek różnice.',
  ],
  [
    'Czech',
    'Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím a mají spolu jednat v duchu bratrství. Každý má všechna práva a všechny svobody, stanovené touto deklarací, bez jakéhokoli rozlišování, zejména podle rasy, barvy, pohlaví, jazyka, náboženství.',
  ],
  ['numbers and units', '12 mm, 14 kg, 3 hrs; '.repeat(100)],
  ['Chinese', '渡口在城北三里旧有石阶十二级'.repeat(40)],
  [
    'Chinese with names of programs',
    'Passim使用OCR读取PDF文件中的图片，然后用BM25和向量检索。'.repeat(5),
  ],
  [
    'Japanese',
    'すべての人間は、生まれながらにして自由であり、尊厳と権利とについて平等である。'.repeat(6),
  ],
  ['Traditional Chinese', '港口辦公室負責登記所有進出港的船隻，並發給通行證。'.repeat(6)],
  [
    'Greek',
    'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. '.repeat(
      4,
    ),
  ],
  [
    'Arabic beside English',
    'يولد جميع الناس أحرارا متساوين Declaration of Human Rights في الكرامة والحقوق '.repeat(4),
  ],
  ['Russian', 'Все люди рождаются свободными и равными в своем достоинстве и правах. '.repeat(5)],
])('%s is', (_, text) => {
  expect(isLikelyText(text)).toBe(true)
})

test('A page whose letters are wrong has a warning that says so', async () => {
  const page = TEXT.map((text, index): PdfText => {
    return { text: shiftLetters(text.toLowerCase(), 3), x: 72, y: 100 + index * 12 }
  })
  const { warnings } = await parseBytes(pdfParser, pdf([page]))
  expect(warnings).toMatchObject([
    { code: 'garbled', page: 1, message: expect.stringContaining('in no language') },
  ])
})
