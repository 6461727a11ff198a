import { expect, test } from 'vitest'
import { collectAnswer } from '../../../src/agent/answer.ts'
import { constraintsOf, meets } from '../../../src/agent/answers/constraints.ts'
import { ExtractiveAnswerer } from '../../../src/agent/answers/extractive.ts'
import { FoundText } from '../../../src/agent/answers/found-text.ts'
import { MemorySearcher } from '../../fakes/memory-searcher.ts'

const check = (question: string, expected: readonly string[]) =>
  expect(constraintsOf(question).map(({ kind, forms }) => `${kind} ${forms.join(' ')}`)).toEqual(expected)

test('a year is one, in both languages', () => {
  check('What was the revenue in 2019?', ['year 2019'])
  check('2019年的收入是多少？', ['year 2019'])
})
test('an amount that looks like a year is none', () => {
  check('How long do texts of 2000 words take?', [])
  check('Is a bill of 2,019 or of $2019 paid at once?', [])
})
test('a year in a question to be decided may lie in a span that has begun', () =>
  check('Is the law in force in 2030?', []))
test('so may a year that is only stated', () => {
  check('The lease begins in 2024', [])
  check('revenue 2024', ['year 2024'])
})
test('articles, versions, meetings, offices and names are', () => {
  check('How heavy is the AV-120?', ['identifier av120'])
  check('What does ISO 9001 ask for?', ['identifier iso9001'])
  check('What do I get for EUR 500?', [])
  check('When was version 6.1.0 released?', ['version 6.1.0'])
  check('第七次例会在哪里开？', ['occasion 7次'])
  check('谁是总经理？', ['office 总经理'])
  check('What is the rent in Hamburg?', ['name hamburg'])
  check('Docker怎么安装？', ['name docker'])
})
test('what only begins a sentence, a month and a title in capitals name nothing', () => {
  check('Rent is due when?', [])
  check('What is due on Monday in March?', [])
  check('What Is The Annual Leave Entitlement?', [])
})
test('a question that leans on another is held to its own year and to the name of the other', () =>
  check('What was the rent in Hamburg in 2019?\nAnd in 2020?', ['year 2020', 'name hamburg']))

/** Whether a document of one passage is what the question is about. */
const isAbout = (question: string, text: string) =>
  constraintsOf(question).every(constraint => meets(constraint, { passage: text, document: new FoundText(text) }))

test('a year is met as it is written, or by a span that it lies in', () => {
  for (const text of ['In 2019 it was 3.', 'FY19: 3', '2018/19: 3', '二〇一九年为3。', 'from 2018 to 2021']) {
    expect(isAbout('What was it in 2019?', text)).toBe(true)
  }
  expect(isAbout('What was it in 2019?', 'In 2024 it was 3, for 12019 people.')).toBe(false)
})
test('a year of the document holds for a passage that names none', () => {
  const [year] = constraintsOf('What was it in 2019?')
  expect(meets(year!, { passage: 'It was 3.', document: new FoundText('Report of 2019\nIt was 3.') })).toBe(true)
  expect(
    meets(year!, { passage: 'In 2018 it was 3.', document: new FoundText('Report of 2019\nIn 2018 it was 3.') }),
  ).toBe(false)
})
test('an identifier is met however it is joined, and by no longer one', () => {
  expect(isAbout('What is the AV-20?', 'The AV 20 is small.')).toBe(true)
  expect(isAbout('What is the AV-20?', 'The AV-200 is large.')).toBe(false)
})
test('a version is met by its branch, a name by its forms and initials', () => {
  expect(isAbout('What is new in version 5.2.1?', 'All of 5.2 is faster.')).toBe(true)
  expect(isAbout('What is new in version 5.2.1?', 'All of 5.3 is faster.')).toBe(false)
  expect(isAbout('Which law of the European Union holds?', 'EU law holds.')).toBe(true)
  expect(isAbout('Which law of the EU holds?', 'The law of the European Union holds.')).toBe(true)
  expect(isAbout('What does Tomasz Zielinski do?', 'Mr Zielinski keeps the books.')).toBe(true)
  expect(isAbout('What is the rent of the Hamburg Office?', 'The office in Rotterdam costs 3.')).toBe(false)
  expect(isAbout('What is the rent of the Hamburg Office?', 'Rent in Hamburg: 3.')).toBe(true)
  expect(isAbout('What does Tomasz Zielinski do?', 'Ms Solberg keeps the books.')).toBe(false)
})

