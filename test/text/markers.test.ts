import { expect, test } from 'vitest'
import {
  MarkerNumbers,
  numberMarkers,
  removeStrayMarkers,
} from '../../src/agent/groundings/marker-stream.ts'
import { findMarkers, rewriteMarkers } from '../../src/text/markers.ts'

/** Sources 1 to 3 exist. */
const isSource = (id: number) => id >= 1 && id <= 3

function checkFound(text: string, expected: readonly number[]) {
  expect(findMarkers(text, { isSource }).map(({ id }) => id)).toEqual(expected)
}

/** Whole, and in a stream of single characters, and of pieces. */
async function checkRewritten(text: string, expected: string) {
  expect(rewriteMarkers(text, isSource)).toBe(expected)
  for (const size of [1, 3, 7]) expect(await streamed(text, size)).toBe(expected)
}

async function streamed(
  text: string,
  size: number,
  keep = isSource,
  numberOf?: (id: number) => number,
): Promise<string> {
  async function* deltas() {
    for (let at = 0; at < text.length; at += size) {
      yield { type: 'text-delta', text: text.slice(at, at + size) } as const
    }
  }
  let shown = ''
  for await (const event of removeStrayMarkers(deltas(), keep, numberOf)) {
    shown += event.text
    expect(text.length).toBeGreaterThan(0)
  }
  return shown
}

const SLOPPY: readonly (readonly [string, string])[] = [
  ['It rained【2†source】.', 'It rained[2].'],
  ['It rained【2†L5-L9】.', 'It rained[2].'],
  ['It rained【4:0†rain.md】.', 'It rained.'],
  ['It rained [1-3].', 'It rained [1][2][3].'],
  ['It rained [1–2].', 'It rained [1][2].'],
  ['It rained [1, 2].', 'It rained [1][2].'],
  ['It rained [1 and 2].', 'It rained [1][2].'],
  ['It rained (2).', 'It rained [2].'],
  ['It rained (1, 3), and it snowed (2)', 'It rained [1][3], and it snowed [2]'],
  ['It rained [Source 2].', 'It rained [2].'],
  ['It rained (source: 2).', 'It rained [2].'],
  ['It rained [Source 1, Source 3].', 'It rained [1][3].'],
  ['下了雨[来源2]。', '下了雨[2]。'],
  ['下了雨（来源：2）。', '下了雨[2]。'],
  ['下了雨［２］。', '下了雨[2]。'],
  ['下了雨（2）。', '下了雨[2]。'],
  ['下了雨【资料1、2】。', '下了雨[1][2]。'],
  ['It rained.[^2]', 'It rained.[2]'],
  ['It rained.²', 'It rained.[2]'],
  ['It rained² and snowed.', 'It rained[2] and snowed.'],
  ['It rained [[1]](https://example.org/rain).', 'It rained [1].'],
  ['It rained [9]. It snowed [1][8].', 'It rained. It snowed [1].'],
  [
    'See https://example.org/rain [1], https://example.org/snow[9].',
    'See https://example.org/rain [1], https://example.org/snow.',
  ],
  [
    '1. Rain\n\n    ```\n    [9]\n    ```\n\n    It rained [9].\n\nSources: [1, 2]',
    '1. Rain\n\n    ```\n    [9]\n    ```\n\n    It rained.\n\nSources: [1][2]',
  ],
]
for (const [text, expected] of SLOPPY) {
  test(`a sloppy marker is read: ${text}`, () => checkRewritten(text, expected))
}

const NO_MARKERS: readonly string[] = [
  'As shown [2020].',
  'Use `list[0]` or\n```\na[1] = b[2]\n```\nhere',
  'The value of a[1] is kept, as is args[2].name.',
  'The steps:\n(1) open it\n(2) close it\n- (3) wait',
  'Either (1) now or (2) later.',
  'Within three (3) days, under clause (2).',
  '依照第五条（2）。三（3）日内。',
  'A room of 20 m² and 30 square metres², x² and 10².',
  'Digits match [0-9] and [7-9].',
  'There were many (7).',
  'See [the manual] (and [2021-2023]).',
  '{"ids": [7], "seen": "in [9]"}',
  'Action Input: {\n  "ids": [9],\n  "of": ["a [8]"]\n}',
  '~~~\nrow [9]\n~~~',
  'Open https://example.org/a?x=[2]&y=[9] or [it](https://example.org/?id[]=[1]).',
  'It rained [1](https://example.org/rain), [2](<https://example.org/b> "b").',
  'Dry.\n\n[^1]: The gauge is new.\n[^9]: So is the roof.',
  'It runs:\n\n    read [9] and [1, 2]\n\n    end [3]\nDone.',
  'The interval [0,1], x∈[1,3] and y = [2]; matrix[2][3] and grid[1,2] are cells, [4, 9] is a range.',
  'ports: [1, 2]\nseen: [9]',
  'See [7](https://example.org/7).\n\n[8]: https://example.org/8',
]
for (const text of NO_MARKERS) test(`no marker: ${text}`, () => checkRewritten(text, text))

test('a text without markers has none', () => checkFound('Rain fell.', []))
test('markers side by side', () => checkFound('Rain fell [1][2].', [1, 2]))
test('a marker of no source is told as one', () => checkFound('Rain fell [7].', [7]))
test('a long range is text', () => checkFound('Rain fell [1-200].', []))

test('sources are counted from 1 in the order in which a text cites them, whole and in a stream', async () => {
  const text = 'It rained [11]. It snowed [4, 11]. In `a[3]` and [x]: dry [9].'
  const numbered = 'It rained [1]. It snowed [2][1]. In `a[3]` and [x]: dry [3].'
  const citations = [11, 4, 11, 9].map(marker => ({ marker }))
  const whole = numberMarkers({ text, citations })
  expect(whole).toEqual({ text: numbered, citations: [1, 2, 1, 3].map(marker => ({ marker })) })
  for (const size of [1, 3, 7])
    expect(await streamed(text, size, id => id > 3, new MarkerNumbers().getNumber)).toBe(numbered)
})
