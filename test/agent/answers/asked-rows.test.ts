import { expect, test } from 'vitest'
import { type Answer, collectAnswer } from '../../../src/agent/answer.ts'
import { ExtractiveAnswerer } from '../../../src/agent/answers/extractive.ts'
import { type InlineDocument, MemorySearcher } from '../../fakes/memory-searcher.ts'

const BOATS: InlineDocument = {
  name: 'boats.csv',
  text: [
    'Boat | Harbour | Length m | Price EUR | Built',
    'Alma | Bergen | 9.4 | 48,000 | 1998',
    'Brisa | Malmo | 7 | 21,500 | 2011',
    'Corvo | Bergen | 12 | 96,000 | 2019',
    'Dagny | Turku | 6.2 | 9,800 | 2004',
  ].join('\n'),
}
const 植物: InlineDocument = {
  name: '植物.csv',
  text: '编号 | 植物名称 | 区域 | 株数 | 高度(cm)\n一号 | 银杏 | 东园 | 12 | 850\n二号 | 玉兰 | 西园 | 0 | 430\n三号 | 海棠 | 东园 | 31 | 260',
}
const SALES: InlineDocument = { name: 'sales.csv', text: 'Quarter | Sales\nQ1 | 310\nQ2 | 280\nQ3 | 355' }

async function ask(question: string, ...documents: readonly InlineDocument[]): Promise<Answer> {
  const memory = new MemorySearcher(documents)
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  return collectAnswer(answerer.answer({ question, collectionIds: ['default'], documents: () => memory.documents }))
}

/** The rows that are quoted, by their first cells. */
async function rows(question: string, ...documents: readonly InlineDocument[]): Promise<readonly string[]> {
  const { citations, abstained } = await ask(question, ...documents)
  expect({ question, abstained }).toEqual({ question, abstained: false })
  return citations.flatMap(({ text }) => text.split('\n').map(row => row.split(' | ')[0] ?? ''))
}

const ENGLISH: Readonly<Record<string, readonly string[]>> = {
  'Which boats lie in Bergen?': ['Alma', 'Corvo'],
  'boats in Turku': ['Dagny'],
  'Which boats have a price over 40000?': ['Alma', 'Corvo'],
  'Which boats have a price of at most EUR 21,500?': ['Brisa', 'Dagny'],
  'Which boats are longer than 8 m?': ['Alma', 'Corvo'],
  'Which boats were built before 2005?': ['Alma', 'Dagny'],
  'Which boats with a price below 50000 lie in Bergen?': ['Alma'],
  'Which boat was built in 2011?': ['Brisa'],
  'What is the price of Corvo?': ['Corvo'],
}
test.each(Object.entries(ENGLISH))('the rows that meet the question are quoted: %s', async (question, expected) => {
  expect(await rows(question, BOATS)).toEqual(expected)
})

const CHINESE: Readonly<Record<string, readonly string[]>> = {
  '株数为0的植物有哪些？': ['二号'],
  '株数为零的植物有哪些？': ['二号'],
  '哪些植物的株数是31？': ['三号'],
  '株数大于10的植物有哪些？': ['一号', '三号'],
  '高度不超过430cm的植物有哪些？': ['二号', '三号'],
  '东园有哪些植物？': ['一号', '三号'],
  '三号植物的高度是多少？': ['三号'],
}
test.each(Object.entries(CHINESE))(
  'the rows that meet a Chinese question are quoted: %s',
  async (question, expected) => {
    expect(await rows(question, 植物)).toEqual(expected)
  },
)

const UNMET: readonly (readonly [string, InlineDocument])[] = [
  ['Which boats have a price over 200000?', BOATS],
  ['What were the sales in Q4?', SALES],
  ['What were the sales in the fourth quarter?', SALES],
  ['第四季度的销售额是多少？', { name: '销售.csv', text: '季度 | 销售额\n一季度 | 310\n二季度 | 280\n三季度 | 355' }],
  ['五号植物的高度是多少？', 植物],
  ['株数为7的植物有哪些？', 植物],
  ['区域为南园的植物有哪些？', 植物],
]
test.each(UNMET)('where no row meets the question, the documents do not say: %s', async (question, table) => {
  const { abstained, citations } = await ask(question, table)
  expect(abstained).toBe(true)
  expect(citations.length).toBeGreaterThan(0)
})

test('the quarter is found however it is written', async () => {
  expect(await rows('What were the sales in the second quarter?', SALES)).toEqual(['Q2'])
})
test('a table that speaks of something else has no rows to answer with', async () => {
  expect(await ask('Which museums in Bergen open on Sundays?', BOATS)).toMatchObject({ abstained: true })
})
test('rows that no search found are among those that meet the question', async () => {
  const memory = new MemorySearcher([BOATS])
  const [table] = await memory.search({ text: 'boat', collectionIds: ['default'], limit: 1 })
  const end = table!.text.indexOf('\nBrisa')
  const found = { ...table!, text: table!.text.slice(0, end), charEnd: end }
  const answerer = new ExtractiveAnswerer({ searcher: { search: async () => [found] }, reader: memory })
  const asked = { question: 'Which boats lie in Bergen?', collectionIds: ['default'], documents: () => [] }
  const { citations } = await collectAnswer(answerer.answer(asked))
  expect(citations.map(({ text }) => text.split(' | ')[0])).toEqual(['Alma', 'Corvo'])
})
test('of more rows than an answer holds, it says how many there are besides', async () => {
  const lines = Array.from({ length: 300 }, (_, at) => `Boat ${at} of the northern fleet | Bergen | ${at}`)
  const { answer } = await ask('Which boats lie in Bergen?', {
    name: 'boats.csv',
    text: ['Boat | Harbour | Price', 'Ida | Turku | 3', ...lines].join('\n'),
  })
  expect(answer).toMatch(/\n\d+ more passages were found; a narrower question shows them\.$/)
})