test('what the question is held to and the documents do not have is not passed over', async () => {
  const text =
    '# Report\n\nIn 2024 the office in Rotterdam had a rent of 900 euros. Pumps of type AV-20 cost 300 euros.'
  const memory = new MemorySearcher([{ name: 'report.md', text }])
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  const ask = (question: string) =>
    collectAnswer(answerer.answer({ question, collectionIds: ['default'], documents: () => memory.documents }))
  const told = await ask('What was the rent of the office in 2024?')
  expect(told).toMatchObject({ abstained: false, answer: expect.stringContaining('900 euros') })
  const untold = [
    'What was the rent of the office in 2019?',
    'What was the rent in Hamburg?',
    'What do AV-30 pumps cost?',
    'AV-30的价格是多少？',
  ]
  for (const question of untold) {
    const { abstained, citations } = await ask(question)
    expect({ question, abstained }).toEqual({ question, abstained: true })
    expect(citations.length).toBeGreaterThan(0)
  }
})

const capitals = (at: number) =>
  `${String.fromCharCode(65 + (at % 26), 97 + (at % 23), 97 + (at % 19))}${'xyz'[at % 3]}`
const LONG: Readonly<Record<string, string>> = {
  names: `where do ${Array.from({ length: 3_000 }, (_, at) => capitals(at)).join(' and also ')}`,
  'words of a name': `where is ${Array.from({ length: 4_000 }, (_, at) => capitals(at)).join(' ')} and nothing else here`,
  years: `what was it in ${'2019 2020 '.repeat(2_000)}`,
  'different years': `what was it in ${Array.from({ length: 200 }, (_, at) => 1900 + at).join(', and ')}`,
  'an identifier': `how heavy is a${'1'.repeat(10_000)} in ${'Hamburg '.repeat(1_200)}`,
  identifiers: `how heavy is ${Array.from({ length: 3_000 }, (_, at) => `av-${at}`).join(' ')}`,
  'versions and meetings': `${Array.from({ length: 900 }, (_, at) => `6.1.${at} 第${at}次 `).join('')}在哪里？`,
}
test.each(Object.entries(LONG))('a question of thousands of characters is held to few things: %s', (_, written) => {
  const question = written.slice(0, 20_000)
  const constraints = constraintsOf(question)
  expect(constraints.length).toBeLessThanOrEqual(21)
  for (const { forms } of constraints) {
    expect(forms.length).toBeLessThanOrEqual(16)
    expect(new Set(forms).size).toBe(forms.length)
  }
  for (const text of [question, 'The rent in Hamburg was 3 in 2019.']) {
    const document = new FoundText(text)
    const met = constraints.map(constraint => meets(constraint, { passage: text, document }))
    if (text === question) expect(met.every(Boolean)).toBe(true)
  }
})
test('of what is named twice, a question is held to one', () => {
  check('what was it in 2019, 2019 and 2020?', ['year 2019 2020'])
  check('is it in Hamburg, near Hamburg?', ['name hamburg'])
})
test('an ask with a question of 20,000 characters is answered', async () => {
  const memory = new MemorySearcher([
    { name: 'report.md', text: '# Report\n\nThe rent in Hamburg was 3 euros in 2019.' },
  ])
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  const question = `What was the rent of a${'1'.repeat(10_000)} in ${'Hamburg 2019 '.repeat(740)}`
  const asked = { question, collectionIds: ['default'], documents: () => memory.documents }
  expect(await collectAnswer(answerer.answer(asked))).toMatchObject({ mode: 'extractive' })
})
test('where nothing answers, passages about what the question names come first', async () => {
  const memory = new MemorySearcher([
    { name: '手册.md', text: '# 安装\n\n可以通过命令行安装这个工具。\n\n安装之后请重新启动。' },
    { name: '游戏.md', text: '# 游戏\n\nFreedoom 由两个文件组成。' },
  ])
  const answerer = new ExtractiveAnswerer({ searcher: memory, reader: memory })
  const asked = {
    question: '安装 Freedoom 工具要多少钱？',
    collectionIds: ['default'],
    documents: () => memory.documents,
  }
  const { abstained, citations } = await collectAnswer(answerer.answer(asked))
  expect(abstained).toBe(true)
  expect(citations[0]?.doc).toBe('游戏.md')
})
