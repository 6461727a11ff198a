import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import type { AskRequest } from '../../src/agent/groundings/extractive-answerer.ts'
import { ExtractiveAnswerer } from '../../src/agent/groundings/extractive-answerer.ts'
import { openLexicon } from '../../src/app/lexicon.ts'
import { type Meaning, VectorMeaning } from '../../src/search/meaning.ts'
import { SentenceVectors } from '../../src/search/rerankers/sentence-vectors.ts'
import { type Answer, collectAnswer } from '../fakes/answers.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { type InlineDocument, MemorySearcher } from '../fakes/memory-searcher.ts'

const LEXICON = openLexicon()

const LIBRARY: InlineDocument = {
  name: 'library.md',
  text: [
    '# Harbour Library\n\nThe Harbour Library is open to all residents of the town. It stands beside the old lighthouse.',
    '## Borrowing\n\nAdults may borrow up to ten books for four weeks. Children may borrow six books for six weeks.',
    'Reserved books cannot be renewed, because another reader is waiting for them.',
    '## Fines\n\nA late book costs 20 cents a day. The fine never exceeds 5 euros per book.',
    '## Rooms\n\nRoom | Seats | Floor\nReading room | 80 | first\nStudy hall | 120 | second',
    '## Opening\n\nTo enter outside the opening hours:\n\n- Hold the card to the reader.\n\n- Enter the code.',
  ].join('\n\n'),
}
const 图书馆: InlineDocument = {
  name: '图书馆.md',
  text: [
    '# 滨江图书馆规则\n\n本规则适用于全体读者。',
    '## 借阅\n\n成人读者每次可借图书十册，借期三十天。儿童读者每次可借六册，借期四十五天。',
    '## 赔偿\n\n图书遗失的，按照原价的三倍赔偿。',
  ].join('\n\n'),
}

function hashedMeaning(): Meaning {
  const embedder = new HashingEmbedder()
  return new VectorMeaning(embedder, new SentenceVectors(embedder, async () => undefined))
}

function setUp(documents: readonly InlineDocument[], meaning?: Meaning) {
  const memory = new MemorySearcher(documents)
  const answerer = new ExtractiveAnswerer({
    searcher: memory,
    reader: memory,
    ...(meaning && { meaning }),
  })
  const ask = (question: string, more: Partial<AskRequest> = {}) =>
    answerer.answer({
      question,
      collectionIds: ['default'],
      documents: async () => memory.documents,
      ...more,
    })
  return { memory, ask }
}

async function answer(
  question: string,
  documents: readonly InlineDocument[] = [LIBRARY],
): Promise<Answer> {
  return collectAnswer(setUp(documents).ask(question))
}

/** The answer is an extract that holds the expected words. */
async function check(
  question: string,
  expected: string | RegExp,
  documents: readonly InlineDocument[] = [LIBRARY],
) {
  const found = await answer(question, documents)
  expect(found).toMatchObject({
    mode: 'extractive',
    abstained: false,
    answer: expect.stringMatching(expected),
  })
  expect(found.citations.every(citation => citation.verified)).toBe(true)
}

test('the answer says that it quotes, and marks the quotation', async () => {
  const found = await answer('How many books may children borrow?')
  expect(found.answer).toMatch(
    /^In the documents' own words:\n.*Children may borrow six books for six weeks\. \[1\]$/,
  )
})

test('the citation is the quoted text, read from the document', async () => {
  const { memory, ask } = setUp([LIBRARY])
  const { citations } = await collectAnswer(ask('How many books may children borrow?'))
  const [citation] = citations
  expect(citation).toMatchObject({
    marker: 1,
    doc: 'library.md',
    source: '/inline/1/library.md',
    verified: true,
  })
  expect(memory.textOf('doc_1').slice(citation?.charStart, citation?.charEnd)).toBe(citation?.text)
})

