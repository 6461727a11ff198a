import { expect, test } from 'vitest'
import { relateAnswer } from '../../../src/answer/citations/attribution.ts'
import { openLexicon, openWordRarity } from '../../../src/app/lexicon.ts'
import type { Passage } from '../../../src/search/passages/passage.ts'
import { EnglishTerms } from '../../../src/text/english-terms.ts'
import { Terms } from '../../../src/text/terms.ts'

const FERRY = `Winter timetable

The crew sells 73% of all tickets on board.

Visitors to the lighthouse climbed from 3,200 to 4,150 because the ferry ran twice a day, while ticket income fell from 18% to 12% of the budget.

Dogs are forbidden on the upper deck since the storm of May 2021. Bicycles are allowed on the lower deck.

Members who joined less than four years ago pay 6 crowns. Groups of at least ten people must book by telephone. Seniors may use the quiet cabin up to three times a week.

Lost luggage is kept for 40 days; it is not sent home. A deposit of 2.50 EUR is paid for a locker.

The Skerry office was closed on 12 October 2023. In June we opened our second office in Tarn, with 340 square metres.

Can I take a kayak?

No. Only boards of up to two metres are carried.

Harbour | Crossing (minutes) | Fare (EUR)
Skerry | 35 | 18
Tarn | 50 | 24
Ulva Point | 20 | 11`

const POOL = `游泳馆规则

儿童池水深不超过80厘米，成人池水深不少于150厘米。馆内禁止拍照，更衣室可以寄存物品。

今年会员人数增长，门票收入下降。游泳馆可以提前两小时关闭。

持月卡的会员可以自愿参加体检。

泳道 | 收费（元/小时） | 开放时间
快道 | 45 | 上午
慢道 | 30 | 全天
教学道 | 60 | 下午`

const passages = [FERRY, POOL].map((text, at): Passage => {
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
const rarity = openWordRarity()
const english = new EnglishTerms(openLexicon(), new Terms())

/** What is said of the source that the claim names. */
async function supportOf(claim: string, id: number) {
  const { references } = await relateAnswer(claim.replace(/(?=[.。]$)/, ` [${id}]`), {
    passages,
    terms,
    english,
    rarity,
  })
  return references.find(({ marker }) => marker === id)?.support ?? 'not-stated'
}

const isStated = (id: number) => async (claim: string) =>
  expect(await supportOf(claim, id)).toBe('stated')
const isNotStated = (id: number) => async (claim: string) =>
  expect(await supportOf(claim, id)).not.toBe('stated')

test.each([
  'Ticket income rose from 12% to 18% of the budget.',
  'Dogs are allowed on the upper deck.',
  'Dogs may go on the upper deck.',
  'Bicycles are forbidden on the lower deck.',
  'Members who joined more than four years ago pay 6 crowns.',
  'Groups of at most ten people must book by telephone.',
  'Seniors must use the quiet cabin three times a week.',
  'Seniors may use the quiet cabin at least three times a week.',
  'Lost luggage is sent home after 40 days.',
  'Lost luggage is kept for 40 weeks.',
  'A deposit of 2.50 dollars is paid for a locker.',
  'The Tarn office was closed on 12 October 2023.',
  'The Skerry office was opened in June.',
  'Yes, you can take a kayak.',
  'Ticket income fell because wages doubled.',
  'Visitors climbed because the lighthouse was painted blue.',
  'The fare from Tarn is 18 EUR.',
  'The crossing from Skerry takes 50 minutes.',
  'The fare from Ulva Point is 20 EUR.',
  'From Skerry the fare is 24 EUR and from Tarn it is 18 EUR.',
])('%s is not what the document says', isNotStated(1))
test.each([
  'Ticket income fell from 18% to 12% of the budget.',
  'Dogs are prohibited on the upper deck.',
  'Dogs are not allowed on the upper deck.',
  'You may take bicycles on the lower deck.',
  'Members who joined under four years ago pay 6 crowns.',
  'Groups of ten or more people must book by telephone.',
  'Seniors can use the quiet cabin at most three times a week.',
  'Lost luggage is kept for 40 days and not sent home.',
  'A deposit of €2.50 is paid for a locker.',
  'The Skerry office was closed on 12 October 2023.',
  'In June the second office was opened in Tarn.',
  'No, you cannot take a kayak.',
  'The crew sells 73% of tickets on board.',
  'Visitors to the lighthouse climbed because the ferry ran twice a day.',
  'The fare from Tarn is 24 EUR.',
  'The crossing from Skerry takes 35 minutes and the fare is 18 EUR.',
  'The fare is 11 EUR from Ulva Point.',
  'Visitors to the lighthouse increased from 3,200 to 4,150.',
])('%s is what the document says', isStated(1))
test.each([
  '儿童池水深不少于80厘米。',
  '成人池水深不超过150厘米。',
  '馆内允许拍照。',
  '慢道收费为45元/小时。',
  '快道收费为60元/小时。',
  '持月卡的会员必须参加体检。',
])('%s is not what the Chinese document says', isNotStated(2))
test.each([
  '成人池水深至少150厘米。',
  '馆内严禁拍照。',
  '慢道收费为30元/小时。',
  '教学道每小时收费60元，下午开放。',
  '持月卡的会员可以参加体检。',
])('%s is what the Chinese document says', isStated(2))
test('a row is quoted with its header, and so found without a marker', async () => {
  const found = await relateAnswer('The fare from Ulva Point is 11 EUR.', { passages, terms })
  expect(found.references.map(({ span }) => FERRY.slice(span.start, span.end))).toEqual([
    FERRY.slice(FERRY.indexOf('Harbour |')),
  ])
})
test('a row far below its header is quoted beside it', async () => {
  const rows = Array.from(
    { length: 30 },
    (_, at) => `Quay ${String.fromCharCode(65 + at)}x, northern wall | ${at + 100}`,
  )
  const text = ['Berth | Length of the boat (m)', ...rows].join('\n')
  const passage = { ...passages[0]!, text, charEnd: text.length } // there are two
  const found = await relateAnswer('The length of a boat at quay Zx is 125 m [1].', {
    passages: [passage],
    terms,
  })
  expect(found.references.map(({ span }) => text.slice(span.start, span.end))).toEqual([
    'Berth | Length of the boat (m)',
    'Quay Zx, northern wall | 125',
  ])
})
