import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseQuestion } from '../../src/answer/question/parse.ts'
import type { Question } from '../../src/answer/question/question.ts'
import { languageOf } from '../../src/text/language.ts'

const read = (text: string): Question => parseQuestion(text, languageOf(text))

const words = ({ terms }: Question, role: string) =>
  [...new Set(terms.filter(term => term.role === role).map(({ word }) => word))].join(' ')

const KINDS: readonly (readonly [string, Question['kind']])[] = [
  ['What does a late book cost?', 'fact'],
  ['Is smoking allowed?', 'yes-no'],
  ['List all branches', 'list'],
  ['What does the manual say about filters?', 'list'],
  ['How do I clean the filter?', 'steps'],
  ['What does "chafe" mean?', 'definition'],
  ['What is a fid?', 'definition'],
  ['What are fids?', 'definition'],
  ['What are fids, according to the manual?', 'definition'],
  ['What are the opening hours?', 'list'],
  ['Which courses does the school give?', 'list'],
  ['Which bus does the school use?', 'fact'],
  ['Why was the ticket refused?', 'reason'],
  ['What is this document about?', 'overview'],
  ['Please summarize the report', 'overview'],
  ['Summarise', 'overview'],
  ['图书遗失赔多少？', 'fact'],
  ['员工可以带宠物吗？', 'yes-no'],
  ['列出所有分馆', 'list'],
  ['手册里关于滤网说了什么？', 'list'],
  ['申请怎么写？', 'steps'],
  ['怎样清洗滤网？', 'steps'],
  ['木笔是什么意思？', 'definition'],
  ['木笔是什么？', 'definition'],
  ['借阅须知有哪几条？', 'list'],
  ['借阅须知有几条？', 'fact'],
  ['手册里说了哪几件事？', 'list'],
  ['图书馆哪几天闭馆？', 'fact'],
  ['木笔的用途是什么？', 'fact'],
  ['要先登记么？', 'yes-no'],
  ['为什么拒绝入场？', 'reason'],
  ['这份文件讲什么', 'overview'],
  ['这是什么文件？', 'overview'],
  ['总结一下', 'overview'],
]
test('a code is a name, also right beside Chinese characters; an amount is none', () => {
  const namesIn = (text: string) =>
    read(text).terms.flatMap(({ isName, written }) => (isName ? [written] : []))
  expect(namesIn('面板显示E2是什么意思？')).toContain('E2')
  expect(namesIn('超过20kg的行李收费吗？')).toEqual([])
})

test.each(KINDS)('%s is of the kind %s', (text, kind) => expect(read(text).kind).toBe(kind))

const ASKED: readonly (readonly [string, string, string])[] = [
  ['How long is the warranty?', 'number', 'time'],
  ['How many days of leave are there?', 'number', 'time'],
  ['How heavy is the pump?', 'number', 'mass'],
  ['What is the price of a ticket?', 'number', 'money'],
  ['When does the contract end?', 'date', ''],
  ['What time does the pool open?', 'time', ''],
  ['Who signs the receipt?', 'person', ''],
  ['Where is the key kept?', 'place', ''],
  ['What is the colour of the lamp?', 'any', ''],
  ['保修期多久？', 'number', 'time'],
  ['水泵多重？', 'number', 'mass'],
  ['门票多少钱？', 'number', 'money'],
  ['合同什么时候到期？', 'date', ''],
  ['泳池几点开门？', 'time', ''],
  ['收据由谁签字？', 'person', ''],
  ['钥匙放在哪里？', 'place', ''],
]
test.each(ASKED)('%s waits for a %s %s', (text, type, dimension) => {
  const { asked } = read(text)
  expect(asked.type).toBe(type)
  if (dimension) expect(asked).toMatchObject({ dimensions: expect.arrayContaining([dimension]) })
})

const ORDERS: readonly (readonly [string, object])[] = [
  ['Which tent is the cheapest?', { direction: 'least', rank: 1, take: 1, dimension: 'money' }],
  [
    'Which is the second heaviest pump?',
    { direction: 'most', rank: 2, take: 1, dimension: 'mass' },
  ],
  ['What are the three largest rooms?', { direction: 'most', rank: 1, take: 3 }],
  ['哪个帐篷最便宜？', { direction: 'least', rank: 1, take: 1, dimension: 'money' }],
  ['第二高的楼是哪座？', { direction: 'most', rank: 2 }],
  ['最大的三个房间是哪些？', { direction: 'most', take: 3 }],
]
test.each(ORDERS)('%s has an order', (text, order) => expect(read(text).order).toMatchObject(order))

