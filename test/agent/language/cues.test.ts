import { expect, test } from 'vitest'
import { withoutListNouns } from '../../../src/agent/language/cues.ts'

const check = (question: string, expected: string) => expect(withoutListNouns(question)).toBe(expected)

test('what a list is called is not looked for', () =>
  check('What are the steps after a spill?', 'What are the   after a spill?'))
test('in a question for one thing it is', () => check('How high is the step?', 'How high is the step?'))
test('nothing else is left out', () => check('Which rooms have windows?', 'Which rooms have windows?'))
