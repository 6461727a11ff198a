import { expect, test } from 'vitest'
import type { AgentResult } from '../../src/agent/event.ts'
import { formatAnswer } from '../../src/cli/answer-text.ts'

test('words of a tool stand among the sources under its call, and give the terminal no orders', () => {
  const cited = {
    marker: 1,
    tool: 'weather',
    callId: 'a',
    arguments: '{"city":"Bern"}',
    charStart: 0,
    charEnd: 11,
  }
  const answer: AgentResult = {
    ...{
      question: 'Rain?',
      text: 'It rains [1].',
      abstained: false,
      mode: 'model',
      citations: [],
      unsupported: [],
    },
    ...{ messages: [], finishReason: 'stop' },
    toolCitations: [{ ...cited, text: 'heavy\u001b[2J rain', support: 'stated' }],
  }
  const shown = formatAnswer(answer)
  expect(shown).toContain('[1] weather {"city":"Bern"}')
  expect(shown).toMatch(/heavy.* rain/)
  expect(shown).not.toContain('\u001b')
})
