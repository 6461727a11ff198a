import { expect, test } from 'vitest'
import { tableText } from '../../src/ingest/block.ts'
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
  expect(cited).toEqual([tableText([PUMPS[2]!]), LAST])
})

test('and with no other note', async () => {
  const { cited } = await quoted('What is the sound level of the Heron?')
  expect(cited).toEqual([tableText([PUMPS[1]!]), '³ At 1 m, half immersed.\n\n⁴ Without VAT.'])
})
