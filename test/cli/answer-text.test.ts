import { expect, test } from 'vitest'
import type { AgentEvent, AgentResult } from '../../src/agent/event.ts'
import {
  COLOURED,
  createTerminalStyle,
  formatAnswer,
  streamAnswer,
} from '../../src/cli/answer-text.ts'
import { wrapText } from '../../src/cli/help/line-wrapper.ts'

const VERIFIED = { quoteVerified: true, verified: true, support: 'stated' } as const

const QUOTED = '供热单位应当保证居民用户卧室、起居室的室内温度不低于18摄氏度。'.repeat(4)
const ANSWER: AgentResult = {
  question: 'How warm?',
  text: `${'The rooms of the town are to be kept warm in winter. '.repeat(4)}[1]\n${QUOTED} [2]`,
  abstained: false,
  unsupported: [],
  messages: [],
  finishReason: 'stop',
  mode: 'extractive',
  citations: [1, 2].map(marker => ({
    ...{ marker, documentId: 'doc', source: '/rules.pdf', doc: 'rules.pdf', headings: [], page: 3 },
    ...{ charStart: 0, charEnd: 9, text: QUOTED, ...VERIFIED },
  })),
}

/** Columns on a terminal: Han characters and their punctuation take two. */
function columns(line: string): number {
  return [...line].reduce(
    (sum, letter) => sum + (/[\p{Script=Han}\u3000-\u303f\uff00-\uff60]/u.test(letter) ? 2 : 1),
    0,
  )
}

test('no line is longer than 80 columns, in Chinese neither, and nothing is left out', () => {
  const text = formatAnswer(ANSWER)
  expect(Math.max(...text.split('\n').map(columns))).toBeLessThanOrEqual(80)
  expect(text.replace(/\s/g, '')).toContain(QUOTED.replace(/\s/g, ''))
})

test('sources are numbered, with page and quote', () => {
  expect(formatAnswer(ANSWER)).toMatch(/\n\[1\] rules\.pdf, p\. 3\n {4}“供热单位/)
})

test('a source that several sentences cite is named once, with each quotation', () => {
  const citations = ANSWER.citations.flatMap(citation => [
    { ...citation, text: 'It is warm.' },
    { ...citation, text: 'It is dry.' },
  ])
  expect(formatAnswer({ ...ANSWER, citations })).toMatch(
    /\nSources\n\[1\] rules\.pdf, p\. 3\n {4}“It is warm\.”\n {4}“It is dry\.”\n\[2\] rules\.pdf, p\. 3\n {4}“It is warm\.”\n {4}“It is dry\.”\n$/,
  )
})

test('items and rows that are quoted stand on lines of their own', () => {
  const text =
    '3. Fill in the form:\n\n  a) name\n\nSite | Aider\nAshby | Gwen\n\nIt is kept\nfor a year.'
  expect(formatAnswer({ ...ANSWER, citations: [{ ...ANSWER.citations[0]!, text }] })).toContain(
    [
      '\n    “3. Fill in the form:',
      '  a) name',
      'Site | Aider',
      'Ashby | Gwen',
      'It is kept for a year.”',
    ].join('\n    '),
  )
})

test('without pages a source is named by its headings, broken like all text', () => {
  const { page, ...unpaged } = ANSWER.citations[0]! // there are two
  const headings = ['Chapter 3: Heating in the winter months', 'Rooms']
  const text = formatAnswer({ ...ANSWER, citations: [{ ...unpaged, headings }] })
  expect(text).toContain('\n[1] rules.pdf, Chapter 3: Heating in the winter months › Rooms\n')
  const long = formatAnswer({
    ...ANSWER,
    citations: [{ ...unpaged, headings: [...headings, ...headings] }],
  })
  expect(Math.max(...long.split('\n').map(columns))).toBeLessThanOrEqual(80)
})

test('a long place is broken between headings, and goes on indented', () => {
  const { page, ...unpaged } = ANSWER.citations[0]! // there are two
  const headings = [
    '海澄精密股份有限公司2025年年度报告摘要（经审计，全体股东）',
    '第二节 主要财务数据及指标',
  ]
  expect(formatAnswer({ ...ANSWER, citations: [{ ...unpaged, headings }] })).toContain(
    `\n[1] rules.pdf, ${headings[0]} ›\n    ${headings[1]}\n    “供热`,
  )
})

test('words that are a quotation already get no further marks', () => {
  const quoting = (text: string) =>
    formatAnswer({ ...ANSWER, citations: [{ ...ANSWER.citations[0]!, text }] })
  expect(quoting('“里头空了。”')).toMatch(/\n {4}“里头空了。”\n$/)
  expect(quoting('"It is hollow."')).toMatch(/\n {4}"It is hollow\."\n$/)
  expect(quoting('“空了。”他说。“换掉。”')).toMatch(/\n {4}““空了。”他说。“换掉。””\n$/)
})