test('a line of a table of contents is no answer', async () => {
  const contents = 'Contents\n\nWhat a late book costs a day .... 3\n\nLost books . . . . . . 4'
  const text = `${contents}\n\n${LIBRARY.text}`
  await check('What does a late book cost a day?', /^(?!.*\.{4}).*20 cents/s, [
    { name: 'library.md', text },
  ])
})

test('retrieval, text, citations and the answer come in this order', async () => {
  const types: AgentEvent['type'][] = []
  for await (const event of setUp([LIBRARY]).ask('What does a late book cost?').events)
    types.push(event.type)
  expect(types).toEqual(['retrieval', 'text-delta', 'citation', 'finish'])
})

test('a question for a number finds the sentence with the number', () =>
  check('What does a late book cost?', /20 cents a day/))
test('a reason is found', () =>
  check('Why can reserved books not be renewed?', /because another reader is waiting/))
test('of a table, the row that the question names is quoted alone', async () => {
  const { answer: told } = await answer('How many seats has the reading room?')
  expect(told).toMatch(/Reading room; Seats: 80/)
  expect(told).not.toContain('Study hall')
})
test('of a table row with prose in its cells, the sentence that answers is quoted', async () => {
  const prose = 'The reading room is quiet and has lamps on every desk. '.repeat(14)
  const row = `Lisbon | ${prose}Adults may borrow ten books at a time. ${prose}| open`
  const { ask } = setUp([{ name: 'rooms.md', text: `Room | Notes | State\n${row}\n` }])
  const { citations } = await collectAnswer(ask('How many books may adults borrow?'))
  expect(citations.map(({ text }) => text.length < 200)).toEqual([true])
  expect(citations[0]?.text).toContain('ten books at a time')
})

test('a table row is quoted with its columns named', () =>
  check('How many seats does the study hall have?', /Room: Study hall; Seats: 120; Floor: second/))
test('a colon is followed by the list that it announces', () =>
  check(
    'How can I enter outside the opening hours?',
    /Hold the card to the reader\.\n- Enter the code\./,
  ))
test('the number of a list item stays with the item', () =>
  check('How many days is bereavement?', /\n2\. Bereavement: 3 days\. \[1\]/, [
    { name: 'leave.md', text: '# Leave\n\n1. Wedding: 10 days.\n\n2. Bereavement: 3 days.' },
  ]))
test('a list that is asked for is quoted from its beginning', () =>
  check(
    'What are the goals of the library?',
    /goals:\n- Lend books of the library\.\n- Teach in the library\./,
    [
      {
        name: 'goals.md',
        text: '# About\n\nIt was founded in 1903.\n\nThe library has these goals:\n\n- Lend books of the library.\n\n- Teach in the library.',
      },
    ],
  ))
test('a heading that asks is no answer, the text under it is', () =>
  check('What is a reader card?', /A reader card is a card that proves/, [
    {
      name: 'faq.md',
      text: '# FAQ\n\n## What is a reader card?\n\nA reader card is a card that proves that its reader is a member of the library.\n\n## Fees?\n\nNone.',
    },
  ]))
test('the name of the document is asked for in no sentence of it', () =>
  check('What does a late book cost under the Borrowing Act 7?', /20 cents a day/, [
    {
      name: 'act.md',
      text: '# Borrowing Act 7\n\nA late book costs 20 cents a day.\n\nThe Borrowing Act 7 replaces the Borrowing Act 6.',
    },
  ]))
test('both parts of a question are answered', () =>
  check(
    'How long may adults borrow books, and what is the fine for a late book?',
    /four weeks[\s\S]*20 cents/,
  ))
test('a Chinese question is answered in the words of the Chinese text', () =>
  check('图书遗失怎么赔偿？', /^文档原文：\n图书遗失的，按照原价的三倍赔偿。 \[1\]$/, [图书馆]))

