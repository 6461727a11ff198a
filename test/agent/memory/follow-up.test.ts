import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExtractiveAnswerer } from '../../../src/agent/groundings/extractive-answerer.ts'
import { getSearchText } from '../../../src/agent/memory/conversation-question.ts'
import type { Message } from '../../../src/agent/message.ts'
import type { Query } from '../../../src/search/searcher.ts'
import { collectAnswer } from '../../fakes/answers.ts'
import { MemorySearcher } from '../../fakes/memory-searcher.ts'

/** What is searched for when these questions were asked one after another. */
function last(...asked: readonly string[]): string {
  const history = asked.slice(0, -1).map(content => ({ role: 'user', content }) as const)
  return getSearchText({ question: asked.at(-1)!, history }) // one was asked
}

/** A question of each shape, the pairs that may stand in it, and how a fragment may name the second of them. */
const SHAPES: readonly (readonly [
  kind: string,
  question: (of: string) => string,
  pairs: readonly (readonly [string, string])[],
  fragments: readonly ((of: string) => string)[],
])[] = [
  [
    'a number in English',
    of => `When does the ${of} leave from the old port?`,
    [
      ['108', '109'],
      ['7', '12'],
    ],
    [of => `And the ${of}?`, of => `What about the ${of}?`, of => `The ${of}?`],
  ],
  [
    'a number with a unit in English',
    of => `How much does a parcel of ${of} cost?`,
    [
      ['2 kg', '5 kg'],
      ['10 kg', '700 g'],
    ],
    [of => `And ${of}?`, of => `what about a parcel of ${of}?`],
  ],
  [
    'a name in English',
    of => `When does the office in ${of} open?`,
    [
      ['Lyon', 'Nantes'],
      ['Oslo', 'New York'],
    ],
    [of => `And in ${of}?`, of => `What about ${of}?`, of => `How about the office in ${of}?`],
  ],
  [
    'an identifier in English',
    of => `What is the range of the ${of}?`,
    [['A200', 'B300']],
    [of => `And the ${of}?`, of => `What about the ${of}?`],
  ],
  [
    'a date in English',
    of => `What was the turnover of the shop in ${of}?`,
    [
      ['2022', '2023'],
      ['May 2024', 'June 2025'],
    ],
    [of => `And in ${of}?`, of => `What about ${of}?`],
  ],
  [
    'a weekday in English',
    of => `When does the pool open on ${of}?`,
    [['Saturdays', 'Sundays']],
    [of => `And on ${of}?`, of => `What about ${of}?`],
  ],
  [
    'a thing in English',
    of => `How heavy is the ${of}?`,
    [
      ['saw', 'drill'],
      ['water pump', 'ladder'],
    ],
    [of => `And the ${of}?`, of => `what about the ${of}?`],
  ],
  [
    'a thing before a verb in English',
    of => `Where does the ${of} meet?`,
    [['committee', 'board']],
    [of => `And the ${of}?`, of => `what about the ${of}?`],
  ],
  [
    'a kind of thing in English',
    of => `What does a ${of} ticket cost for adults?`,
    [['single', 'return']],
    [of => `And a ${of} ticket?`, of => `what about the ${of} ticket?`],
  ],
  [
    'what has a preposition in English',
    of => `What does a single ticket cost for ${of}?`,
    [['adults', 'children']],
    [of => `And for ${of}?`, of => `and for the ${of}?`],
  ],
  [
    'a measure in English',
    of => `What is the ${of} of the drill?`,
    [['weight', 'price']],
    [of => `And the ${of}?`, of => `What about the ${of}?`],
  ],
  [
    'a number in Chinese',
    of => `${of}的票价是多少？`,
    [
      ['108次', '109次'],
      ['3号线', '5号线'],
    ],
    [of => `那${of}呢？`, of => `${of}呢？`, of => `换成${of}呢`],
  ],
  [
    'a date in Chinese',
    of => `${of}的收入是多少？`,
    [['2022年', '2023年']],
    [of => `${of}呢？`, of => `那么${of}呢？`],
  ],
  [
    'a weekday in Chinese',
    of => `图书馆${of}几点开门？`,
    [['周六', '星期日']],
    [of => `${of}呢？`, of => `那${of}呢？`],
  ],
  [
    'a thing in Chinese',
    of => `${of}的候车室几点开放？`,
    [
      ['云桥站', '石门站'],
      ['北京', '上海'],
    ],
    [of => `${of}呢？`, of => `那${of}呢？`],
  ],
  [
    'a thing alone in Chinese',
    of => `${of}有几天？`,
    [['年假', '病假']],
    [of => `${of}呢？`, of => `那${of}呢？`],
  ],
  [
    'a measure in Chinese',
    of => `竹胶板的${of}是多少？`,
    [['重量', '单价']],
    [of => `${of}呢？`, of => `那${of}呢？`],
  ],
]

