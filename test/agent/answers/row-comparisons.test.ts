import { expect, test } from 'vitest'
import { askedRows } from '../../../src/agent/answers/tables/asked-rows.ts'
import { Terms } from '../../../src/agent/language/terms.ts'
import { unitsOf } from '../../../src/agent/language/units.ts'
import { mergeHits } from '../../../src/search/passages/context.ts'
import { type InlineDocument, MemorySearcher } from '../../fakes/memory-searcher.ts'

/** First cells of the rows that may answer: all of them where nothing is asked of them that is sure. */
async function allowed(question: string, table: InlineDocument): Promise<string> {
  const memory = new MemorySearcher([table])
  const hits = await memory.search({ text: question, collectionIds: ['default'], limit: 8 })
  expect({ question, hits: hits.length }).toEqual({ question, hits: 1 })
  const { allows } = await askedRows(question, hits, { reader: memory, terms: new Terms() })
  const rows = mergeHits(hits)
    .flatMap(unitsOf)
    .filter(unit => unit.columns && allows(unit))
  return rows.map(({ text }) => text.split(' | ')[0]).join(' ')
}

const CRATES: InlineDocument = {
  name: 'crates.csv',
  text: [
    'Crate | State | Weight kg | Filled',
    'C-a | active | 400 | 1998',
    'C-b | passive | 1000 | 2004',
    'C-c | active | 1600 | 2011',
    'C-d | retired | 2300 | 2019',
  ].join('\n'),
}
const 货箱: InlineDocument = {
  name: '货箱.csv',
  text: '货箱 | 状态 | 长度\n甲 | 已装船 | 100\n乙 | 未装船 | 150\n丙 | 已装船 | 240',
}
const SALES: InlineDocument = {
  name: 'sales.csv',
  text: 'Quarter | Sales\nQ1 | 310\nQ2 | 280\nQ3 | 355\nQ4 | 401',
}
const ALL = 'C-a C-b C-c C-d'

const NEGATED: Readonly<Record<string, string>> = {
  'Which crates do not exceed a weight of 1000?': ALL,
  'Which crates have a weight that does not exceed 1000?': 'C-a C-b',
  "Which crates have a weight that doesn't exceed 1000?": 'C-a C-b',
  'List crates with a weight not exceeding 1000': 'C-a C-b',
  'Which crates have a weight no bigger than 1000?': 'C-a C-b',
  'Which crates are not heavier than 1000 kg?': 'C-a C-b',
  'Which crates have a weight no lower than 1000?': 'C-b C-c C-d',
  'Which crates have a weight greater than or equal to 1600?': 'C-c C-d',
  'Which crates do not have a weight of 1000?': ALL,
  'Which crates are not active?': ALL,
  'Which crates were never active?': ALL,
  'Which crates are no longer active?': ALL,
  "Which crates weren't active?": ALL,
  'Which crates are active?': 'C-a C-c',
}
test.each(Object.entries(NEGATED))(
  'what is denied is not answered with its opposite: %s',
  async (question, expected) => {
    expect(await allowed(question, CRATES)).toBe(expected)
  },
)

const DIRECTIONS: Readonly<Record<string, string>> = {
  'Which crates are heavier than 1000 kg?': 'C-c C-d',
  'Which crates have a weight thinner than 1000?': 'C-a',
  'Which crates have a weight nearer than 1000?': 'C-a',
  'Which crates have a weight sleeker than 1000?': ALL,
  'Which crates have a weight other than 1000?': ALL,
  'Which crates exceed a weight of 1000?': ALL,
  'Which crates were filled older than 2005?': 'C-a C-b',
}
test.each(Object.entries(DIRECTIONS))('an adjective tells which way it compares: %s', async (question, expected) => {
  expect(await allowed(question, CRATES)).toBe(expected)
})

const CHINESE: Readonly<Record<string, string>> = {
  '长度未超过150的货箱有哪些？': '甲 乙',
  '长度没有超过150的货箱有哪些？': '甲 乙',
  '哪些货箱的长度不长于150？': '甲 乙',
  '长度不得超过150的货箱有哪些？': '甲 乙',
  '长度大于等于150的货箱有哪些？': '乙 丙',
  '长度等于150的货箱有哪些？': '乙',
  '未装船的货箱有哪些？': '乙',
  '还没有已装船的货箱有哪些？': '甲 乙 丙',
  '有没有长度超过150的货箱？': '丙',
  '已装船的货箱有哪些？': '甲 丙',
}
test.each(Object.entries(CHINESE))('in Chinese as well: %s', async (question, expected) => {
  expect(await allowed(question, 货箱)).toBe(expected)
})

