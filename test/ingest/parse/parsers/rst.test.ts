import { expect, test } from 'vitest'
import { rstParser } from '../../../../src/ingest/parse/parsers/rst/rst.ts'
import { outline, parseBytes } from '../../../fixtures/parsed.ts'

async function check(text: string, expected: readonly string[]) {
  expect(outline((await parseBytes(rstParser, text)).blocks)).toEqual(expected)
}

test('headings by the order of their adornments', () =>
  check(
    '====\nPort\n====\n\nHours\n=====\n\nOpen.\n\nSummer\n------\n\nWinter\n------\nClosed.\n',
    [
      'heading1: Port',
      'heading2: Hours',
      'paragraph: Open.',
      'heading3: Summer',
      'heading3: Winter',
      'paragraph: Closed.',
    ],
  ))

test('marks of text, links and roles', () =>
  check(
    'Open **daily** from ``9`` to *17*, see `the list <https://x.org>`_ and :ref:`this <x>` or :py:class:`~a.B`, Bergen_.\n\n.. _Bergen: https://y.org\n.. hidden\n   hidden too\n\n.. [1] In euros.\n',
    [
      'paragraph: Open daily from 9 to 17, see the list and this or a.B, Bergen.',
      'paragraph: [1] In euros.',
    ],
  ))

test('lists and fields', () =>
  check('* one\n* two\n  more\n\n  - deep\n\n1. first\n#. second\n\n:Author: Ada\n', [
    'list: one',
    'list: two / more',
    'list:   deep',
    'list: 1. first',
    'list: #. second',
    'paragraph: Author: Ada',
  ]))

test('grid, simple and CSV tables', () =>
  check(
    '+------+-------+\n| Name | Price |\n+======+=======+\n| Cup  | 9     |\n| big  |       |\n+------+-------+\n\n====  =====\nName  Price\n====  =====\nMug   12\n====  =====\n\n.. csv-table:: Fees\n   :header: Name, Fee\n\n   "a, b",2\n',
    [
      'table: Name | Price / Cup big | 9',
      'table: Name | Price / Mug | 12',
      'caption: Fees',
      'table: Name | Fee / a, b | 2',
    ],
  ))

test('literals, code and notes', () =>
  check(
    'Run::\n\n    make\n\n    all\n\n.. code-block:: sh\n   :linenos:\n\n   ls\n\n.. note:: Be brief.\n\n.. py:function:: go(x)\n\n   It goes.\n',
    [
      'paragraph: Run:',
      'code: make /  / all',
      'code: ls',
      'paragraph: Be brief.',
      'code: go(x)',
      'paragraph: It goes.',
    ],
  ))

test('files and pictures are named', async () => {
  const { blocks, warnings } = await parseBytes(
    rstParser,
    'Text.\n\n.. include:: one.rst\n\n.. toctree::\n   :maxdepth: 2\n\n   two\n   Three <three>\n\n.. figure:: p.png\n   :alt: A cup\n\n   The cup.\n\n.. raw:: html\n\n   <b>x</b>\n',
  )
  expect(outline(blocks)).toEqual(['paragraph: Text.', 'caption: A cup', 'caption: The cup.'])
  expect(warnings.map(({ message }) => message)).toEqual([
    'Skipped: files that the text includes (one.rst, two, three). Add them too, to find their text.',
    'Skipped: hidden elements 1, pictures 1. Their text is not searchable.',
  ])
})

test('cells that span rows, notes below their label, tables in files', async () => {
  const { blocks, warnings } = await parseBytes(
    rstParser,
    '+-----+------+\n| Cup | deep |\n+-----+ and  +\n| Mug | wide |\n|     +------+\n|     | low  |\n+-----+------+\n\n.. [1]\n   In euros.\n\n.. csv-table::\n   :file: fees.csv\n',
  )
  expect(outline(blocks)).toEqual([
    'table: Cup | deep / Mug | and wide /  | low',
    'paragraph: [1] / In euros.',
  ])
  expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('(fees.csv)')])
})

test('a long line of colons is read in linear time', async () => {
  const { blocks } = await parseBytes(rstParser, `x ${':'.repeat(3_000_000)}`)
  expect(blocks.length).toBeGreaterThan(0)
})