test('the same words in two copies of a document are quoted once', async () => {
  const { citations } = await answer('What does a late book cost?', [
    LIBRARY,
    { ...LIBRARY, name: 'copy.md' },
  ])
  expect(
    citations.map(citation => citation.text).filter(text => text.includes('20 cents')),
  ).toHaveLength(1)
})

test('a question that the documents do not answer is not answered', async () => {
  const found = await answer('What is the salary of the librarian?')
  expect(found).toMatchObject({
    abstained: true,
    answer: 'The answer was not found in the documents.',
  })
})

test('of several things in one question, each is answered, or named as not found', async () => {
  const documents = [
    { name: '差旅.md', text: '# 差旅\n\n住宿标准为每晚四百五十元。\n\n报销须在三十天内提交。' },
    { name: 'travel.md', text: '# Travel\n\nThe hotel limit is 140 euros a night.' },
  ]
  const chinese = await answer('住宿标准和交通补贴是多少？', documents)
  expect(chinese.answer).toMatch(/四百五十元。 \[1\]\n没有找到“交通补贴”的答案。/)
  const english = await answer('What are the hotel limit and the mileage rate?', documents)
  expect(english.answer).toMatch(
    /140 euros a night. \[1\]\nNo answer was found for “mileage rate”\./,
  )
  expect(await answer('餐补和交通补贴是多少？', documents)).toMatchObject({ abstained: true })
})

test('the refusal is in the language of the question', async () => {
  expect(await answer('停车场收费标准是多少？', [图书馆])).toMatchObject({
    abstained: true,
    answer: '在文档中没有找到答案。',
  })
})

test('with nothing found, nothing is cited', async () => {
  expect(await answer('zzz qqq')).toMatchObject({ abstained: true, citations: [] })
})

test('the best quotation comes first, wherever it stands in the document', async () => {
  const { answer } = await collectAnswer(
    setUp([
      {
        name: 'fees.md',
        text: '# Fees\n\nThe fee for late books is explained to every reader of the library.\n\n# Table of fees\n\nThe late fee of books is 20 cents.',
      },
    ]).ask('How much is the late fee of books?'),
  )
  expect(answer).toMatch(/own words:\nThe late fee of books is 20 cents/)
})

test('words that the document no longer has are not quoted', async () => {
  const { memory, ask } = setUp([LIBRARY])
  memory.read = async () => 'something else'
  expect(await collectAnswer(ask('How many books may children borrow?'))).toMatchObject({
    abstained: true,
    citations: [],
  })
})

test('the answer to an English question about a document with a Chinese name is English', async () => {
  const found = await answer('What does 图书馆.md say about parking fees?', [图书馆])
  expect(found).toMatchObject({
    abstained: true,
    answer: 'The answer was not found in the documents.',
  })
})

test('no sentence has to say how long something is with the word long', () =>
  check('How long is the warranty of the pump?', /warranty of the pump is 36 months/, [
    { name: 'pump.md', text: '# Pump\n\nThe warranty of the pump is 36 months.' },
  ]))

test('a question that names a file is answered from that file alone', async () => {
  const rules = ['east.md', 'west.md'].map((name, at) => ({
    name,
    text: `# Fines\n\nA late book costs ${at + 1}0 cents.`,
  }))
  const found = await answer('What does west.md say about the cost of a late book?', rules)
  expect(found.citations.map(({ doc, text }) => [doc, text])).toEqual([
    ['west.md', 'A late book costs 20 cents.'],
  ])
  expect(found.question).toBe('What does west.md say about the cost of a late book?')
})

test('of a table, no other row is quoted for a second part of the question', async () => {
  const { answer: told } = await answer('机械故障的响应时间是多久？由哪个部门负责？', [
    {
      name: '合同.md',
      text: '# 质保\n\n项目 | 响应时间 | 负责部门\n软件故障 | 2小时 | 技术支持部\n机械故障 | 4小时 | 售后服务部',
    },
  ])
  expect(told).toContain('响应时间: 4小时; 负责部门: 售后服务部')
  expect(told).not.toContain('软件故障')
})

