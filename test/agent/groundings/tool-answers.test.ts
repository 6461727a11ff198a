import { describe, expect, test } from 'vitest'
import { ToolAnswers } from '../../../src/agent/groundings/tool-answers.ts'
import type { Message } from '../../../src/agent/message.ts'
import { relateAnswer } from '../../../src/answer/citations/attribution.ts'
import { Terms } from '../../../src/text/terms.ts'

const RESULT = JSON.stringify({
  matching: 11,
  groups: [
    { value: 'plans', documents: 4 },
    { value: 'minutes', documents: 3 },
    { value: 'letters', documents: 2 },
    { value: 'pdf', documents: 2 },
  ],
})
const MESSAGES: readonly Message[] = [
  { role: 'user', content: 'How many are there?' },
  {
    role: 'assistant',
    content: '',
    functionCall: { name: 'documents', arguments: '{"group_by":"folder"}' },
  },
  { role: 'function', name: 'documents', content: RESULT },
]

function createResult(content: string): ToolAnswers {
  const call = { name: 'documents', arguments: '{}' }
  return new ToolAnswers(
    [
      { role: 'assistant', content: '', functionCall: call },
      { role: 'function', name: 'documents', content },
    ],
    'search',
  )
}

async function findStated(claim: string) {
  const answers = new ToolAnswers(MESSAGES, 'search')
  const { references } = await relateAnswer(claim, {
    terms: new Terms(),
    passages: [],
    answers: answers.listPassages(1),
  })
  const stated = references.filter(({ support }) => support === 'stated')
  return answers.citeResult(stated).map(({ text }) => text)
}

describe("a sentence about a tool's result is compared with each of its objects", () => {
  const check = (claim: string, expected: readonly string[]) =>
    test(claim, async () => expect(await findStated(claim)).toEqual(expected))

  check('There are 3 documents in minutes.', ['{"value":"minutes","documents":3}'])
  check('The folder letters has 2 documents.', ['{"value":"letters","documents":2}'])
  check('There are 4 documents in minutes.', [])
  check('The folder plans has 3 documents.', [])
  check('There are 2 PDFs.', ['{"value":"pdf","documents":2}'])
  check('There are two PDFs.', ['{"value":"pdf","documents":2}'])
  check('There are 5 PDFs.', [])
  check('有 2 个 PDF。', ['{"value":"pdf","documents":2}'])
  check('有两份 PDF。', ['{"value":"pdf","documents":2}'])
  check('有 5 个 PDF。', [])
})

describe('a number with what it counts', () => {
  const TEXT =
    'The reasons are on page 14. Version 3 has 5 steps. The second floor has 40 desks. It has 9 members.'
  const place = { documentId: 'd', source: '/d', name: 'd.md', title: '', headings: [] }
  const excerpt = { ...place, context: '', charStart: 0, charEnd: TEXT.length, text: TEXT }
  const passages = [{ ...excerpt, id: 1, parts: [excerpt] }]
  const relate = async (said: string) => {
    const answers = new ToolAnswers(MESSAGES, 'search').listPassages(2)
    const found = await relateAnswer(said, { terms: new Terms(), passages, answers })
    const cited = found.references.map(({ passage, span }) =>
      passage.text.slice(span.start, span.end),
    )
    return { cited, open: [...found.unconfirmed, ...found.unsupported] }
  }

  test('is no claim where no source counts the same', async () => {
    const said =
      'There are three reasons. There are 3 pages. There are 3 steps. Two floors. There are 10 members. ' +
      'There are 11 documents. There are 4 groups. Fewer than 10 PDFs. Step 5. There are 5. ' +
      '有三个原因。有 4 个小组。不到 10 个 PDF。'
    expect(await relate(said)).toEqual({ cited: [], open: [] })
  })

  test('is a claim where a text states it, or a result states or contradicts it', async () => {
    expect(await relate('40 desks. There are 5 PDFs. There are 9 members. 有 5 个 PDF。')).toEqual({
      cited: ['The second floor has 40 desks.', 'It has 9 members.'],
      open: ['There are 5 PDFs.', '有 5 个 PDF。'],
    })
  })
})

test('escaped quotes cost linear time', () => {
  const answers = createResult(JSON.stringify(['"'.repeat(30_000), '{"'.repeat(30_000)]))
  const start = performance.now()
  answers.listPassages(1)
  expect(performance.now() - start).toBeLessThan(1000)
})
