import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseQuestion } from '../../src/answer/question/parse.ts'
import type { Question } from '../../src/answer/question/question.ts'
import { detectLanguage } from '../../src/text/language.ts'

const read = (text: string): Question => parseQuestion(text, detectLanguage(text))

const words = ({ terms }: Question, role: string) =>
  [...new Set(terms.filter(term => term.role === role).map(({ word }) => word))].join(' ')

const KINDS: readonly (readonly [string, Question['kind']])[] = [
  ['What does a late book cost?', 'fact'],
  ['Is smoking allowed?', 'fact'],
  ['List all branches', 'list'],
  ['What does the manual say about filters?', 'list'],
  ['How do I clean the filter?', 'steps'],
  ['What does "chafe" mean?', 'fact'],
  ['What is a fid?', 'fact'],
  ['What are fids?', 'fact'],
  ['What are fids, according to the manual?', 'fact'],
  ['What are the opening hours?', 'list'],
  ['Which courses does the school give?', 'list'],
  ['Which bus does the school use?', 'fact'],
  ['Why was the ticket refused?', 'fact'],
  ['What is this document about?', 'overview'],
  ['Please summarize the report', 'overview'],
  ['Summarise', 'overview'],
  ['What topics do these documents cover?', 'overview'],
  ['图书遗失赔多少？', 'fact'],
  ['员工可以带宠物吗？', 'fact'],
  ['列出所有分馆', 'list'],
  ['手册里关于滤网说了什么？', 'list'],
  ['申请怎么写？', 'steps'],
  ['怎样清洗滤网？', 'steps'],
  ['木笔是什么意思？', 'fact'],
  ['木笔是什么？', 'fact'],
  ['借阅须知有哪几条？', 'list'],
  ['借阅须知有几条？', 'fact'],
  ['手册里说了哪几件事？', 'list'],
  ['图书馆哪几天闭馆？', 'fact'],
  ['木笔的用途是什么？', 'fact'],
  ['要先登记么？', 'fact'],
  ['为什么拒绝入场？', 'fact'],
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
  ['When does the contract end?', 'any', ''],
  ['What time does the pool open?', 'any', ''],
  ['Who signs the receipt?', 'any', ''],
  ['Where is the key kept?', 'any', ''],
  ['What is the colour of the lamp?', 'any', ''],
  ['保修期多久？', 'number', 'time'],
  ['水泵多重？', 'number', 'mass'],
  ['门票多少钱？', 'number', 'money'],
  ['合同什么时候到期？', 'any', ''],
  ['泳池几点开门？', 'any', ''],
  ['收据由谁签字？', 'any', ''],
  ['钥匙放在哪里？', 'any', ''],
]
test.each(ASKED)('%s waits for a %s %s', (text, type, dimension) => {
  const { requestedValue } = read(text)
  expect(requestedValue.type).toBe(type)
  if (dimension)
    expect(requestedValue).toMatchObject({ dimensions: expect.arrayContaining([dimension]) })
})

const ORDERS: readonly (readonly [string, object])[] = [
  ['Which tent is the cheapest?', { direction: 'least', dimension: 'money' }],
  ['哪个帐篷最便宜？', { direction: 'least', dimension: 'money' }],
]
test.each(ORDERS)('%s has an order', (text, order) => expect(read(text).order).toMatchObject(order))

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
