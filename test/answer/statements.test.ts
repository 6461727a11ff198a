import { expect, test } from 'vitest'
import { statementsOf } from '../../src/answer/evidence/statements.ts'

function statementsIn(text: string): readonly string[] {
  const place = { id: 1, documentId: 'd', source: '/d', name: 'd', title: '', headings: [], context: '', parts: [] }
  return statementsOf({ ...place, charStart: 0, charEnd: text.length, text }).map(statement => statement.text)
}

test('a line that ends with an abbreviation goes on in the next', () => {
  const open = 'Visitors are let in between 9 a.m.\nand 5 p.m. on working days, by a guide of the U.S.\nembassy.'
  expect(statementsIn(`${open} Bags stay outside.`)).toEqual([open, 'Bags stay outside.'])
})

test('one that ends with a full stop does not', () => {
  const lines = ['Doors close at 5 p.m.', 'Nobody stays.', 'max_size is in bytes.']
  expect(statementsIn(lines.join('\n'))).toEqual(lines)
})