const CONDITIONS: readonly (readonly [string, string, number])[] = [
  ['Which pumps weigh over 40 kg?', 'over', 40],
  ['Which tents cost less than 200 euros?', 'under', 200],
  ['Which rooms have at least 30 m²?', 'at-least', 30],
  ['Which bags weigh up to 20 kg?', 'at-most', 20],
  ['哪些水泵超过40公斤？', 'over', 40],
  ['哪些课程不超过10小时？', 'at-most', 10],
  ['哪些包裹20公斤以上？', 'at-least', 20],
  ['哪些会员不满18岁？', 'under', 18],
  ['Which bags weigh no more than 20 kg?', 'at-most', 20],
  ['Which trees are taller than 12 m?', 'over', 12],
  ['Which shafts are narrower than 3 mm?', 'under', 3],
  ['Which tents are more expensive than 200 euros?', 'over', 200],
  ['哪些树比12米高？', 'over', 12],
  ['哪些帐篷比200元便宜？', 'under', 200],
]
test.each(CONDITIONS)('%s bounds a number: %s %d', (text, comparator, value) =>
  expect(read(text).conditions).toMatchObject([{ comparator, quantity: { value } }]),
)

const DATE_BOUNDS: readonly (readonly [string, readonly (readonly [string, object])[]])[] = [
  ['Which tools were lent since 2025?', [['at-least', { year: 2025 }]]],
  ['Which tools were lent after March 2025?', [['over', { year: 2025, month: 3 }]]],
  ['Which tools were lent before 1 May?', [['under', { month: 5, day: 1 }]]],
  ['Which tools were lent no later than 2024?', [['at-most', { year: 2024 }]]],
  ['Which tools were lent in 2024 or later?', [['at-least', { year: 2024 }]]],
  [
    'Which tools were lent between 2019 and 2021?',
    [
      ['at-least', { year: 2019 }],
      ['at-most', { year: 2021 }],
    ],
  ],
  [
    'Which tools were lent from March to May 2025?',
    [
      ['at-least', { year: 2025, month: 3 }],
      ['at-most', { year: 2025, month: 5 }],
    ],
  ],
  ['Which tools were lent in 2025?', []],
  ['Which report is from 2025?', []],
  ['2025年以后借出的有哪些？', [['at-least', { year: 2025 }]]],
  ['2025年之后借出的有哪些？', [['over', { year: 2025 }]]],
  ['2025年前借出的有哪些？', [['under', { year: 2025 }]]],
  ['自2025年3月起借出的有哪些？', [['at-least', { year: 2025, month: 3 }]]],
  ['截至2024年借出的有哪些？', [['at-most', { year: 2024 }]]],
  [
    '2019年到2021年之间借出的有哪些？',
    [
      ['at-least', { year: 2019 }],
      ['at-most', { year: 2021 }],
    ],
  ],
  ['2025年后勤费用是多少？', []],
  ['2025年前三季度的费用是多少？', []],
]
test.each(DATE_BOUNDS)('%s bounds a date', (text, bounds) => {
  const { dateBounds, conditions } = read(text)
  expect(dateBounds.map(({ comparator, date }) => [comparator, date])).toEqual(bounds)
  expect(conditions.filter(({ quantity }) => quantity.value > 100)).toEqual([])
})

test('of four digits behind words that compare amounts a number is meant', () => {
  const { conditions, dates, dateBounds } = read('Which clubs have more than 2000 members?')
  expect(conditions).toMatchObject([{ comparator: 'over', quantity: { value: 2000 } }])
  expect([dates, dateBounds]).toEqual([[], []])
})

test('a month is no name, however it is written', () =>
  expect(read('What opened in March 2025?').terms.filter(({ isName }) => isName)).toEqual([]))

const PARTS: readonly (readonly [string, readonly string[]])[] = [
  [
    'How long may adults borrow books, and what is the fine?',
    ['How long may adults borrow books', 'what is the fine'],
  ],
  ['When and where is the meeting?', []],
  ['What does a book cost? Who repairs it?', ['What does a book cost', 'Who repairs it']],
  ['响应时间是多久？由哪个部门负责？', ['响应时间是多久', '由哪个部门负责']],
  ['水泵一共有几台，平均功率多大？', ['水泵一共有几台', '平均功率多大']],
  ['要是水泵漏水，该找谁？', []],
]
test.each(PARTS)('%s has the parts %j', (text, parts) =>
  expect(read(text).parts.map(part => part.text.split('\n').at(-1))).toEqual(parts),
)

const COMPARED: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    'Compare the notice in the lease and the contract',
    ['the lease', 'the contract'],
    ['the notice in the lease', 'the notice in the contract'],
  ],
  [
    'How do the costs differ in a.md and b.md?',
    ['a.md', 'b.md'],
    ['the costs a.md', 'the costs b.md'],
  ],
  [
    'What is the difference between adult loans of books and child loans of books?',
    ['adult loans of books', 'child loans of books'],
    ['adult loans of books', 'child loans of books'],
  ],
  ['年假和病假的天数有什么区别？', ['年假', '病假'], ['年假的天数', '病假的天数']],
  ['A200和B300有什么区别？', ['A200', 'B300'], ['A200', 'B300']],
]
test.each(COMPARED)('%s compares %j', (text, labels, asked) => {
  const { parts } = read(text)
  expect(parts.map(({ label }) => label)).toEqual(labels)
  expect(parts.map(part => part.text)).toEqual(asked)
})

