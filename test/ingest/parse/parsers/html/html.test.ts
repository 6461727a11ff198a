import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { htmlParser } from '../../../../../src/ingest/parse/parsers/html/html.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'

async function check(content: string, expected: readonly string[]) {
  expect(outline((await parseBytes(htmlParser, content)).blocks)).toEqual(expected)
}

describe('what begins behind the last tag', () => {
  test.each([
    ['names', '<a'],
    ['tags', '<a '],
    ['doctypes', '<!doctype '],
    ['declarations of doctypes', '<!doctype [>'],
    ['values', '<a b="'],
    ['comments', '<!-'],
    ['sections', '<![CDATA[>'],
    ['whole comments', '<!--'],
    ['titles', '<title>'],
    ['styles', '<style>'],
  ])('is read once, however often it does: %s', async (_, part) => {
    const { blocks } = await parseBytes(htmlParser, `<p>a</p>${part.repeat(40_000)}`) // by its square it would be an hour
    expect(outline(blocks)[0]).toBe('paragraph: a')
  })
  test('nor are blanks in what is set as it is', async () => {
    const { blocks } = await parseBytes(htmlParser, `<pre>a${' '.repeat(400_000)}b</pre>`)
    expect(blocks.map(({ kind }) => kind)).toEqual(['code'])
  })
})

describe('text', () => {
  test('headings, paragraphs and items', () =>
    check('<!doctype html><h2>A <b>b</b></h2><p>c\n  d<ul><li>e<li>f</ul>', [
      'heading2: A b',
      'paragraph: c d',
      'list: e',
      'list: f',
    ]))
  test.each([
    ['of a drawing', '<!doctype svg PUBLIC "a" "b" [ <!ENTITY ns "http://c"> ]><svg></svg>'],
    ['of a page in the page', '<!DOCTYPE html><html><head><title>t</title></head></html>'],
    ['without its end', '<!doctype html'],
    ['in a comment', '<!-- <!doctype html> --><!doctype html>'],
  ])('a second doctype takes none of it away: %s', (_, second) =>
    check(`<!doctype html><p>a</p>${second}<p>b</p>`, ['paragraph: a', 'paragraph: b']),
  )
  test.each([
    ['a comment', "<!-- <!DOCTYPE isn't needed -->"],
    ['a script', '<script>if (s == "<!DOCTYPE html [") x()</script>'],
    ['a script of many tags', `<script>${'"<div>"'.repeat(300)}</script>`],
    ['a style', '<style>/* <!DOCTYPE html [ */</style>'],
    ['an attribute', `<img alt='type "<!DOCTYPE html ['>`],
    ['a field', '<textarea><!DOCTYPE html PUBLIC "</textarea>'],
    ['a title', '<title>How to write <!DOCTYPE [ right</title>'],
    ['a CDATA section', '<svg><![CDATA[<!DOCTYPE x [ ]]></svg>'],
    ['a CDATA section without its end', '<svg><![CDATA[<!DOCTYPE x [ ]></svg>'],
  ])('nor does what is no markup: in %s', async (_, between) => {
    const { blocks } = await parseBytes(
      htmlParser,
      `<p>Alpha.</p>${between}<p>Omega <b title="a > b">x</b>.</p>`,
    )
    expect(outline(blocks)).toEqual(
      expect.arrayContaining(['paragraph: Alpha.', 'paragraph: Omega x.']),
    )
  })
  test('a head without its end holds none of it', () =>
    check('<!doctype html><head><meta charset=utf-8><title>T</title><p>a<p>b', [
      'paragraph: a',
      'paragraph: b',
    ]))
  test.each([
    ['title', '<title>'],
    ['field', '<textarea rows=2>'],
    ['style', '<style>i { color: red }'],
    ['comment', '<!--'],
  ])('nor does a %s without its end', (_, start) =>
    check(`<!doctype html><p>a</p>${start}<p>b</p><i>c</i>`, [
      'paragraph: a',
      'paragraph: b',
      'paragraph: c',
    ]),
  )
  test('numbered items are numbered', () =>
    check('<ol start=3><li>a<li>b</ol>', ['list: 3. a', 'list: 4. b']))
  test('nested items follow', () =>
    check('<ol><li>a<ul><li>b</ul><li>c</ol>', ['list: 1. a', 'list:   b', 'list: 2. c']))
  test('so does what else an item holds', () =>
    check('<ol><li><p>a<p>b<li>c</ol><p>d', [
      'list: 1. a',
      'list:   b',
      'list: 2. c',
      'paragraph: d',
    ]))
  test('items are counted as the page counts them', () =>
    check('<ol type=a><li>a<li value=5>b<li>c</ol>', ['list: a. a', 'list: e. b', 'list: f. c']))
  test('each definition stands with its terms', () =>
    check(
      '<dl><dt>Mast<dd>A pole.<dd>A spar.<dt>Jib<dt>Genoa<dd>A sail.<dt>Why?<dd>So.<dt>桅<dd>杆。</dl><p>a',
      [
        ...['list: Mast: A pole.', 'list: Mast: A spar.', 'list: Jib, Genoa: A sail.'],
        ...['list: Why? / So.', 'list: 桅：杆。', 'paragraph: a'],
      ],
    ))
  test('a term without a text of its own is kept', () =>
    check('<dl><dt>Sails<dd><ul><li>jib<li>spinnaker</ul><dt>Mast</dl>', [
      ...['list: Sails', 'list:   jib', 'list:   spinnaker', 'list: Mast'],
    ]))
  test('so is one without a list', () =>
    check('<p>a</p><dt>Mast</dt><p>b', ['paragraph: a', 'list: Mast', 'paragraph: b']))
  test('text right behind a term defines it', () =>
    check('<dl><dt>Mast</dt>A pole.<dt>Jib</dt><p>A sail.</p><dt>Ropes</dt><pre>a\nb</pre></dl>', [
      ...['paragraph: Mast: A pole.', 'paragraph: Jib: A sail.', 'list: Ropes', 'code: a / b'],
    ]))
  test('definitions are of the terms of their own list', () =>
    check('<dl><dt>A<dd>1<dl><dt>B<dd>2</dl></dd><dd>3<dt><h3>C</h3><dd>4</dl><dl><dd>5</dl>', [
      ...['list: A: 1', 'list:   B: 2', 'list: A: 3', 'heading3: C', 'list: 4', 'list: 5'],
    ]))
  test('very many terms stand before one definition only', async () => {
    const content = `<dl>${'<dt>term word</dt>'.repeat(2000)}${'<dd>definition</dd>'.repeat(2000)}</dl>`
    const { blocks } = await parseBytes(htmlParser, content)
    const text = blocks.map(block => block.text).join('')
    expect(text.length).toBeLessThan(content.length)
    expect(text.split('term word').length).toBe(2001)
  })
  test('letters go on in two places', () =>
    check('<ol type=A start=26><li>a<li>b<li>c</ol>', ['list: Z. a', 'list: AA. b', 'list: AB. c']))
  test('numbers are whole', () =>
    check(
      '<ol type=a start=1.5><li>a<li value=2.5>b<li value=x>c</ol><ol start=0><li>d<li value=0>e</ol>',
      [...['list: a. a', 'list: b. b', 'list: c. c', 'list: 0. d', 'list: 0. e']],
    ))
  test('one break parts lines, two part paragraphs', () =>
    check('a<br>b<br><br>c', ['paragraph: a / b', 'paragraph: c']))
  test('code keeps its lines', () => check('<pre>a\n  b</pre>', ['code: a /   b']))
  test('captions are captions', () =>
    check('<figure><img><figcaption>Map</figcaption></figure>', ['caption: Map']))
  test('Chinese lines are joined without a space', () =>
    check('<p>出差\n审批', ['paragraph: 出差审批']))
  test('exponents, indices and signs of notes do not join the number or word before them', () =>
    check(
      '<p>2<sup>48</sup> bytes of H<sub>2</sub>O, x<sup>-1</sup> on the 19<sup>th</sup><a><sup><b>3</b></sup></a></p>',
      ['paragraph: 2⁴⁸ bytes of H₂O, x⁻¹ on the 19th³'],
    ))
  test('nor in a table', () =>
    check('<table><tr><td>a<td>m<sup>2</sup><tr><td>b<td>5</table>', ['table: a | m² / b | 5']))
  test('a heading with blocks inside is one', () =>
    check('<h1><div>A</div><div>B</div></h1>', ['heading1: A B']))
})

