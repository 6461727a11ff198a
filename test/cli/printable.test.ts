import { expect, test } from 'vitest'
import type { AgentEvent, Answer, Citation } from '../../src/agent/answer.ts'
import { streamAnswer } from '../../src/cli/answer-text.ts'
import { portNumber } from '../../src/cli/command.ts'

const EVIL = '\u001b]0;owned\u0007\u001b[2J\u009b31m'

test('no words of a document or a model steer the terminal', async () => {
  const citation = {
    marker: 1,
    doc: `a${EVIL}.md`,
    source: `/a${EVIL}.md`,
    headings: [`Leave${EVIL}`],
    text: `24 days${EVIL}`,
    verified: true,
  } as unknown as Citation // what is shown of it
  const answer = {
    question: '',
    answer: `24\tdays${EVIL}`,
    citations: [citation],
    unsupported: [EVIL],
  } as unknown as Answer
  async function* events(): AsyncGenerator<AgentEvent> {
    yield { type: 'text-delta', text: `24\tdays${EVIL}` }
    yield { type: 'answer', answer }
  }
  let shown = ''
  await streamAnswer(events(), text => {
    shown += text
  })
  expect(shown).toContain('24\tdays')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
})
test('a port is a number', () => {
  expect(portNumber('0')).toBe(0)
  for (const wrong of ['abc', '', '-1', '65536', '80.5']) expect(() => portNumber(wrong)).toThrow('0 to 65535')
})
