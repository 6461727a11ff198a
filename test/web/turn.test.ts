import { expect, test } from 'vitest'
import { applyEvent, createTurn } from '../../src/web/ask/turn.ts'

test('a turn remembers its last event, after which a lost stream continues', () => {
  const begun = applyEvent(createTurn('Which?'), {
    event: 'start',
    id: '7',
    data: { question: 'Which?', turn: 2 },
  })
  const turn = applyEvent(begun, { event: 'token', id: '8', data: { text: 'This' } })
  expect(turn).toMatchObject({ answer: 'This', number: 2, lastEventId: '8' })
})

test('an event without an id leaves the last one', () => {
  const begun = applyEvent(createTurn('Which?'), { event: 'token', id: '7', data: { text: 'a' } })
  const failed = applyEvent(begun, {
    event: 'error',
    data: { error: { code: 'cancelled', message: 'm', type: 'server_error', param: null } },
  })
  expect(failed).toMatchObject({ state: 'failed', canResume: true, lastEventId: '7' })
})