test('what stands around an answer is in the language of the question', () => {
  const text = formatAnswer({
    ...ANSWER,
    question: '多少度？',
    unsupported: ['冬天很冷。', '夏天很热。'],
    unconfirmed: ['夏天很热。'],
  })
  expect(text).toMatch(
    /\n来源\n\[1\] rules\.pdf, 第 3 页\n[\s\S]*\n与文档不符\n {4}冬天很冷。\n\n文档未能证实\n {4}夏天很热。\n$/,
  )
  expect(formatAnswer({ ...ANSWER, question: '多少度？', abstained: true })).toContain(
    '\n最接近的段落\n',
  )
})

test('there is colour only where it was asked for', () => {
  expect(formatAnswer(ANSWER)).not.toContain('\u001b')
  expect(formatAnswer(ANSWER, COLOURED)).toContain('\u001b[1m[1]\u001b[22m')
})

test('what is streamed is broken into lines of 80 columns, too, wherever its pieces end', async () => {
  for (const size of [1, 7, 500]) {
    async function* events(): AsyncGenerator<AgentEvent> {
      for (let at = 0; at < ANSWER.text.length; at += size) {
        yield { type: 'text-delta', text: ANSWER.text.slice(at, at + size) }
      }
      yield { type: 'finish', result: { ...ANSWER, citations: [] } }
    }
    let written = ''
    await streamAnswer(events(), text => {
      written += text
    })
    expect(Math.max(...written.split('\n').map(columns))).toBeLessThanOrEqual(80)
    expect(written.replace(/\s/g, '')).toBe(ANSWER.text.replace(/\s/g, ''))
    expect(written).not.toMatch(/\n[，。；：、！？]/)
  }
})

test('no line begins with a comma, whatever stands before it', () => {
  for (const word of ['PDF，', '合同,', '3.5%；'])
    for (let fill = 70; fill <= 80; fill++)
      expect(formatAnswer({ ...ANSWER, text: `${'a'.repeat(fill)} ${word}词` })).not.toMatch(
        /\n[，；,%]/,
      )
})

test('lines are as long as those of the terminal, up to 120 columns', () => {
  const widest = (width: number) => {
    const text = formatAnswer({ ...ANSWER, citations: [] }, createTerminalStyle(width, false))
    return Math.max(...text.split('\n').map(columns))
  }
  expect([widest(60) <= 60, widest(100) > 80, widest(100) <= 100]).toEqual([true, true, true])
  expect([widest(300) > 100, widest(300) <= 120, widest(0) <= 80]).toEqual([true, true, true])
})

test('where the documents do not say, the nearest passages are shown as such', () => {
  const text = formatAnswer({
    ...ANSWER,
    abstained: true,
    text: 'The answer was not found in the documents.',
  })
  expect(text).toMatch(
    /^The answer was not found in the documents\.\n\nThis may answer it\n\[1\] rules\.pdf, p\. 3\n {4}“供热单位/,
  )
  expect(text).not.toContain('Sources')
})

test('a long passage below a refusal is cut to the part with the words of the question', () => {
  const filler = 'The office keeps its records in order. '.repeat(30)
  const [citation] = ANSWER.citations
  if (!citation) throw new Error('The answer has no citation.')
  const long = { ...citation, text: `${filler}The boiler is inspected in May. ${filler}` }
  const refusal = { ...ANSWER, question: 'Who repairs the boiler?', citations: [long] }
  const shown = formatAnswer({ ...refusal, abstained: true }).replace(/\s+/g, ' ')
  expect(shown).toMatch(/rules\.pdf, p\. 3 “… The boiler is inspected in May\. .* …”/)
  expect(shown.length).toBeLessThan(1_000)
  expect(formatAnswer(refusal).length).toBeGreaterThan(2_000)
})

test('an answer that the check changed is told again, whole', async () => {
  async function* events(): AsyncGenerator<AgentEvent> {
    yield { type: 'text-delta', text: 'It is warm [7].' }
    yield { type: 'finish', result: { ...ANSWER, text: 'It is warm.', citations: [] } }
  }
  let written = ''
  await streamAnswer(events(), text => {
    written += text
  })
  expect(written).toBe('It is warm [7].\n\nChecked against the sources:\nIt is warm.\n')
})

test('lines break between Han characters, never before a closing mark or after an opening one', () => {
  expect(wrapText('一二三四，五六', 8)).toBe('一二三\n四，五六')
  expect(wrapText('一二三（四）五', 8)).toBe('一二三\n（四）五')
  expect(wrapText('一二三“four”五六', 8)).toBe('一二三\n“four”五\n六')
})