test.each(SHAPES)(
  '%s stands for another in the question before',
  (_, question, pairs, fragments) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...pairs),
        fc.constantFrom(...fragments),
        fc.boolean(),
        (pair, fragment, isBack) => {
          const [one, other] = isBack ? pair.toReversed() : pair
          expect(last(question(one!), fragment(other!))).toBe(question(other!)) // two each
          expect(last(question(one!), fragment(other!), fragment(one!))).toBe(question(one!))
        },
      ),
    )
  },
)

test('a month is of the year that was asked of', () =>
  expect(last('What was sold in February 2025?', 'And in March?')).toBe(
    'What was sold in March 2025?',
  ))

test.each([
  [
    'How much can the gauge YY-019 measure?',
    'And YY-033?',
    'How much can the gauge YY-033 measure?',
  ],
  ['What is the weight of YY-033?', 'And of the YY-019?', 'What is the weight of YY-019?'],
  ['Who sells the HX-7 pump in Oslo?', 'And the HX-9?', 'Who sells the HX-9 pump in Oslo?'],
  ['阀门DN50-16在Kunming卖多少钱？', '那DN80-16呢？', '阀门DN80-16在Kunming卖多少钱？'],
  ['Who sells 16 of the DN50-16?', 'And of the DN80-16?', 'Who sells 16 of the DN80-16?'],
])('%s %s: a code takes the place of the one that is written alike', (before, fragment, expected) =>
  expect(last(before, fragment)).toBe(expected),
)

test.each([
  ['What is the weight of the Falke 3?', 'And the Milan 8?', 'What is the weight of the Milan 8?'],
  ['Who repairs the Falke 3?', 'What about the 5?', 'Who repairs the Falke 5?'],
  ['Who repairs the Falke 3?', 'And the Milan?', 'Who repairs the Milan?'],
  [
    'Which of the 3 bolts fit the Falke 30?',
    'And the Milan 8?',
    'Which of the 3 bolts fit the Milan 8?',
  ],
])('%s %s: a name is replaced with its number', (before, fragment, expected) =>
  expect(last(before, fragment)).toBe(expected),
)

test('what has a preposition that the question before lacks joins it', () =>
  expect(last('When does the pool open?', 'And on Sundays?')).toBe(
    'When does the pool open on Sundays?',
  ))

test.each([
  ['What is the guarantee of the pump?', 'and the second one?'],
  ['What is the guarantee of the pump?', 'And what does it cost?'],
  ['Are dogs allowed?', 'Why?'],
  ['Which trains may be booked?', 'The price?'],
  ['宠物能带进食堂吗？', '为什么？'],
  ['水泵的保修期多久？', '那它的密封圈呢？'],
  ['What is the guarantee of the pump?', '密封圈呢？'],
])('%s %s are searched together: no phrase stands for another', (before, question) =>
  expect(last(before, question)).toBe(`${before}\n${question}`),
)

test.each([
  'Who repairs the saw of the old workshop?',
  'What does one day in the study room cost?',
  'How long does it take to mend a saw?',
  '电池冒烟了该怎么处理？',
])('%s stands alone, and is searched alone', question =>
  expect(last('When does the 108 leave?', question)).toBe(question),
)

test.each([
  'Which one is repaired by the old workshop?',
  'When was it repaired by the old workshop?',
  '该公司的总部在哪里？',
  '关于该产品有哪些规定？',
])('%s leans on the question before', question =>
  expect(last('When does the 108 leave?', question)).toContain('108'),
)

