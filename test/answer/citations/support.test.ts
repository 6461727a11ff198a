import { expect, test } from 'vitest'
import { relateAnswer } from '../../../src/answer/citations/attribution.ts'
import type { Passage } from '../../../src/search/passages/passage.ts'
import { Terms } from '../../../src/text/terms.ts'

const terms = new Terms()

/** Text of a source and a claim under its marker, and what the check makes of it. */
async function check(
  text: string,
  claim: string,
  expected: 'stated' | 'not-stated' | 'unknown',
  title = '',
) {
  const place = { documentId: 'd', source: '/d', name: 'd.md', title, headings: [], context: '' }
  const passage: Passage = { id: 1, ...place, charStart: 0, charEnd: text.length, text, parts: [] }
  const marked = claim.replace(/[.。]?$/, stop => ` [1]${stop}`)
  const { references, unsupported, unconfirmed } = await relateAnswer(marked, {
    passages: [passage],
    terms,
  })
  const support =
    unconfirmed.length > 0
      ? 'unknown'
      : unsupported.length > 0
        ? 'not-stated'
        : references[0]?.support
  expect({ claim, support, markers: references.length }).toEqual({
    ...{ claim, support: expected },
    markers: expected === 'not-stated' ? 0 : 1,
  })
}

test('a source states its own words, whatever their punctuation', async () => {
  for (const text of [
    'Oars: eleven, four short and seven long',
    'Quarter average 62 %, up from 58 % in 2023',
    'Hall A seats 40, hall B seats 115',
    'Approved by: H. Okafor, 2 October 2025',
    '第三条 押金每辆车收取押金 800 元',
    '试运行定在 3 月 5 日，正式运行 4 月 12 日',
    '雨衣九件，三件在大堂，六件在库房',
    'Double kayak | 12 € | 50 €',
  ]) {
    await check(text, text, 'stated')
    await check(`${text}\n\nOther words follow here.`, `${text.replace(/ \| /g, ', ')}.`, 'stated')
    await check('Other words follow here.', text, 'stated', text)
  }
})
test('lines that are ended on purpose state nothing together', async () => {
  const form =
    'Lender: Rosa Delgado\nBorrower: Emily Carter\nThe boat lies at the upper jetty of the club'
  await check(form, 'Borrower: Emily Carter', 'stated')
  await check(form, 'Lender: Emily Carter', 'unknown')
})
test('words that a source denies are not its words', async () => {
  await check('- No further stalls along the canal', 'Further stalls along the canal', 'not-stated')
  await check('酒店不提供住宿券', '提供住宿券', 'not-stated')
})
test('another number, unit, date or name in its place, or the opposite, is not stated', async () => {
  const text =
    'The keeper is Marta Lindqvist. The boathouse opens at 8:30. Returns are due within 45 minutes of closing.'
  await check(text, 'The boathouse opens at 9:30.', 'not-stated')
  await check(text, 'Returns are due within 45 hours of closing.', 'not-stated')
  await check(text, 'The keeper is called Martin Lindgren.', 'unknown')
  await check(
    'The fair opens on 8 May 2025 in Ulm.',
    'The fair opens on 9 May 2025 in Ulm.',
    'not-stated',
  )
  await check(
    'The fair of the city is opened by Rosa Delgado.',
    'The fair of the city is opened by Hans Maier.',
    'not-stated',
  )
  await check('押金不予退还给租车人。', '押金退还给租车人。', 'not-stated')
})
test('a value belongs to the part and the row that have most of the words', async () => {
  const warranty =
    'The warranty lasts 24 months from the date of purchase, and 36 months for the boiler.'
  await check(warranty, 'The boiler is under warranty for 24 months.', 'unknown')
  await check(warranty, 'The warranty of the boiler lasts 36 months.', 'stated')
  await check('长租储物柜小号每月20元，大号每月35元。', '大号长租储物柜每月35元。', 'stated')
  await check('长租储物柜小号每月20元，大号每月35元。', '大号长租储物柜每月20元。', 'unknown')
  const costs =
    'Cost | Amount | Due\nRent | 4,150 per month | first day of the month\nInsurance rent | 515 per year | 1 June'
  await check(costs, 'The insurance rent is due on 1 June.', 'stated')
  await check(costs, 'The insurance rent is due on the first day of the month.', 'unknown')
})
test('a denial in other words does not contradict', async () => {
  const rule = 'People with a pacemaker must not enter the laboratory.'
  await check(rule, 'A pacemaker has to avoid the laboratory.', 'unknown')
  await check(rule, 'People with a pacemaker may enter the laboratory.', 'not-stated')
})
test('a number within a claimed bound does not contradict it, unlike another limit', async () => {
  const text = 'The report names 9 suppliers. The lift of the warehouse takes at most 120 kg.'
  await check(text, 'The report names more than 3 suppliers.', 'unknown')
  await check(text, 'The report names at least five suppliers.', 'unknown')
  await check(text, 'The report names fewer than 12 suppliers.', 'unknown')
  await check(text, 'The report names more than 12 suppliers.', 'not-stated')
  await check(text, 'The report names fewer than 3 suppliers.', 'not-stated')
  await check(text, 'The lift of the warehouse takes at most 150 kg.', 'not-stated')
  await check('报告列出了九家供应商。', '报告列出了超过3家供应商。', 'unknown')
  await check('报告列出了九家供应商。', '报告列出了不足3家供应商。', 'not-stated')
  await check('仓库电梯最多载重120公斤。', '仓库电梯最多载重150公斤。', 'not-stated')
})
test('what a source neither says nor contradicts is not confirmed', async () => {
  await check(
    'Bookings are not refunded after the boat has left.',
    'After the boat has left, there is no refund.',
    'unknown',
  )
  await check(
    'Visitors 18,400, up from 15,250 a year ago',
    'Visitors rose from 15,250 to 18,400 in a year.',
    'unknown',
  )
  await check(
    'Papers are not issued until the hatch is repaired.',
    'Papers are issued once the hatch is repaired.',
    'unknown',
  )
  await check('The boathouse opens at 8:30.', 'Seven sailors founded the club.', 'unknown')
})
test('words that a source only asks, or only states under a condition, are not its words', async () => {
  for (const [text, claim] of [
    ['If the boiler leaks, close the lower valve.', 'Close the lower valve.'],
    ['If the boiler leaks, close the lower valve.', 'The boiler leaks.'],
    ['Close the lower valve if the boiler leaks.', 'Close the lower valve.'],
    ['Check whether the bridge is safe.', 'The bridge is safe.'],
    ['如果锅炉漏水，应当关闭下阀。', '应当关闭下阀。'],
    ['请检查桥梁是否安全可靠。', '桥梁安全可靠。'],
    ['单次出差超过7天的，须由分管副总经理审批。', '须由分管副总经理审批。'],
  ] as const)
    await check(text, claim, 'unknown')
  const both = 'The office opens at nine, and if it rains, the hall is used.'
  await check(both, 'The office opens at nine.', 'stated')
  await check('出差超过7天的，须经审批；出境一律由总经理审批。', '出境一律由总经理审批。', 'stated')
})
test('words of two lines of a form are not one statement, unless a mark parts them', async () => {
  const form = 'Lender: Rosa Delgado\nBorrower: Emily Carter'
  await check(form, 'Rosa Delgado Borrower', 'unknown')
  await check(form, 'Lender: Rosa Delgado, Borrower: Emily Carter', 'stated')
})
test('a negation inside a word contradicts nothing', async () => {
  await check('甲仓存放不锈钢螺栓和密封圈', '密封圈存放在甲仓。', 'unknown')
  await check('甲仓不存放密封圈', '密封圈存放在甲仓。', 'not-stated')
})
