import iconv from 'iconv-lite'
import { describe, expect, test, vi } from 'vitest'
import {
  decode,
  decodeFile,
  detectCharset,
  detectFileCharset,
} from '../../../../src/ingest/parse/detection/charset.ts'
import { withFile } from '../../../fixtures/parsed.ts'

const SIMPLIFIED = '本合同自双方签字之日起生效，有效期三年。'
const TRADITIONAL = '會員應於每年一月繳納會費，逾期者停權。'
const JAPANESE = '本契約は署名の日から効力を生じるものとする。'

function check(text: string, charset: string, declared?: string) {
  const decoded = decode(iconv.encode(text, charset), declared)
  expect(decoded).toMatchObject({ text, charset })
}

describe('a charset is found', () => {
  test('UTF-8', () => check(SIMPLIFIED, 'utf-8'))
  test('UTF-16 without a mark', () => check(SIMPLIFIED, 'utf-16le'))
  test('UTF-16 of plain ASCII', () => check('Hello, world', 'utf-16be'))
  test('GB18030', () => check(SIMPLIFIED, 'gb18030'))
  test('GB18030 in a few characters', () => check('姓名', 'gb18030'))
  test('GB18030 among English', () => check('Order no. 订单 12 is late', 'gb18030'))
  test('Big5', () => check(TRADITIONAL, 'big5'))
  test('Shift-JIS', () => check(JAPANESE, 'shift_jis'))
  test('EUC-JP', () => check(JAPANESE, 'euc-jp'))
  test('EUC-KR', () => check('이 계약은 서명한 날부터 효력이 있다.', 'euc-kr'))
  test('Western', () => check('Le café coûte 3 € – c’est “cher”.', 'windows-1252'))
  test('Western in two words', () => check('id\tname\n1\tÄnne\n2\tØyvind\n', 'windows-1252'))
  test('Western with a letter that few names have', () => {
    check('Louÿs', 'windows-1252')
    check('L’Haÿ-les-Roses', 'windows-1252')
  })
  test('UTF-16 in a few characters that are mostly letters as bytes', () =>
    check('本公司员工', 'utf-16be'))
  test('Spanish', () => check('El niño comió en España mañana. ¿Qué tal?', 'windows-1252'))
  test('Polish', () =>
    check('Zażółć gęślą jaźń. Umowa wchodzi w życie z dniem podpisania.', 'windows-1250'))
  test('Czech', () =>
    check('Příliš žluťoučký kůň. Smlouva nabývá účinnosti dnem podpisu.', 'windows-1250'))
  test('Russian', () => check('Договор вступает в силу с момента подписания.', 'windows-1251'))
  test('Russian of Unix', () => check('Договор вступает в силу с момента подписания.', 'koi8-r'))
  test.each([
    ['windows-1253', 'Η συμφωνία ισχύει από την ημέρα της υπογραφής της και για τρία χρόνια.'],
    [
      'iso-8859-7',
      'Άρθρο 2: η συμφωνία ισχύει από την ημέρα της υπογραφής. Άλλο άρθρο δεν υπάρχει.',
    ],
    [
      'windows-1254',
      'Sözleşme imza tarihinden itibaren üç yıl süreyle geçerlidir, değiştirilemez.',
    ],
    ['windows-1255', 'ההסכם ייכנס לתוקף ביום החתימה ויהיה תקף לשלוש שנים.'],
    ['windows-1256', 'يسري هذا الاتفاق من تاريخ التوقيع عليه ولمدة ثلاث سنوات.'],
    [
      'windows-1257',
      'Sutartis įsigalioja nuo jos pasirašymo dienos ir galioja trejus metus, žinoma.',
    ],
    ['windows-874', 'สัญญานี้มีผลใช้บังคับตั้งแต่วันที่ลงนามเป็นเวลาสามปี'],
    [
      'iso-8859-2',
      'Přístav je otevřen. Šestá smlouva nabývá účinnosti dnem podpisu, již žádné změny.',
    ],
    ['iso-8859-5', 'Договор вступает в силу с момента подписания.'],
    ['cp866', 'Договор вступает в силу с момента подписания.'],
    ['koi8-u', 'Договір набирає чинності з дня його підписання і діє три роки.'],
    ['maccyrillic', 'Договор вступает в силу с момента подписания. Язык договора — русский.'],
  ])('%s', (charset, text) => check(text, charset))
  test('ISO-2022-JP', () => {
    const bytes = Buffer.from('\x1b$BF|K\\8l\x1b(B 1', 'latin1')
    expect(decode(bytes)).toEqual({ text: '日本語 1', charset: 'iso-2022-jp' })
  })
  test('UTF-32 without a mark', () => check(SIMPLIFIED, 'utf-32le'))
  test('doubt about a text that says too little', () => {
    expect(decode(Buffer.of(0xe1, 0xf2)).isDoubtful).toBe(true)
    expect(decode(iconv.encode(SIMPLIFIED.repeat(3), 'gb18030')).isDoubtful).toBeUndefined()
  })
  test('Russian in capitals', () => check('ДОГОВОР ВСТУПАЕТ В СИЛУ', 'windows-1251'))
  test('UTF-32 with its mark', () => {
    const marked = Buffer.concat([
      Buffer.of(0, 0, 0xfe, 0xff),
      iconv.encode(SIMPLIFIED, 'utf-32be'),
    ])
    expect(decode(marked)).toEqual({ text: SIMPLIFIED, charset: 'utf-32be' })
  })
  test('a byte order mark wins and goes', () => {
    expect(decode(iconv.encode('中文', 'utf-16be', { addBOM: true }))).toEqual({
      text: '中文',
      charset: 'utf-16be',
    })
  })
})

