import { expect, test } from 'vitest'
import { formatTableText } from '../../src/ingest/block.ts'
import { answerFromTable } from '../fakes/quoted-answer.ts'

const PUMPS = [
  ['Pump', 'Sound level³', 'Price⁴'],
  ['Heron', '52 dB', '119'],
  ['Egret', '—*', '80'],
  ['Stork', '57 m³/h', '95'],
]
const LAST = '³ At 1 m, half immersed.\n\n⁴ Without VAT.\n\n* Not measured since it hums.'

async function quoted(question: string) {
  const { answer, citations } = await answerFromTable(question, PUMPS, ['Pumps', LAST])
  return { answer, cited: citations.map(({ text }) => text) }
}

test('a row is quoted with the notes that its signs and those of its columns lead to', async () => {
  const { answer, cited } = await quoted('What is the sound level of the Egret?')
  expect(answer).toContain('Pump: Egret; Sound level³: —*; Price⁴: 80 [1]')
  expect(cited).toEqual([formatTableText([PUMPS[2]!]), LAST])
})

test('and with no other note', async () => {
  const { cited } = await quoted('What is the sound level of the Heron?')
  expect(cited).toEqual([
    formatTableText([PUMPS[1]!]),
    '³ At 1 m, half immersed.\n\n⁴ Without VAT.',
  ])
})

const HALLS = [
  ['Hall', 'Area m²', 'Seats', 'Price²'],
  ['Heron', '20', '12', '119'],
  ['Egret', '35 m²', '*', '80'],
]

test('a sign that is alone in a cell leads to its note, an exponent to none', async () => {
  const notes = '² Without VAT.\n\n* Standing only.'
  const halls = HALLS.map(row => row.slice(0, 3))
  const { citations } = await answerFromTable('How many seats has the Egret?', halls, [
    'Halls',
    notes,
  ])
  expect(citations.map(({ text }) => text)).toEqual([
    formatTableText([halls[2]!]),
    '* Standing only.',
  ])
})

test('signs of notes are found in a cell of any length', async () => {
  const halls = [HALLS[0]!, HALLS[1]!, ['Egret', `${'¹'.repeat(100_000)}x`, '9', '80']]
  const { answer } = await answerFromTable('What is the price of the Heron?', halls, [
    'Halls',
    '² Without VAT.',
  ])
  expect(answer).toContain('Hall: Heron')
}, 10_000)