test('what a chain of questions leans on is its first', () =>
  expect(last('What is the heaviest bell?', 'Who cast it?', 'When was it rehung?')).toBe(
    'What is the heaviest bell?\nWho cast it?\nWhen was it rehung?',
  ))

const RINGERS = {
  name: 'ringers.md',
  text: '# Ringers\n\nThe young ringers are taught by Mara Oake.\n\nRopes are renewed in June.',
}

test('that a question before found nothing is not said again', async () => {
  const memory = new MemorySearcher([RINGERS])
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  const history: readonly Message[] = [
    { role: 'user', content: 'Which bell is made of glass?' },
    { role: 'assistant', content: 'A bell is made of glass, somebody said.' },
  ]
  const request = {
    question: 'Who are the young ringers taught by then?',
    collectionIds: ['default'],
    history,
  }
  const { answer } = await collectAnswer(
    answerer.answer({ ...request, documents: async () => memory.documents }),
  )
  expect(answer).toContain('Mara Oake')
  expect(answer).not.toContain('glass')
})

const SCOOTERS = {
  name: 'scooters.md',
  text: [
    '# Scooters',
    'A lost charger costs 12 euros to replace.',
    'The fire brigade answers at 112.',
    'The Rapid plan costs 30 euros a month.',
    'The Basic plan costs 4 euros a month.',
    'The Basic plan has 5 users.',
    '充电器丢了可以重新购买，价格为120元。',
    '电池冒烟时请立即断开电源并拨打119。',
  ].join('\n\n'),
}

/** The answer to the last of these questions. */
async function answerOf(...asked: readonly string[]): Promise<string> {
  const memory = new MemorySearcher([SCOOTERS])
  const history = asked.slice(0, -1).map(content => ({ role: 'user', content }) as const)
  const request = {
    question: asked.at(-1)!,
    collectionIds: ['default'],
    history,
    documents: async () => [],
  } // one was asked
  return (
    await collectAnswer(
      new ExtractiveAnswerer({ searcher: memory, reader: memory }).answer(request),
    )
  ).answer
}

test.each([
  ['What does a lost charger cost?', 'Who answers there at 112?', 'brigade', 'charger'],
  ['充电器丢了怎么办？', '这电池冒烟时怎么办？', '119', '120元'],
])(
  '%s %s is answered alone: that has a better answer than both together',
  async (before, question, right, wrong) => {
    const answer = await answerOf(before, question)
    expect(answer).toContain(right)
    expect(answer).not.toContain(wrong)
  },
)

test('of what answers a question alone, the context says which is meant', async () => {
  const answer = await answerOf('How many users has the Basic plan?', 'What does it cost?')
  expect(answer).toContain('4 euros')
  expect(answer).not.toContain('30 euros')
})

test('a fragment is not answered by what says nothing of it', async () =>
  expect(await answerOf('What does a lost charger cost?', 'And the saddle?')).not.toContain(
    '12 euros',
  ))

/** What is searched for when the last of these questions is answered. */
async function searchedFor(...asked: readonly string[]): Promise<readonly string[]> {
  const texts: string[] = []
  const memory = new MemorySearcher([RINGERS])
  const searcher = {
    search: async ({ text, filter }: Query) => {
      if (!filter) texts.push(text)
      return []
    },
  }
  const history = asked.slice(0, -1).map(content => ({ role: 'user', content }) as const)
  const request = {
    question: asked.at(-1)!,
    collectionIds: ['default'],
    history,
    documents: async () => [],
  } // one was asked
  await collectAnswer(new ExtractiveAnswerer({ searcher, reader: memory }).answer(request))
  return texts
}

test('a fragment is asked of each part of the question before', async () =>
  expect(
    (
      await searchedFor(
        'When does the 108 leave, and who drives the 108 on Sundays?',
        'And the 109?',
      )
    ).slice(0, 2),
  ).toEqual(['When does the 109 leave', 'who drives the 108 on Sundays']))

test('of a question behind others only it is asked', async () => {
  const texts = await searchedFor(
    'When does the pump run?',
    'Who repairs it?',
    'What does it cost?',
  )
  for (const text of texts) expect(text).toMatch(/cost\??$/)
})