test('an answer says how likely it answers: that of several parts is as sure as the least sure of them', async () => {
  const sureOf = async (question: string) => (await answer(question)).confidence
  const first = await sureOf('How long may adults borrow books?')
  const second = await sureOf('What is the fine for a late book?')
  const both = await sureOf(
    'How long may adults borrow books, and what is the fine for a late book?',
  )
  expect(first).not.toBe(second)
  expect(both).toBe(Math.min(first!, second!)) // both are answered, as the comparison shows
  expect(await sureOf('What is the salary of the librarian?')).toBeUndefined()
})

test('by strictness, a doubtful question is answered or not', async () => {
  const ask = async (strictness: number) => {
    const memory = new MemorySearcher([LIBRARY])
    const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory, strictness })
    const request = { collectionIds: ['default'], documents: async () => memory.documents }
    const questions = [
      'What does a late book cost?',
      'Which members may renew reserved books?',
      'Who paints the lighthouse?',
    ]
    return await Promise.all(
      questions.map(
        async question =>
          (await collectAnswer(answerer.answer({ ...request, question }))).abstained,
      ),
    )
  }
  expect(await ask(0)).toEqual([false, false, false])
  expect((await ask(0.5))[0]).toBe(false)
  expect((await ask(1)).slice(1)).toEqual([true, true])
})

test('the failure of a search is thrown as it was', async () => {
  const { memory } = setUp([LIBRARY])
  const searcher = { search: async () => Promise.reject(new Error('no index')) }
  const answerer = new ExtractiveAnswerer({ searcher, reader: memory, lexicon: LEXICON })
  const asked = answerer.answer({ question: 'Why?', collectionIds: [], documents: async () => [] })
  await expect(collectAnswer(asked)).rejects.toThrow('no index')
})

const sentence = fc.constantFrom(
  ...[
    'Adults may borrow ten books.',
    '借期三十天。',
    'a | b',
    'Dr. Lee, who\nborrows books',
    '- borrow 5 books',
    '“书” ﬁne',
  ],
  'x'.repeat(450),
)
const text = fc.array(fc.tuple(sentence, fc.constantFrom(' ', '\n', '\n\n', '\n\n# ')), {
  minLength: 1,
  maxLength: 15,
})

test('whatever the documents hold, every citation is an exact slice of one, and short', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      async (texts, isChinese) => {
        const documents = texts.map((parts, at) => ({
          name: `${at}.md`,
          text: parts.flat().join(''),
        }))
        const { memory, ask } = setUp(documents, hashedMeaning())
        const { abstained, citations } = await collectAnswer(
          ask(isChinese ? '借书多少天？' : 'How many books can I borrow?'),
        )
        for (const { documentId, charStart, charEnd, text: quoted, verified } of citations) {
          expect(verified).toBe(true)
          expect(memory.textOf(documentId).slice(charStart, charEnd)).toBe(quoted)
          if (!abstained) expect(charEnd - charStart).toBeLessThanOrEqual(620)
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('a question that leans on a refused one is asked alone where both together are refused', async () => {
  const { ask } = setUp([LIBRARY])
  const follow = (refused: string, refusal: string, question: string) =>
    collectAnswer(
      ask(question, {
        history: [
          { role: 'user', content: refused },
          { role: 'assistant', content: refusal },
        ],
      }),
    )
  const salary = 'What salary does the director of the museum in Bergen earn?'
  expect(
    await follow(salary, 'The answer was not found in the documents.', 'And the study hall?'),
  ).toMatchObject({
    abstained: false,
    answer: expect.stringContaining('Study hall'),
  })
  expect(await follow(salary, 'He earns 5,000 euros.', 'And the study hall?')).toMatchObject({
    abstained: true,
  })
})