describe('what is not read', () => {
  test('scripts, styles and comments', () =>
    check('<script>x</script><style>y</style><!-- z --><p>a', ['paragraph: a']))
  test('navigation and the page’s footer', () =>
    check('<nav><a>x</a></nav><p>a</p><footer>z</footer>', ['paragraph: a']))
  test('signs that link to the heading they stand at, but no other link', () =>
    check(
      '<h2>Build<a class="headerlink" href="#build">¶</a></h2><p>See <a href="#run">Run</a> and <a href="/c#">#</a>',
      ['heading2: Build', 'paragraph: See Run and #'],
    ))
  test('hidden elements', () =>
    check('<p hidden>x</p><p style="display: none">y</p><p>a', ['paragraph: a']))
  test('menus made of links', () =>
    check('<div class="side menu"><a>x</a> <a>y</a></div><p>a', ['paragraph: a']))
  test('but prose in an element called menu is', () =>
    check('<div class=menu><p>We serve <a>soup</a> all day.</div>', [
      'paragraph: We serve soup all day.',
    ]))
  test('a page of nothing else is no text', async () => {
    await expect(parseBytes(htmlParser, '<script>x</script>')).rejects.toMatchObject({
      code: 'no_text',
    })
  })
})

describe('tables', () => {
  test('merged cells are repeated', () =>
    check('<table><tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d</table>', [
      'table: a | b | b / a | c | d',
    ]))
  test('short rows are filled', () =>
    check('<table><tr><td>a<td>b<tr><td>c</table>', ['table: a | b / c | ']))
  test('the foot comes last', () =>
    check('<table><tfoot><tr><td>z<td>y</tfoot><tr><td>a<td>b</table>', ['table: a | b / z | y']))
  test('a caption comes before', () =>
    check('<table><caption>T</caption><tr><td>a<td>b<tr><td>1<td>2</table>', [
      'caption: T',
      'table: a | b / 1 | 2',
    ]))
  test('layout is not data', () =>
    check('<table><tr><td><h1>A</h1><td><p>b</table>', ['heading1: A', 'paragraph: b']))
  test('blocks in a cell stay apart', () =>
    check('<table><tr><td><p>a</p><p>b</p><td>c</table>', ['table: a b | c']))
  test('a span wider than the table ends with it, and the title of a group stands once', () =>
    check('<table><tr><td colspan=100>Group<tr><td>a<td>b<tr><td>c<td colspan=9>d</table>', [
      'table: Group |  / a | b / c | d',
    ]))
  test('copies of spanning cells never outweigh the cells of a table', async () => {
    const shifted = Array.from(
      { length: 60 },
      (_, row) => `<tr><td colspan=${row + 1}><td colspan=20>Task ${row} of the plan`,
    )
    const { blocks } = await parseBytes(htmlParser, `<table>${shifted.join('')}</table>`)
    const words = blocks.flatMap(({ text }) => text.match(/Task/g) ?? [])
    expect(words.length).toBeGreaterThanOrEqual(60)
    expect(words.length).toBeLessThanOrEqual(120)
  })
  test('spans beyond reason are bounded', async () => {
    const { blocks } = await parseBytes(
      htmlParser,
      `<table>${'<tr><td rowspan=60000 colspan=60000>x<td>y'.repeat(3000)}</table>`,
    )
    expect(blocks).toHaveLength(1)
  })
})