test.each(['What were the sales in Q2?', 'Sales of the 2nd quarter?'])('a quarter is told: %s', async question => {
  expect(await allowed(question, SALES)).toBe('Q2')
})
test('which quarter was the last is not told', async () => {
  expect(await allowed('What were the sales in the last quarter?', SALES)).toBe('Q1 Q2 Q3 Q4')
})

const SEVERAL: Readonly<Record<string, string>> = {
  'Which crates were filled in 1998 and 2011?': 'C-a C-c',
  'Which crates have a weight of 400 or 1600?': 'C-a C-c',
  'Which crates were filled from 1998 to 2005?': 'C-a C-b',
  'Which crates have a weight between 1000 and 2000?': 'C-b C-c',
  'List crates of 400 to 1000 kg': 'C-a C-b',
  'List crates with weight 1,000-1,600': 'C-b C-c',
  'Which crates have a weight under 1000 or over 2000?': 'C-a C-d',
  'Which crates have a weight over 400 and under 2000?': 'C-b C-c',
  'Which crates have a weight over 1000 or are active?': ALL,
  'Which crates do not have a weight between 1000 and 2000?': ALL,
  'Which crates went from 2300 to 400 kg?': ALL,
}
test.each(Object.entries(SEVERAL))('several numbers of a column: %s', async (question, expected) => {
  expect(await allowed(question, CRATES)).toBe(expected)
})
const SEVERAL_CHINESE: Readonly<Record<string, string>> = {
  '长度为100和240的货箱有哪些？': '甲 丙',
  '长度在100和200之间的货箱有哪些？': '甲 乙',
  '长度150至300的货箱有哪些？': '乙 丙',
}
test.each(Object.entries(SEVERAL_CHINESE))('several numbers of a Chinese column: %s', async (question, expected) => {
  expect(await allowed(question, 货箱)).toBe(expected)
})
test.each(['2020年和2022年的收入是多少？', '2020年、2022年的收入'])('two years: %s', async question => {
  const table = { name: '收入.csv', text: '年份 | 收入\n2020 | 31\n2021 | 28\n2022 | 35' }
  expect(await allowed(question, table)).toBe('2020 2022')
  expect(await allowed('2020年到2021年的收入是多少？', table)).toBe('2020 2021')
})

const RISKS: InlineDocument = {
  name: 'risks.csv',
  text: 'Risk | Level | Shop\nfloods | High | open\nstorms | Low | shut\nfires | High | open',
}
const ASKING: Readonly<Record<string, string>> = {
  'How high is the risk of rain?': 'floods storms fires',
  'When does the shop with the risk open?': 'floods storms fires',
  'Which risks have the level high?': 'floods fires',
}
test.each(Object.entries(ASKING))('the words that ask are no cells: %s', async (question, expected) => {
  expect(await allowed(question, RISKS)).toBe(expected)
})

const PLOTS: InlineDocument = {
  name: 'plots.csv',
  text: 'Plot | Area | Lowest °C | Visitors\nP-a | 45 m² | −5 | 120²\nP-b | 90 m² | 3 | 1,400\nP-c | 30 m² | −12 | 900',
}
const WRITTEN: Readonly<Record<string, string>> = {
  'Which plots had over 1000 visitors?': 'P-b',
  'Which plots have an area over 40 m²?': 'P-a P-b',
  'Which plots have a lowest below 0?': 'P-a P-c',
  'Which plots have a lowest below -6?': 'P-c',
  'Which plots had over one thousand visitors?': 'P-b',
  'Which plots had over 0.001 million visitors?': 'P-b',
}
test.each(Object.entries(WRITTEN))('numbers are read as they are written: %s', async (question, expected) => {
  expect(await allowed(question, PLOTS)).toBe(expected)
})
test('a comma that parts no thousands makes no number', async () => {
  const table = { name: 'mixes.csv', text: 'Mix | Share\nM-a | 0,8\nM-b | 1,2,3\nM-c | 9,4' }
  expect(await allowed('Which mixes have a share over 5?', table)).toBe('M-a M-b M-c')
})
