import { describe, expect, test } from 'vitest'
import { htmlParser } from '../../../../../src/ingest/parse/parsers/html/html.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'

async function check(page: string, expected: readonly string[]) {
  expect(outline((await parseBytes(htmlParser, page)).blocks)).toEqual(expected)
}

const mn = (text: string) => `<mn>${text}</mn>`
const mi = (text: string) => `<mi>${text}</mi>`
const row = (text: string) => `<mrow>${text}</mrow>`

test.each([
  ['1/20', `<mfrac>${mn('1')}${mn('20')}</mfrac>`],
  ['3 1/2', `${mn('3')}<mfrac>${mn('1')}${mn('2')}</mfrac>`],
  ['10⁶', `<msup>${mn('10')}${mn('6')}</msup>`],
  ['20^x', `<msup>${mn('20')}${mi('x')}</msup>`],
  ['√2', `<msqrt>${mn('2')}</msqrt>`],
  ['∛(a+b)', `<mroot>${row(`${mi('a')}<mo>+</mo>${mi('b')}`)}${mn('3')}</mroot>`],
  [
    '(a+b)/(c+d)',
    `<mfrac>${row(`${mi('a')}<mo>+</mo>${mi('b')}`)}${row(`${mi('c')}<mo>+</mo>${mi('d')}`)}</mfrac>`,
  ],
  ['n choose k', `<mfrac linethickness="0">${mi('n')}${mi('k')}</mfrac>`],
  [
    '∑_(i=1)^n x_i',
    `<munderover><mo>∑</mo>${row(`${mi('i')}<mo>=</mo>${mn('1')}`)}${mi('n')}</munderover><msub>${mi('x')}${mi('i')}</msub>`,
  ],
  ['(a+b)²', `<mo>(</mo>${mi('a')}<mo>+</mo>${mi('b')}<msup><mo>)</mo>${mn('2')}</msup>`],
  ['x̅', `<mover>${mi('x')}<mo>¯</mo></mover>`],
  [
    '[1, 2; 3, 4]',
    `<mtable><mtr><mtd>${mn('1')}</mtd><mtd>${mn('2')}</mtd></mtr><mtr><mtd>${mn('3')}</mtd><mtd>${mn('4')}</mtd></mtr></mtable>`,
  ],
  ['sin x', `${mi('sin')}<mo>\u2061</mo>${mi('x')}`],
  [
    'x',
    `<semantics>${mi('x')}<annotation encoding="application/x-tex">\\alpha</annotation></semantics>`,
  ],
])('the MathML of %s keeps its meaning', (expected, formula) =>
  check(`<p>so <math>${formula}</math>.</p>`, [`paragraph: so ${expected}.`]),
)

describe('pictures that stand for words', () => {
  test('in a cell are read by their names', () =>
    check(
      '<table><tr><th>A</th><th>B</th></tr><tr><td>x</td><td><img alt="yes"></td></tr><tr><td>y</td><td><i aria-label="no"></i></td></tr><tr><td>z <img alt="flag"></td><td><img alt="logo.png"></td></tr></table>',
      ['table: A | B / x | yes / y | no / z | '],
    ))
  test('in a heading without text are read', () =>
    check('<h2><img alt="Prices"></h2><p>a</p><h2>B <img alt="x"></h2>', [
      ...['heading2: Prices', 'paragraph: a', 'heading2: B'],
    ]))
  test('in a line are read if they are formulas or signs', () =>
    check(
      '<p>is <img alt="{\\displaystyle \\alpha +1}">, <img alt="✓">, <img class="latex" alt="E=mc^2"> and <img alt="A photo"></p>',
      ['paragraph: is \\alpha +1, ✓, E=mc^2 and'],
    ))
  test('of a hidden formula are not read beside it', () =>
    check(
      '<p>by <span><span style="display: none"><math><mi>x</mi></math></span><img alt="{\\displaystyle x\\,}"></span>.</p>',
      ['paragraph: by x.'],
    ))
})

