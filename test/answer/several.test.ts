import { expect, test } from 'vitest'
import type { AskRequest } from '../../src/agent/groundings/extractive.ts'
import { ExtractiveAnswerer } from '../../src/agent/groundings/extractive.ts'
import { openLexicon } from '../../src/app/lexicon.ts'
import type { Query } from '../../src/search/searcher.ts'
import { collectAnswer } from '../fakes/answers.ts'
import { type InlineDocument, MemorySearcher } from '../fakes/memory-searcher.ts'

const LEXICON = openLexicon()

const 图书馆: InlineDocument = {
  name: '图书馆.md',
  text: '# 借阅\n\n成人读者每次可借图书十册，借期三十天。儿童读者每次可借六册，借期四十五天。',
}

function setUp(documents: readonly InlineDocument[]) {
  const memory = new MemorySearcher(documents)
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  const ask = (question: string, more: Partial<AskRequest> = {}) =>
    answerer.answer({
      question,
      collectionIds: ['default'],
      documents: async () => memory.documents,
      ...more,
    })
  return { memory, ask }
}

const TOWNS: readonly InlineDocument[] = ['northport.md', 'southport.md', 'eastport.md'].map(
  (name, at) => ({
    name,
    text: `# Rules\n\nA late book costs ${at + 1}0 cents a day.${at === 2 ? '' : `\n\nA room costs ${at + 4} euros.`}`,
  }),
)

test('documents that are compared are each asked, and named', async () => {
  const { answer, citations } = await collectAnswer(
    setUp(TOWNS).ask('Compare what a late book costs in northport.md and southport.md'),
  )
  expect(answer).toContain('northport.md: A late book costs 10 cents a day. [1]')
  expect(answer).toContain('southport.md: A late book costs 20 cents a day. [2]')
  expect(citations.map(({ doc }) => doc)).toEqual(['northport.md', 'southport.md'])
})

test('of a comparison without an answer, the nearest passages are shown', async () => {
  const found = await collectAnswer(
    setUp(TOWNS).ask('Compare who repairs a torn book in northport.md and southport.md'),
  )
  expect(found.abstained).toBe(true)
  expect(new Set(found.citations.map(({ doc }) => doc))).toEqual(
    new Set(['northport.md', 'southport.md']),
  )
})
test('of documents compared, the one that does not say is named, too', async () => {
  const { answer } = await collectAnswer(
    setUp(TOWNS).ask('How do the costs of a room differ in northport.md and eastport.md?'),
  )
  expect(answer).toMatch(/northport\.md: .*A room costs 4 euros/)
  expect(answer).toContain('eastport.md: The documents do not say.')
})

test('where all of a kind are asked for, every page of hits is looked through', async () => {
  const many = Array.from({ length: 25 }, (_, at) => ({
    name: `${at}.md`,
    text: `# Branch ${at}\n\nThe opening hours of branch ${at} are from ${at} to 18.`,
  }))
  const { memory, ask } = setUp(many)
  const { citations } = await collectAnswer(ask('List all opening hours of the branches'))
  expect(citations.length).toBeGreaterThan(10)
  expect(memory.queries.map(({ limit }) => limit)).toEqual([8, 16, 24, 32, 40])
})

test('a list longer than an answer can be says how many more there are', async () => {
  const check = async (length: number, told: string) => {
    const many = Array.from({ length }, (_, at) => ({
      name: `${at}.md`,
      text: `# Branch ${at}\n\nThe opening hours of branch ${at} are from ${at} to 18.`,
    }))
    const { answer, citations } = await collectAnswer(
      setUp(many).ask('List all opening hours of the branches'),
    )
    expect(citations).toHaveLength(60)
    expect(answer.split('\n').at(-1)).toBe(told)
  }
  await check(90, '30 more passages were found; a narrower question shows them.')
  await check(61, '1 more passage was found; a narrower question shows it.')
})

test('a list is made of documents in the other language where those in its own have nothing', async () => {
  const { memory } = setUp([图书馆])
  const hits = await memory.search({
    text: '儿童读者每次可借',
    collectionIds: ['default'],
    limit: 9,
  })
  const searcher = { search: async ({ filter }: Query) => (filter ? hits : []) }
  const answerer = new ExtractiveAnswerer({ searcher, reader: memory, lexicon: LEXICON })
  const request = {
    question: 'List everything that readers may borrow',
    collectionIds: ['default'],
    documents: async () => [],
  }
  expect(await collectAnswer(answerer.answer(request))).toMatchObject({
    abstained: false,
    answer: expect.stringMatching(/^In the documents' own words \(Chinese\):[\s\S]*十册/),
  })
})

test('documents are compared by a word of their names, and things where no documents are named', async () => {
  const leases = [
    { name: 'flat-lease.md', text: '# Flat\n\nThe notice period is three months.' },
    { name: 'service-contract.md', text: '# Service\n\nThe notice period is six weeks.' },
  ]
  const ask = async (question: string, documents: readonly InlineDocument[]) =>
    (await collectAnswer(setUp(documents).ask(question))).answer
  expect(
    await ask('Compare the notice period in the lease and the service contract', leases),
  ).toMatch(/flat-lease\.md: .*three months.*\nservice-contract\.md: .*six weeks/)
  expect(
    await ask('What is the difference between adult loans of books and children loans of books?', [
      {
        name: 'rules.md',
        text: '# Rules\n\nAdult loans of books last four weeks.\n\n# More\n\nChildren loans of books last six weeks.',
      },
    ]),
  ).toMatch(/adult loans of books: .*four weeks[\s\S]*children loans of books: .*six weeks/)
  expect(
    await ask('年假和病假的天数有什么区别？', [
      { name: '假期.md', text: '# 年假\n\n年假的天数为十天。\n\n# 病假\n\n病假的天数为三十天。' },
    ]),
  ).toMatch(/年假: .*十天[\s\S]*病假: .*三十天/)
})

test('things are compared by their numbers, in whatever language the table is', async () => {
  const tools = {
    name: '产品.md',
    text: '型号 | 名称 | 价格\nA200 | 冲击钻 | 599\nB300 | 角磨机 | 459\nC400 | 测距仪 | 389',
  }
  const ask = async (question: string) => (await collectAnswer(setUp([tools]).ask(question))).answer
  expect(await ask('A200和B300有什么区别？')).toMatch(
    /A200: .*价格: 599 \[1\]\nB300: .*价格: 459 \[2\]$/,
  )
  expect(await ask('What is the difference between A200 and B300?')).toMatch(
    /words \(Chinese\):\nA200: .*\nB300: /,
  )
  expect(await ask('A200和B900有什么区别？')).toMatch(/A200: .*599 \[1\]\nB900: 文档中没有说明。$/)
})

test('of a document and a thing that are compared, the document does not speak for the thing', async () => {
  const 手册 = { name: '员工手册.md', text: '# 通知\n\n通知期为三十天。' }
  const 食堂 = { name: '食堂.md', text: '# 食堂\n\n午餐十二点开始供应。' }
  const { answer } = await collectAnswer(
    setUp([手册, 食堂]).ask('租赁合同和员工手册的通知期有什么不同？'),
  )
  expect(answer).toMatch(/租赁合同: 文档中没有说明。\n员工手册\.md: 通知期为三十天。 \[1\]$/)
})
