import { expect, test } from 'vitest'
import { markdownParser } from '../../../../../src/ingest/parse/parsers/markdown/markdown.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'

async function check(content: string, expected: readonly string[]) {
  expect(outline((await parseBytes(markdownParser, content)).blocks)).toEqual(expected)
}

test('headings have levels', () =>
  check('# A\n\n### B *c*\n\nT\n=', ['heading1: A', 'heading3: B c', 'heading1: T']))
test('marks of emphasis and links go', () =>
  check('**a** [b](http://c) `d*` ![e](f) &amp; \\*', ['paragraph: a b d* e & *']))
test('items are lists, numbered ones numbered', () =>
  check('- a\n- b\n\n3. c\n4. d', ['list: a', 'list: b', 'list: 3. c', 'list: 4. d']))
test('what stands under an item is set in', () =>
  check('1. a\n   - b\n     - c\n\n   d\n2. e', [
    'list: 1. a',
    'list:   b',
    'list:     c',
    'list:   d',
    'list: 2. e',
  ]))
test('tables have rows', () => check('|a|b|\n|-|-|\n|1|**2**|', ['table: a | b / 1 | 2']))
test('code keeps its lines', () => check('```js\nx = 1\n  y\n```', ['code: x = 1 /   y']))
test('quotes are read on', () => check('> # q\n>\n> text', ['heading1: q', 'paragraph: text']))
test('HTML tables are tables', () =>
  check('<table>\n<tr><td>a</td><td>b</td></tr>\n\n<tr><td>1</td><td>2</td></tr>\n</table>', [
    'table: a | b / 1 | 2',
  ]))
test('comments are not text', () => check('<!-- no -->\n\nyes', ['paragraph: yes']))
test('where the contents go is no text', () => {
  const marks = ['[TOC]', '[[_TOC_]]', '@[TOC](目录)']
  return check(`${marks.join('\n\n')}\n\n[TOC] is a mark`, ['paragraph: [TOC] is a mark'])
})
test('a break is a line end', () => check('a  \nb', ['paragraph: a / b']))

test('what front matter and its HTML say beside the text is counted', async () => {
  const matter = 'title: T\nlayout: post\nsummary: How the tide rises\n'
  const { warnings } = await parseBytes(
    markdownParser,
    `---\n${matter}---\na\n\n<nav>Home of all</nav>\n`,
  )
  expect(warnings.map(({ message }) => message)).toEqual([
    'Skipped: document properties 1, menus 1. Their text is not searchable.',
  ])
})
test('front matter is metadata', async () => {
  const parsed = await parseBytes(
    markdownParser,
    '---\ntitle: T\nauthor: [A, B]\ndate: 2024-05-01\n---\ntext',
  )
  expect(parsed.metadata).toMatchObject({ title: 'T', author: 'A, B', created: '2024-05-01' })
  expect(outline(parsed.blocks)).toEqual(['paragraph: text'])
})

test.each(['prose here', 'Note: the pier is closed.', 'title of the song: a\nnot a field'])(
  '%s between rules is no front matter',
  async prose => {
    const { blocks } = await parseBytes(markdownParser, `---\n${prose}\n---\nend`)
    expect(outline(blocks)).toEqual([`heading2: ${prose.replace('\n', ' ')}`, 'paragraph: end'])
  },
)

test.each([
  ['title: Ferry times: the guide', { title: 'Ferry times: the guide' }],
  ['title: T\ntitle: U\ntags:\n  - a: b: c', { title: 'T' }],
  ['author: @lena\ntitle: "T"', { title: 'T', author: '@lena' }],
  ['title:\tT: x\nauthors: [A, "B"]\n# note', { title: 'T: x', author: 'A, B' }],
  ['authors:\n- A: x: y\n- B\ntitle: T', { author: 'A: x: y, B' }],
  ['author: {name: Lena, url: u}', { author: 'Lena' }],
  ['authors: [{name: Lena}, {url: u}, Bo]', { author: 'Lena, Bo' }],
  ['title: {en: x}\nlang: en', { title: undefined, language: 'en' }],
  ['date: 2022-05-06 10:00:00 +0200', { created: '2022-05-06T10:00:00+0200' }],
  ['date: May 6, 2022', { created: '2022-05-06' }],
  ['date: 6 May 2022', { created: '2022-05-06' }],
  ['date: 20220506', { created: '2022-05-06' }],
  ['date: 06.05.2022', { created: '2022-05-06' }],
  ['date: 2022年5月6日', { created: '2022-05-06' }],
  ['date: May 2022', { created: '2022-05' }],
  ['date: 05/06/2022', { created: '2022' }],
])('front matter is read as tools write it: %s', async (source, expected) => {
  const { metadata, blocks } = await parseBytes(markdownParser, `---\n${source}\n---\nend`)
  expect({ ...metadata }).toMatchObject(expected)
  expect(outline(blocks)).toEqual(['paragraph: end'])
})

test('the first heading is the title', async () => {
  expect((await parseBytes(markdownParser, 'intro\n\n# Name')).metadata.title).toBe('Name')
})

test('20,000 nested quotes are read', () =>
  check(`${'>'.repeat(20_000)} deep\n\nend`, ['paragraph: deep', 'paragraph: end']))
test('20,000 nested lists are read', async () => {
  const { blocks } = await parseBytes(markdownParser, `${'* '.repeat(20_000)}deep\n\nend`)
  expect(blocks.at(-1)!.text).toBe('end')
})

test('a long text is cut between sections and loses nothing', async () => {
  const { blocks } = await parseBytes(
    markdownParser,
    '## Part\n\nSome text of it.\n\n```\n# code\n\n\n```\n\n'.repeat(20_000),
  )
  expect(blocks).toHaveLength(60_000)
})

test.each([
  [
    'named characters',
    'Caf&eacute; &mdash; 5&nbsp;&euro; &amp;lt; `&euro;`',
    'Café — 5 € &lt; &euro;',
  ],
  [
    'raised and lowered digits',
    '10<sup>6</sup> m<sup>2</sup>, H<sub>2</sub>O, 1<sup>st</sup>',
    '10⁶ m², H₂O, 1st',
  ],
  ['formulas', 'Product $a*b*c$ and $$x_1*y_1*z$$', 'Product $a*b*c$ and $$x_1*y_1*z$$'],
  ['amounts', 'from $5 *to* $10, $5-$10', 'from $5 to $10, $5-$10'],
  ['references to notes', 'a[^1] b[^x]', 'a[1] b[x]'],
])('keeps the meaning of %s', (_, source, expected) => check(source, [`paragraph: ${expected}`]))

test('items and paragraphs in a cell stay apart', () =>
  check('| a | b |\n|-|-|\n| <ul><li>x86</li><li>ARM</li></ul> | <p>c</p><p>d</p></br>e |', [
    'table: a | b / x86 ARM | c d e',
  ]))

test('notes are read with their signs, and all their lines', () =>
  check('a[^1]\n\n[^1]: https://example.org/report\n[^b]: b\n    c\n\n    - d\n\ne', [
    ...[
      'paragraph: a[1]',
      'paragraph: [1] https://example.org/report',
      'paragraph: [b] b / c',
      'list: d',
    ],
    'paragraph: e',
  ]))

test('tasks that are done differ from those that are not', () =>
  check('- [x] paid\n- [ ] refunded\n- other', ['list: ☒ paid', 'list: ☐ refunded', 'list: other']))