describe('what a reader opens', () => {
  test.each([
    [
      'a question in a button',
      '<h3><button aria-expanded="false">Q?</button></h3><p>a</p>',
      ['heading3: Q?', 'paragraph: a'],
    ],
    ['a tab', '<div role="tabpanel" hidden><p>a</p></div>', ['paragraph: a']],
    ['what the browser finds', '<div hidden="until-found"><p>a</p></div>', ['paragraph: a']],
    [
      'what a button opens',
      '<button aria-expanded="false" aria-controls="b">B</button><div id="b" hidden><p>a</p></div>',
      ['paragraph: a'],
    ],
    [
      'closed details',
      '<details><summary>Q</summary><p>a</p></details>',
      ['paragraph: Q', 'paragraph: a'],
    ],
  ])('is read: %s', (_, page, expected) => check(page, expected))

  test('is not a menu or a button elsewhere', () =>
    check(
      '<nav><button aria-expanded="false" aria-controls="m">Menu</button></nav><div id="m" hidden>Home</div><p>a <button>OK</button></p>',
      ['paragraph: a'],
    ))
})

test('elements of XHTML that end themselves hide nothing', () =>
  check('<?xml version="1.0"?><html><body><iframe src="x"/><p>4th</p></body></html>', [
    'paragraph: 4th',
  ]))

test('text that is left out is counted', async () => {
  const hidden = `<div hidden>${'A sentence that nobody sees. '.repeat(8)}</div>`
  const page = `<p><ruby>東<rt>と</rt></ruby></p>${hidden}<svg><text>Axis</text></svg><div hidden>x</div>`
  const { warnings } = await parseBytes(htmlParser, page)
  expect(warnings).toEqual([
    {
      code: 'skipped',
      message:
        'Skipped: drawings 1, hidden elements 1, reading aids 1. Their text is not searchable.',
    },
  ])
})

test('what stands around the text of a page is left out and counted', async () => {
  const text = `<p>${'Pipes burst at night. '.repeat(20).trim()}</p>`
  const page = `<body class="modal-open"><header>Acme shop</header>
    <div class="cookie-banner">We bake.</div><main><article><header><p>Today</header>${text}
    <aside>A note on lead</aside><div class="relatedPosts related">More frost</div></article></main>
    <aside>Most read</aside><form>Your name</form><div class="site-footer">Acme Ltd</div></body>`
  const { blocks, warnings } = await parseBytes(htmlParser, page)
  expect(blocks.map(({ text }) => text.slice(0, 14))).toEqual([
    'Today',
    'Pipes burst at',
    'A note on lead',
  ])
  expect(warnings).toMatchObject([
    {
      message:
        'Skipped: asides 2, footers 1, form controls 2, headers 1. Their text is not searchable.',
    },
  ])
})

test('what holds most of a page does not stand around it', () =>
  check('<p>Frost</p><form class="overlay"><p>Pipes burst at night.</form>', [
    'paragraph: Frost',
    'paragraph: Pipes burst at night.',
  ]))

test('check boxes that nobody can tick are read', () =>
  check(
    '<ul><li><input type="checkbox" disabled checked> paid<li><input type="checkbox" disabled> refunded<li><input type="checkbox"> news</ul>',
    ['list: ☒ paid', 'list: ☐ refunded', 'list: news'],
  ))

test('a picture that is read as the text of its cell is not counted as skipped', async () => {
  const table = (cell: string) =>
    `<p>Courses</p><table><tr><td>Sailing<td>${cell}<tr><td>Diving<td>5</table>`
  const icon = '<img src="t.png" alt="open">'
  expect((await parseBytes(htmlParser, table(icon))).warnings).toEqual([])
  expect((await parseBytes(htmlParser, table(`9 ${icon}`))).warnings).toMatchObject([
    { message: 'Skipped: text alternatives 1. Their text is not searchable.' },
  ])
})

test('a text alternative counts only if its words are nowhere in the text of the page', async () => {
  const readSkipped = async (alternative: string) => {
    const page = `<nav>The harbour office</nav><p>The harbour of Visby lies west of the old town. 港口位于老城西边。<img src="x.png" alt="${alternative}"><a href="x" title="${alternative}">map</a>`
    const { warnings } = await parseBytes(htmlParser, page)
    return [alternative, warnings.map(({ message }) => /Skipped: ([^.]*)/.exec(message)?.[1])]
  }
  for (const shown of ['Harbour of Visby', 'the old harbour', '老城西边'])
    expect(await readSkipped(shown)).toEqual([shown, ['menus 1']])
  for (const lost of ['Lighthouse of Visby', 'the harbour office', '老城北边'])
    expect(await readSkipped(lost)).toEqual([lost, ['menus 1, text alternatives 2']])
})
