import { expect, test } from 'vitest'
import { readClaim } from '../../../src/answer/citations/claims.ts'
import { findObjections, type Objection } from '../../../src/answer/citations/objections.ts'
import { readStatements } from '../../../src/answer/citations/statements.ts'
import { openLexicon } from '../../../src/app/lexicon.ts'
import { EnglishTerms } from '../../../src/text/english-terms.ts'
import { Terms } from '../../../src/text/terms.ts'

const terms = new Terms()
const english = new EnglishTerms(openLexicon(), terms)
const place = { documentId: 'd', source: '/d', name: 'd', title: '', headings: [], context: '' }

/** Reads the first statement of a text and returns the objections to it. */
function check(text: string, claim: string): readonly Objection[] {
  const passage = { ...place, id: 1, charStart: 0, charEnd: text.length, text, parts: [] }
  const [statement] = readStatements(passage, terms)
  if (!statement) throw new Error(`No statement in “${text}”.`)
  return findObjections(readClaim(claim, { terms }), statement, { terms, english })
}

test.each<[Objection, string, string, string]>([
  [
    'name',
    'The mill was bought by the Harrow Trust in spring.',
    'In spring the mill was bought by Lena Voss.',
    'In spring the Harrow Trust bought the mill.',
  ],
  [
    'quantifier',
    'Many rowers keep a locker in the boathouse.',
    'All rowers keep a locker in the boathouse.',
    'Many rowers keep a locker.',
  ],
  [
    'quantifier',
    '租户可以在二楼晾晒衣物。',
    '租户只可以在二楼晾晒衣物。',
    '租户可以在二楼晾晒衣物。',
  ],
  [
    'comparison',
    'The tower is 40 metres high, the mast 31 metres.',
    'The mast is higher than the tower.',
    'The mast is 31 metres high.',
  ],
  ['comparison', '甲库存放茶叶，乙库存放瓷器。', '甲库比乙库大。', '甲库存放茶叶。'],
  [
    'order',
    'Guests pay the deposit within three days of booking.',
    'Guests pay the deposit after booking.',
    'Guests pay the deposit within three days.',
  ],
  ['order', '货款在验收后支付。', '货款在验收之前支付。', '货款在验收之后支付。'],
  [
    'condition',
    'If the river floods, the upper gate is opened.',
    'The upper gate is opened.',
    'The upper gate is opened if the river floods.',
  ],
  [
    'condition',
    'Check whether the upper gate is open.',
    'The upper gate is open.',
    'Check the upper gate.',
  ],
  [
    'condition',
    '行李超过二十公斤的，须办理托运。',
    '行李须办理托运。',
    '行李超过二十公斤的须办理托运。',
  ],
  [
    'direction',
    'Ticket income rose because the ferry ran twice a day.',
    'Ticket income fell because the ferry ran twice a day.',
    'Ticket income increased because the ferry ran twice a day.',
  ],
  ['direction', '全年用水量减少两成。', '全年用水量增加两成。', '全年用水量下降两成。'],
  [
    'role',
    'Grain is carried to the mill from the harbour.',
    'Grain is carried to the harbour from the mill.',
    'Grain is carried from the harbour to the mill.',
  ],
  [
    'contrast',
    'The lamps burn oil, not gas.',
    'The lamps burn gas rather than oil.',
    'The lamps burn oil rather than gas.',
  ],
  [
    'contrast',
    'Bicycles without lamps stay in the yard.',
    'Bicycles with lamps stay in the yard.',
    'Bicycles without lamps stay.',
  ],
  ['contrast', '不带行李的乘客走北门。', '带行李的乘客走北门。', '不带行李的乘客走北门。'],
  ['role', '运费由卖方承担。', '运费由买方承担。', '运费由卖方承担。'],
  [
    'role',
    'The seal is checked by the miller.',
    'The seal is checked by the farmer.',
    'The seal is checked by the miller.',
  ],
  ['reason', '因水位过高，渡口关闭。', '因电缆断裂，渡口关闭。', '渡口因水位过高关闭。'],
  [
    'affirmed',
    'Glaze the bowl with ash, but do not use salt.',
    'Glaze the bowl with salt.',
    'Glaze the bowl with ash.',
  ],
  [
    'reason',
    'The kiln stays cold in May because its door is cracked.',
    'The kiln stays cold in May because wood costs too much.',
    'The kiln stays cold in May because of its cracked door.',
  ],
  [
    'opposite',
    'The north gate is easy to lift.',
    'The north gate is difficult to lift.',
    'The north gate is very easy to lift.',
  ],
  ['opposite', '北闸的手柄操作简单。', '北闸的手柄操作复杂。', '北闸的手柄操作很简单。'],
  [
    'rate',
    'The gauge is read twice a month by the miller.',
    'The gauge is read twice a week by the miller.',
    'The miller reads the gauge twice each month.',
  ],
  ['rate', '水表每年校准一次。', '水表每月校准一次。', '水表一年校准一次。'],
  [
    'joined',
    'The miller pays for the weir; the farmer pays for the ditch.',
    'The miller pays for the ditch.',
    'The miller pays for the weir.',
  ],
])('%s: “%s” does not state “%s”, but may state “%s”', (name, text, wrong, right) => {
  expect(check(text, wrong)).toContain(name)
  expect(check(text, right)).toEqual([])
})
test('a number without a unit does not stand for another unit that the statement has', () => {
  const row = 'Blue mug | $9.99 | 150'
  expect(check(row, 'The blue mug costs $150.')).toContain('number')
  expect(check(row, 'The blue mug costs $9.99.')).toEqual([])
})
test('a small share in words is a number', () => {
  expect(check('每逾期一日支付千分之一的违约金。', '每逾期一日支付百分之一的违约金。')).toContain(
    'number',
  )
})
test('a verb of decrease states the sign of a number', () => {
  expect(check('Harbour dues | -4%', 'Harbour dues fell by 4%.')).toEqual([])
  expect(check('Harbour dues | -4%', 'Harbour dues grew by 4%.')).toContain('number')
})
