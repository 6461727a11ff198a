import { expect, test } from 'vitest'
import { answerFromTable } from '../fakes/quoted-answer.ts'

const ROWS = [
  ['Boat', 'Seats', 'Deposit (euros)'],
  ['Canoe', '3', '40'],
  ['Kayak', '1', '25'],
  ['Rowing boat', '4', '60'],
]

const ask = (question: string) => answerFromTable(question, ROWS, ['Boats for hire', 'The jetty closes at dusk.'])

test('two rows that are asked for together are both quoted, with their columns named', async () => {
  const { answer, citations } = await ask('What is the deposit for the canoe and the kayak?')
  expect(answer).toContain('Boat: Canoe; Seats: 3; Deposit (euros): 40')
  expect(answer).toContain('Boat: Kayak; Seats: 1; Deposit (euros): 25')
  expect(citations).toHaveLength(1)
})

test('of one thing its row is quoted, not the table', async () => {
  const { answer } = await ask('What is the deposit for the kayak?')
  expect(answer).toContain('Boat: Kayak')
  expect(answer).not.toContain('Rowing boat')
})

test('of the least of something its row is quoted, though no row says that word, and not the table', async () => {
  const { answer } = await ask('Which boat has the lowest deposit?')
  expect(answer).toContain('Boat: Kayak')
  expect(answer).not.toContain('Rowing boat')
})

test('of a bound the rows within it are quoted', async () => {
  const { answer } = await ask('Which boats have more than 2 seats?')
  expect(answer).toContain('Boat: Canoe')
  expect(answer).toContain('Boat: Rowing boat')
  expect(answer).not.toContain('Kayak')
})

test('a row is quoted without its empty cells, its columns named by both rows of the header', async () => {
  const rows = [
    ['Boat', 'Deposit', 'Deposit', 'Note'],
    ['Boat', 'Net', 'Gross', 'For hire'],
    ['Canoe', '40', '48', 'no longer'],
    ['Kayak', '25', '30', ''],
    ['Rowing boat', '60', '72', 'by day'],
  ]
  const { answer } = await answerFromTable('Which boat has the lowest gross deposit?', rows, [
    'Boats for hire',
    'Dusk.',
  ])
  expect(answer).toContain('\nBoat: Kayak; Deposit Net: 25; Deposit Gross: 30 [1]')
})
