import { expect, test } from 'vitest'
import { findHighlightBoxes } from '../../src/web/source/highlight.ts'

test('the box of an indented line begins with its first letter, and so does what is lit of it', () => {
  const lines = ['if wanted:', '    keep(it)'].map((text, at) => ({ text, y: 20 * at }))
  const text = lines.map(line => line.text).join('\n')
  const placed = lines.map((line, at) => {
    const start = at === 0 ? 0 : lines[0]!.text.length + 1
    const x0 = at === 0 ? 100 : 140
    return { start, end: start + line.text.length, box: [x0, line.y, 200, line.y + 10] as const }
  })
  const from = text.indexOf('keep')
  const block = {
    kind: 'code',
    text,
    charStart: 0,
    charEnd: text.length,
    page: 1,
    lines: placed,
  } as const
  expect(findHighlightBoxes([block], { charStart: from, charEnd: text.length })).toEqual([
    [140, 20, 200, 30],
  ])
})
