import { expect, test } from 'vitest'
import type { Message } from '../../src/agent/message.ts'
import { transcript } from '../../src/qwen/transcript.ts'

const TURN: readonly Message[] = [
  { role: 'user', content: 'Look' },
  { role: 'assistant', name: 'a', content: 'Looking.', reasoningContent: 'Hm.' },
  { role: 'assistant', name: 'a', content: '', functionCall: { name: 'look', arguments: '{}' } },
  { role: 'function', name: 'look', content: 'a {cat}' },
  { role: 'assistant', name: 'a', content: ' A cat.' },
  { role: 'assistant', name: 'b', content: 'Indeed.' },
]

test('thoughts, calls and results become text of the one who made them', () =>
  expect(transcript(TURN)).toEqual([
    { role: 'user', content: 'Look' },
    {
      role: 'assistant',
      name: 'a',
      content: '<think>\nHm.\n</think>\nLooking.\n[call look] {}\n[result of look] a {cat} A cat.',
    },
    { role: 'assistant', name: 'b', content: 'Indeed.' },
  ]))

test('the forms are the caller’s', () =>
  expect(
    transcript(TURN, { thought: '', call: ' <{name}>', result: ' = {result}.' })[1]?.content,
  ).toBe('Looking. <look> = a {cat}. A cat.'))