describe('a declared charset', () => {
  test('is believed when it fits', () => check('naïve', 'windows-1252', 'ISO-8859-1'))
  test('gb2312 means what it is a part of', () => check('㐀、䶮', 'gb18030', 'gb2312'))
  test('in XML or Python source is believed', () => {
    check('<?xml version="1.0" encoding="ISO-8859-2"?><a>Přístav</a>', 'iso-8859-2')
    check('#!/usr/bin/python\n# -*- coding: koi8-r -*-\nx = "да"', 'koi8-r')
  })
  test('of one byte a character is not believed of sound UTF-8', () => {
    check('Grüße aus Köln', 'utf-8', 'iso-8859-1')
    check('Příliš', 'utf-8', 'windows-1250')
    check('Договор', 'utf-8', 'koi8-r')
  })
  test('of several is believed of a word, and not of a sentence in UTF-8', () => {
    check('联通', 'gb18030', 'gbk')
    check('本合同自双方签字之日起生效', 'utf-8', 'gb2312')
  })
  test('is not believed when it does not fit', () => {
    expect(decode(Buffer.from(SIMPLIFIED), 'us-ascii2').charset).toBe('utf-8')
    expect(decode(iconv.encode(TRADITIONAL, 'big5'), 'utf-8').charset).toBe('big5')
  })
})

describe('a file', () => {
  test('that turns Chinese late is not taken for English', async () => {
    const bytes = iconv.encode(
      `${'plain\n'.repeat(20_000)}${`${SIMPLIFIED}\n`.repeat(5000)}`,
      'gb18030',
    )
    expect(await withFile(bytes, 'a.txt', filePath => detectFileCharset(filePath))).toBe('gb18030')
  })
  test('with one bad byte stays UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from(SIMPLIFIED.repeat(9)),
      Buffer.from([0xff]),
      Buffer.from(SIMPLIFIED),
    ])
    expect(await withFile(bytes, 'a.txt', filePath => detectFileCharset(filePath))).toBe('utf-8')
  })
  test('is decoded in pieces that do not cut a character', async () => {
    const text = '字'.repeat(100_000)
    const pieces = await withFile(text, 'a.txt', async filePath =>
      gather(decodeFile(filePath, 'utf-8')),
    )
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.join('')).toBe(text)
  })
})

describe('bytes that are no text', () => {
  const check = async (bytes: string, charset?: string) =>
    expect(await detectCharset(Buffer.from(bytes, 'latin1')), JSON.stringify(bytes)).toBe(charset)

  test('are not read as Chinese because they have words', async () => {
    await check('binary\0\x01\x02')
    await check('binary\0\x01\x02\x03')
    await check('\x04\0name\x05\0value\0\0')
    await check('PROG\0\0\x01\0main\0\0init\0\0')
  })
  test('are not UTF-8 because no byte of them is above 127', async () => {
    await check('\x01\x02\x03')
    await check('abc\x01\x02\x7f\x0e')
  })
  test('are told from a log with colours and a page break', async () => {
    await check('\x1b[32mdone\x1b[0m\x0c next', 'utf-8')
    await check('one stray byte\x01 in a line of text', 'utf-8')
  })
  test('are looked at in turns', async () => {
    const bytes = Uint8Array.from(
      { length: 256 * 1024 },
      (_, at) => ((at * at * 31) ^ (at >> 3)) | 0x80,
    )
    const order: string[] = []
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 20)) // however fast the machine, a step takes a turn
    try {
      const detecting = detectCharset(bytes).then(() => order.push('detected'))
      await new Promise(resolve => setImmediate(resolve))
      order.push('something else')
      await detecting
    } finally {
      clock.mockRestore()
    }
    expect(order).toEqual(['something else', 'detected'])
  })
})

async function gather(pieces: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const piece of pieces) all.push(piece)
  return all
}
