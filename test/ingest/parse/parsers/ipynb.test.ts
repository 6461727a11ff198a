import { expect, test } from 'vitest'
import { ipynbParser } from '../../../../src/ingest/parse/parsers/ipynb/ipynb.ts'
import { outline, parseBytes } from '../../../fixtures/parsed.ts'

const markdown = (source: string | string[]) => ({ cell_type: 'markdown', source })
const code = (source: string, ...outputs: object[]) => ({ cell_type: 'code', source, outputs })

function read(cells: readonly object[]) {
  return parseBytes(ipynbParser, JSON.stringify({ cells, metadata: {}, nbformat: 4 }))
}

test('text, code and outputs that are text are read in order; pictures are counted', async () => {
  const { blocks, metadata, warnings } = await read([
    markdown(['# Tide model\n', '\n', 'The drag is **0.32**.']),
    code(
      'drag = 0.32\nprint(drag)',
      { output_type: 'stream', text: ['0.32\n'] },
      {
        output_type: 'display_data',
        data: { 'image/png': 'iVBORw0KGgo=', 'text/plain': '<Figure>' },
      },
      {
        output_type: 'execute_result',
        data: {
          'text/html': '<table><tr><th>Port<th>m<tr><td>Ulm<td>3</table>',
          'text/plain': 'Port',
        },
      },
      { output_type: 'error', ename: 'ValueError', evalue: '\u001b[31mno tide\u001b[0m' },
    ),
  ])
  expect(outline(blocks)).toEqual([
    'heading1: Tide model',
    'paragraph: The drag is 0.32.',
    'code: drag = 0.32 / print(drag)',
    'code: 0.32',
    'table: Port | m / Ulm | 3',
    'code: ValueError: no tide',
  ])
  expect(metadata.title).toBe('Tide model')
  expect(warnings).toEqual([
    { code: 'skipped', message: 'Skipped: pictures 1. Their text is not searchable.' },
  ])
})

test('long output is cut, and reported', async () => {
  const { blocks, warnings } = await read([
    code('x', { output_type: 'stream', text: 'line of a log\n'.repeat(20_000) }),
  ])
  expect(blocks.every(({ text }) => text.length <= 8_000)).toBe(true)
  expect(warnings).toMatchObject([{ code: 'skipped' }])
})

test('version 3 keeps its cells in worksheets', async () => {
  const cells = [
    { cell_type: 'heading', level: 2, source: 'Tides' },
    { cell_type: 'code', input: 'x = 1' },
  ]
  const { blocks } = await parseBytes(ipynbParser, JSON.stringify({ worksheets: [{ cells }] }))
  expect(outline(blocks)).toEqual(['heading2: Tides', 'code: x = 1'])
})

test('JSON that is no notebook is damaged', async () => {
  await expect(parseBytes(ipynbParser, '[1]')).rejects.toThrow('it is not a notebook')
})

test('a cell of another form is counted, and the others are read', async () => {
  const { blocks, warnings } = await read([
    markdown('All in euros.'),
    { source: 9 },
    code('cup = 9'),
  ])
  expect(outline(blocks)).toEqual(['paragraph: All in euros.', 'code: cup = 9'])
  expect(warnings.map(({ message }) => message)).toEqual([
    'Skipped: unreadable cells 1. Their text is not searchable.',
  ])
})