describe('the page', () => {
  test('is decoded as it declares', async () => {
    const page = iconv.encode('<meta charset=gb2312><title>招生</title><p>报名', 'gbk')
    const { metadata, blocks } = await parseBytes(htmlParser, page)
    expect(metadata).toMatchObject({ title: '招生', charset: 'gb18030' })
    expect(outline(blocks)).toEqual(['paragraph: 报名'])
  })
  test.each([
    ['unknown', 'x-none', 'latin1', 'which is unknown: the text was read as '],
    [
      'contradicted',
      'iso-8859-1',
      'utf8',
      'which its bytes contradict: the text was read as utf-8',
    ],
  ])('warns if its charset is %s', async (_, charset, encoding, expected) => {
    const text = `<meta charset=${charset}><p>Schöne Grüße aus Köln, die Straße ist gesperrt.`
    const { warnings } = await parseBytes(htmlParser, iconv.encode(text, encoding))
    expect(warnings).toEqual([
      { code: 'charset', message: expect.stringContaining(`${charset} is declared, ${expected}`) },
    ])
  })
  test('warns if its charset is a doubtful guess', async () => {
    const page = iconv.encode(
      '<p>If Rangers draw I stand to lift £825, not bad for a £2 bet.',
      'latin1',
    )
    const { warnings } = await parseBytes(htmlParser, page)
    expect(warnings).toEqual([
      { code: 'charset', message: expect.stringContaining('is a doubtful guess') },
    ])
  })
  test('is read where it is hidden until its scripts run', async () => {
    const paragraph = `Pipes burst at night. ${'Cold nights are long. '.repeat(14)}`.trim()
    const text = `<h1>Frost</h1><p>${paragraph}`
    const read = ['heading1: Frost', `paragraph: ${paragraph}`]
    await check(`<p>Loading<div style="visibility:hidden">${text}</div>`, [
      'paragraph: Loading',
      ...read,
    ])
    await check(`<p>Wait<noscript>${text}</noscript>`, ['paragraph: Wait', ...read])
    const shown = 'Warm days. '.repeat(40).trim()
    await check(`<p>${shown}<noscript>${text}</noscript><div hidden>${text}</div>`, [
      `paragraph: ${shown}`,
    ])
  })
  test('has content that React streams after it', () =>
    check(
      '<h1>A long heading of the page</h1><template id="B:1f"></template><div hidden id="S:1f"><p>Late</div>',
      ['heading1: A long heading of the page', 'paragraph: Late'],
    ))
  test('has a language, an author and dates', async () => {
    const head =
      '<html lang=en><meta name=author content=Ann><meta property="article:published_time" content=2024-05-01>'
    const { metadata } = await parseBytes(htmlParser, `${head}<h1>T</h1>`)
    expect(metadata).toMatchObject({
      title: 'T',
      author: 'Ann',
      created: '2024-05-01',
      language: 'en',
    })
  })
  test('may nest 200,000 deep', () =>
    check(`${'<div>'.repeat(200_000)}deep${'</div>'.repeat(200_000)}<p>after`, [
      'paragraph: deep',
      'paragraph: after',
    ]))
})