test.each([
  ['Which pumps are not insured?', true],
  ['Which pumps are insured?', false],
  ['哪些水泵没有保险？', true],
  ['哪些水泵能不能租借还不清楚？', true],
  ['水泵能不能租借？', false],
])('%s asks for what is not so: %j', (text, isNegative) =>
  expect(read(text).isNegative).toBe(isNegative),
)

test('an amount of money is no year, and an amount no name', () => {
  expect(read('押金超过2000元的工具有哪些？').dates).toEqual([])
  expect(read('Which jars hold 2-litre bags?').terms.filter(({ isName }) => isName)).toEqual([])
})

test('what is asked is told apart from what that is asked of, and from what is left out', () => {
  const price = read('What is the price of a tram ticket?')
  expect([words(price, 'asked'), words(price, 'subject')]).toEqual(['price', 'tram ticket'])
  expect(words(read('Which lines run except the tram?'), 'excluded')).toBe('tram')
  expect(words(read('除了北库，还有哪些仓库？'), 'excluded')).toContain('北')
})

test('quotation marks and names of files are mentions', () => {
  expect(read('What does lease.docx say about "late fees"?').mentions).toEqual([
    '"late fees"',
    'lease.docx',
  ])
  expect(read('《门卫制度》对值班有什么规定？').mentions).toEqual(['《门卫制度》'])
})

test.each(['', '   ', '?', '？！', '...', '🙂', '—'])('%j asks nothing', text =>
  expect(read(text).kind).toBe('nothing'),
)

test('any text is read, and every term of it has a role', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(...KINDS.map(([text]) => text), ' and ', '和', '"', '《'),
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 6 }),
      fc.constantFrom('en' as const, 'zh' as const),
      (pieces, language) => {
        const question = parseQuestion(pieces.join(' '), language)
        expect(question.parts.length).toBeLessThanOrEqual(4)
        for (const { role } of question.terms)
          expect(['asked', 'subject', 'excluded']).toContain(role)
      },
    ),
    { numRuns: 300 },
  )
})

const SHAPES = [
  'and ',
  'what ',
  'how many ',
  'compare a and b ',
  '和',
  '除了',
  '请帮我',
  '什么',
  '"',
  '《',
  '1.',
  '1 kg ',
  'a/',
  ' ',
  ',',
  'of the ',
  'Ab ',
  '多少的',
  '\n',
  'x',
]
test.each(SHAPES)('200,000 characters of %j are read at once', shape => {
  const text = shape.repeat(Math.ceil(200_000 / shape.length))
  for (const language of ['en', 'zh'] as const)
    expect(parseQuestion(text, language).text).toBe(text)
})

test.each([
  ['What is the heaviest bell, and who cast it?', 'en'],
  ['最重的钟是哪一口，谁铸的？', 'zh'],
] as const)(
  '%s: which things are meant holds for the clause that leans on it',
  (text, language) => {
    const [first, second] = parseQuestion(text, language).parts
    expect(first?.order).toMatchObject({ direction: 'most', dimension: 'mass' })
    expect(second?.order).toEqual(first?.order)
  },
)

test('what two questions share at the end is asked by both', () =>
  expect(
    read('How many boxes and how many kilos of tea did the Teal carry?').parts.map(
      ({ text }) => text,
    ),
  ).toEqual(['How many boxes did the Teal carry', 'how many kilos of tea did the Teal carry']))
test('of a short Chinese clause it is not known whether it is of the first: both are asked', () => {
  const [, second, third] = read('油管放在哪个货位，上次什么时候盘点，它有多长？').parts
  expect([second?.text, second?.alone?.text, third?.alone]).toEqual([
    '油管放在哪个货位\n上次什么时候盘点',
    '上次什么时候盘点',
    undefined,
  ])
})

test.each([
  ['When is the bar open, and what does the chef serve?', 'what does the chef serve', false],
  ['When is the bar open, and who looks after the juniors?', 'who looks after the juniors', false],
  [
    'How much is the bar, and who is the treasurer?',
    'How much is the bar\nwho is the treasurer',
    true,
  ],
  ['How much is the bar, and how long is it?', 'How much is the bar\nhow long is it', false],
  [
    'How much is the bar, and how many does it seat?',
    'How much is the bar\nhow many does it seat',
    false,
  ],
])('of %s the second part is asked as %j', (text, asked, isEither) => {
  const [, second] = parseQuestion(text, 'en').parts
  expect([second?.text, second?.alone !== undefined]).toEqual([asked, isEither])
})

const TOGETHER: readonly (readonly [string, readonly string[]])[] = [
  [
    'What is the length and width of the mat?',
    ['What is the length of the mat', 'What is the width of the mat'],
  ],
  [
    'What is the notice period and rent of the flat?',
    ['What is the notice period of the flat', 'What is the rent of the flat'],
  ],
  ['What is the research and development budget of the mill?', []],
  ['坐垫的长度和宽度是多少？', ['坐垫的长度是多少', '坐垫的宽度是多少']],
  ['面粉厂的最低和最高税率是多少？', []],
]
test.each(TOGETHER)('%s asks for each value that it names', (text, parts) =>
  expect(read(text).parts.map(part => part.text)).toEqual(parts),
)
