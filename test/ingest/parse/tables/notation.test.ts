import { describe, expect, test } from 'vitest'
import type { Block } from '../../../../src/ingest/block.ts'
import type { Table } from '../../../../src/ingest/parse/tables/table.ts'
import { paragraph, read, table } from '../../../fixtures/tables.ts'

describe('the separators of numbers are told', () => {
  const valuesOf = (one: Table | undefined, column: number) =>
    one?.rows.map(
      ({ cells }) => (cells[column]?.value as { readonly value: number } | undefined)?.value,
    ) // numbers alone
  const checkColumn = async (
    cells: readonly string[],
    ...expected: readonly (number | undefined)[]
  ) => {
    const rows = cells.map((cell, nth) => `${'ABCDEFGH'[nth]} | ${cell}`)
    const [one] = await read(table(`Name | Value\n${rows.join('\n')}`))
    expect([one?.columns[1]?.kind, valuesOf(one, 1)]).toEqual([
      expected.length > 0 ? 'number' : 'text',
      expected.length > 0 ? expected : cells.map(() => undefined),
    ])
  }

  test.each<[string, readonly string[], readonly number[]]>([
    ['German', ['1.234,50', '12.500', '950'], [1234.5, 12500, 950]],
    ['German millions', ['1.234.567', '12.500'], [1234567, 12500]],
    ['Decimal commas', ['10,50 €', '1.100,25 €', '9 €'], [10.5, 1100.25, 9]],
    ['Shares', ['12,5 %', '7,25 %', '-3,1 %'], [12.5, 7.25, -3.1]],
    ['losses', ['(1.234,50)', '12,5'], [-1234.5, 12.5]],
    ['ranges', ['1,5–2,5 kg', '0,5 kg'], [1.5, 0.5]],
    ['French', ['1 234,50', '12 500', '1,5'], [1234.5, 12500, 1.5]],
    ['French in print', ['1\u202f234,50 €', '12\u00a0500 €'], [1234.5, 12500]],
    ['blanks beside a decimal comma', ['1 234', '1,234'], [1234, 1.234]],
    ['Swiss', ["1'234.50", '12’500', '1.234'], [1234.5, 12500, 1.234]],
    ['Indian', ['12,34,567', '1,23,456.5', '950'], [1234567, 123456.5, 950]],
    ['English', ['1,234.5', '12,500', '950'], [1234.5, 12500, 950]],
    ['commas alone', ['1,234', '12,500', '950'], [1234, 12500, 950]],
    ['decimals of three digits', ['0.125', '1.234', '3.5'], [0.125, 1.234, 3.5]],
    ['the same with commas', ['0,125', '1,234', '3,5'], [0.125, 1.234, 3.5]],
    ['thousands of euros', ['950 €', '1.234 €', '12.500 €'], [950, 1234, 12500]],
    ['full-width', ['１，２３４．５', '２．５', '￥１２９.９０'], [1234.5, 2.5, 129.9]],
    ['a minus behind', ['75,25-', '1.200,50-', '3,5'], [-75.25, -1200.5, 3.5]],
    [
      'a minus behind amounts',
      ['75.25-', '9.50- €', '12.00 €-', '$3.50'],
      [-75.25, -9.5, -12, 3.5],
    ],
    [
      'other minus signs',
      ['–3.5', '−2.5', '- 3', '$-1.5', '-€2.25'],
      [-3.5, -2.5, -3, -1.5, -2.25],
    ],
    ['losses with a currency', ['($1,200.50)', '$(3.25)', '(5.5)%'], [-1200.5, -3.25, -5.5]],
    ['losses in euros', ['(1.200,50 €)', '12,5 €'], [-1200.5, 12.5]],
    ['no digit before the decimals', ['.312', '-.25', '1.5'], [0.312, -0.25, 1.5]],
    ['no digit before a decimal comma', [',5', '1,25'], [0.5, 1.25]],
  ])('by a column itself: %s', (_, cells, values) => checkColumn(cells, ...values))

  test.each([
    ['points before three digits', ['1.234', '2.345', '3.456']],
    ['among smaller whole numbers', ['950', '1.234', '12.500', '780']],
    ['with a unit', ['1.234 kg', '2.345 kg']],
    ['dollars', ['$950', '$1.234']],
    ['both ways', ['1.5', '2,5', '3.5', '4,5']],
    ['telephone numbers', ['0131 496 011', '0131 496 012']],
  ])('else it is text: %s', (_, cells) => checkColumn(cells))
  test('what is text for that is told from other text', async () => {
    const [one] = await read(table('Name | Value\nA | 1.234\nB | 2.345'))
    expect(one?.columns.map(({ isAmbiguous }) => isAmbiguous)).toEqual([undefined, true])
  })

  const turnover = (name: string, ...others: readonly [string, string, string, string] | []) => {
    const rows = [`Town | ${name}`, 'Kiel | 950', 'Bonn | 1.234', 'Ulm | 12.500']
    return table(rows.map((row, nth) => (others[nth] ? `${row} | ${others[nth]}` : row)).join('\n'))
  }
  const [thousands, decimals, neither] = [
    [950, 1234, 12500],
    [950, 1.234, 12.5],
    [undefined, undefined, undefined],
  ] as const
  test.each<[string, readonly Block[], readonly (number | undefined)[]]>([
    ['another column', [turnover('Sales', 'Price', '9,5', '8,25', '7')], thousands],
    [
      'another column with points, against whole numbers below 1000',
      [turnover('Sales', 'Price', '9.5', '8.25', '7')],
      neither,
    ],
    ['other columns that differ', [turnover('Sales', 'Price', '9.5', '8,25', '7')], neither],
    [
      'another table',
      [turnover('Sales'), paragraph('x'), table('Town | Price\nKiel | 1.100,50\nBonn | 3')],
      thousands,
    ],
    ['semicolons', [{ ...turnover('Sales'), numbers: 'semicolons' }], thousands],
    [
      'semicolons and a version',
      [{ ...turnover('Sales', 'Form', '1.1', '1.2', '1.1'), numbers: 'semicolons' }],
      neither,
    ],
    [
      'semicolons and Swiss numbers',
      [{ ...turnover('Sales', 'Costs', "1'100.5", '1', '2'), numbers: 'semicolons' }],
      decimals,
    ],
    ['the currency of the column', [turnover('Sales in Euro')], thousands],
    [
      'the currency of the caption',
      [paragraph('All amounts in EUR'), turnover('Sales')],
      thousands,
    ],
    [
      'the currency of another column',
      [turnover('Sales', 'Price', '9 €', '8 €', '7 €')],
      thousands,
    ],
    ['two currencies', [turnover('Sales', 'Price', '9 €', '$8', '7 €')], neither],
    [
      'another column, of decimals alone',
      [table('A | Ratio | Price\nx | 1.234 | 9.5\ny | 2.345 | 8.25')],
      [1.234, 2.345],
    ],
    [
      'semicolons, against whole numbers below 1000',
      [{ ...table('A | Sales\nx | 950\ny | 1,234'), numbers: 'semicolons' }],
      [undefined, undefined],
    ],
    ['a format of numbers', [{ ...turnover('Sales'), numbers: 'native' }], decimals],
  ])('by the file: %s', async (_, blocks, values) =>
    expect(valuesOf((await read(...blocks))[0], 1)).toEqual(values),
  )
  test('a text in a sheet of numbers goes by the other texts', async () => {
    const cells =
      'Town | Sold | Sales | Area\nKiel | 1.5 | 2.5 | 1.234\nUlm | 2.345 | 1.234 | 2.345\nBonn | 4 | 7 | 3.456'
    const textNumbers = [[2, 1] as const, [1, 3] as const, [2, 3] as const, [3, 3] as const]
    const [one] = await read({ ...table(cells), numbers: 'native', textNumbers })
    expect([1, 2, 3].map(column => valuesOf(one, column))).toEqual([
      neither,
      [2.5, 1.234, 7],
      neither,
    ])
    expect(one?.columns.map(({ isAmbiguous = false }) => isAmbiguous)).toEqual([
      false,
      true,
      false,
      true,
    ])
  })
})
