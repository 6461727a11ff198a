import { lexer, type Token } from 'marked'
import { expect, test } from 'vitest'
import { MarkerNumbers, numberMarkers } from '../../../src/agent/groundings/marker-stream.ts'
import { relateAnswer } from '../../../src/answer/citations/attribution.ts'
import type { Passage } from '../../../src/search/passages/passage.ts'
import { Terms } from '../../../src/text/terms.ts'

const TEXT = [
  'Boat | Hour | Day\nSingle kayak | 8 € | 35 €\nDouble kayak | 12 € | 50 €',
  'Nine umbrellas hang in the hall.',
  'The last boat leaves at 19:00.',
  '雨伞九把，六把在库房。',
].join('\n\n')
const place = {
  documentId: 'd',
  source: '/d',
  name: 'boats.md',
  title: '',
  headings: [],
  context: '',
}
const PASSAGES: readonly Passage[] = [
  { id: 1, ...place, charStart: 0, charEnd: TEXT.length, text: TEXT, parts: [] },
]
const terms = new Terms()

/** The answer as it is shown: checked, with its markers numbered. */
async function shown(written: string): Promise<string> {
  const { text, references } = await relateAnswer(written, { passages: PASSAGES, terms })
  return numberMarkers({ text, citations: references }, new MarkerNumbers()).text
}

const check = async (written: string, expected: string) =>
  expect(await shown(written)).toBe(expected)

test('a row has its marker in its last cell, and the header and the line under it have none', () =>
  check(
    '| Boat | Hour | Day |\n| --- | --- | --- |\n| Single kayak | 8 € | 35 € |\n| Double kayak | 12 € | 50 € | |',
    '| Boat | Hour | Day |\n| --- | --- | --- |\n| Single kayak | 8 € | 35 € [1] |\n| Double kayak | 12 € | 50 € [1] | |',
  ))
test('a table in a list stays one', () =>
  check(
    '- Prices:\n\n  Boat | Hour | Day\n  --- | --- | ---\n  Single kayak | 8 € | 35 €',
    '- Prices:\n\n  Boat | Hour | Day\n  --- | --- | ---\n  Single kayak | 8 € | 35 € [1]',
  ))
test('headings have no markers added', () =>
  check('# Nine umbrellas hang in the hall\n\nYes.', '# Nine umbrellas hang in the hall\n\nYes.'))
test('a marker stands behind a link and behind code, never in them', async () => {
  await check(
    '[Nine umbrellas hang in the hall.](https://example.org)',
    '[Nine umbrellas hang in the hall.](https://example.org) [1]',
  )
  await check('Nine umbrellas hang in the `hall`.', 'Nine umbrellas hang in the `hall` [1].')
  for (const code of [
    '    Nine umbrellas hang in the hall.',
    '~~~\nNine umbrellas hang in the hall. a [9]\n~~~',
  ])
    await check(`Code:\n\n${code}\n\nEnd.`, `Code:\n\n${code}\n\nEnd.`)
})
test('JSON stays JSON, whole or in a text', async () => {
  const json = '{\n  "hall": ["Nine umbrellas hang in the hall."],\n  "ids": [7, 1]\n}'
  for (const text of [
    json,
    `Thought: done.\nAction Input: ${json}`,
    '["Nine umbrellas hang in the hall."]',
    '[7, 1]',
  ])
    await check(text, text)
})
test('a definition and a link by its own right stay', () =>
  check(
    'See [the hall][1] and [7](https://example.org/7).\n\n[1]: https://example.org',
    'See [the hall][1] and [7](https://example.org/7).\n\n[1]: https://example.org',
  ))

test('a link whose text is a number keeps its address, and a footnote stays one', () =>
  check(
    'Nine umbrellas hang in the hall [7](https://example.org/7). The boat is old.[^1]\n\n[^1]: The last boat leaves at 19:00.',
    'Nine umbrellas hang in the hall [7](https://example.org/7) [1]. The boat is old.[^1]\n\n[^1]: The last boat leaves at 19:00 [1].',
  ))

const PIECES = [
  '# Nine umbrellas hang in the hall',
  'Nine umbrellas hang in the hall.',
  'Nine umbrellas hang in the hall [1].',
  'Ten umbrellas hang in the hall [1].',
  'The last boat leaves at 19:00',
  '雨伞九把，六把在库房。**雨伞九把，六把在库房。**',
  '*The last boat* leaves at `19:00`.',
  '- Nine umbrellas hang in the hall\n- The last boat leaves at 19:00 [1]',
  '1. The last boat leaves at 19:00.\n   - [1]',
  '> Nine umbrellas hang in the hall.',
  '| Boat | Hour [1] | Day |\n|---|:-:|--:|\n| Single kayak | 8 € | 35 € |\n| Double kayak | 12 € | 50 € |',
  'Boat | Hour | Day\n--- | --- | ---\nDouble kayak | 12 € | 50 €',
  '```\nNine umbrellas hang in the hall.\n```',
  '    Nine umbrellas hang in the hall.',
  '<b>Nine umbrellas hang in the hall.</b>',
  '[Nine umbrellas hang in the hall.](https://example.org/x)',
  'The last boat leaves at 19:00.  \nNine umbrellas hang in the hall\\\nThe end.',
  'Nine umbrellas hang in the hall.\n===',
  'Nine umbrellas hang in the hall\n---',
  '[1]: https://example.org',
  '***',
  '{"hall": "Nine umbrellas hang in the hall."}',
]
const JOINS = ['\n', '\n\n', '\n> ', '\n\n- ', '\n  ', ' ']

/** A linear congruential generator (Numerical Recipes): the same texts in every run. */
function* randomNumbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (1664525 * state + 1013904223) % 2 ** 32
    yield state / 2 ** 32
  }
}

function randomMarkdown(numbers: Iterator<number>): string {
  const pick = (from: readonly string[]) =>
    from[Math.floor((numbers.next().value as number) * from.length)] ?? ''
  return Array.from({ length: 4 }, () => pick(PIECES) + pick(JOINS)).join('')
}

/** Kinds of blocks, as they are nested, with the words in them. */
function outline(tokens: readonly Token[]): unknown {
  return tokens
    .filter(({ type }) => type !== 'space')
    .map(token => {
      const { type } = token
      if ('items' in token)
        return [type, token.items.map((item: { tokens: Token[] }) => outline(item.tokens))]
      if (type === 'table' && 'rows' in token)
        return [type, [token.header, ...token.rows].map(cells => cells.map(words))]
      if (type === 'blockquote') return [type, outline(token.tokens ?? [])]
      return [type, 'depth' in token ? token.depth : 0, words(token)]
    })
}

const words = (token: { readonly raw?: string; readonly text?: string }): string =>
  (token.text ?? token.raw ?? '').replace(/\[\d\]/g, '').replace(/\s+/g, '')

test('whatever the Markdown, its blocks are the same with markers and without', async () => {
  const numbers = randomNumbers(49)
  for (let run = 0; run < 300; run++) {
    const written = randomMarkdown(numbers)
    const text = await shown(written)
    expect({ written, blocks: outline(lexer(text)) }).toEqual({
      written,
      blocks: outline(lexer(written.trim())),
    })
  }
})
