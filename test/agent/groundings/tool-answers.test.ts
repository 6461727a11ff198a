import { describe, expect, test } from 'vitest'
import { ToolAnswers } from '../../../src/agent/groundings/tool-answers.ts'
import type { Message } from '../../../src/agent/message.ts'
import { relateAnswer } from '../../../src/answer/citations/attribution.ts'
import { Terms } from '../../../src/text/terms.ts'

const RESULT = JSON.stringify({
  matching: 9,
  groups: [
    { value: 'plans', documents: 4 },
    { value: 'minutes', documents: 3 },
    { value: 'letters', documents: 2 },
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
})

test('escaped quotes cost linear time', () => {
  const answers = createResult(JSON.stringify(['"'.repeat(30_000), '{"'.repeat(30_000)]))
  const start = performance.now()
  answers.listPassages(1)
  expect(performance.now() - start).toBeLessThan(1000)
})
