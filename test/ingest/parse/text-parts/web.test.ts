import { epubParser } from '../../../../src/ingest/parse/parsers/epub.ts'
import { htmlParser } from '../../../../src/ingest/parse/parsers/html/html.ts'
import { ipynbParser } from '../../../../src/ingest/parse/parsers/ipynb/ipynb.ts'
import { epub } from '../../../fixtures/epub.ts'
import { type TextPart, testTextParts, WORD } from '../../../fixtures/text-parts.ts'

const READ =
  'address article aside b bdi bdo blockquote cite code data dd del dfn div dt em figcaption figure h1 h3 h6 header hgroup i ins kbd label legend li main mark p pre q s samp section small span strong sub summary sup td th time u var'.split(
    ' ',
  )

const HTML_PARTS: readonly TextPart[] = [
  ...READ.map((name): TextPart => ['4', name, `<${name}>${WORD}</${name}>`]),
  ['4.2.2', 'title', `<title>${WORD}</title>`],
  [
    '4.2.5',
    'description of the page',
    `<meta name="description" content="${WORD}">`,
    'document properties',
  ],
  ['4.2.5', 'keywords of the page', `<meta name="keywords" content="${WORD}">`],
  ['4.3.4', 'nav', `<nav>${WORD}</nav>`, 'menus'],
  ['4.3.9', 'footer of the page', `<footer>${WORD}</footer>`, 'footers'],
  ['4.3.9', 'footer of an article', `<article><footer>${WORD}</footer></article>`],
  ['4.4.7', 'menu', `<menu><li>${WORD}</menu>`],
  ['4.5.1', 'link', `<p>x <a href="x">${WORD}</a>`],
  ['4.5.9', 'expansion of an abbreviation', `<abbr title="${WORD}">x</abbr>`, 'text alternatives'],
  ['4.5.12', 'reading of ruby', `<ruby>x<rt>${WORD}</rt></ruby>`, 'reading aids'],
  ['4.8.3', 'text of a picture', `<img src="x.png" alt="${WORD}">`, 'text alternatives'],
  [
    '4.8.3',
    'picture in a cell',
    `<table><tr><td>a<td><img src="x.png" alt="${WORD}"><tr><td>c<td>d</table>`,
  ],
  ['4.8.5', 'document in a frame', `<iframe srcdoc="${WORD}"></iframe>`, 'linked files'],
  ['4.8.5', 'page in a frame', '<iframe src="x.html"></iframe>', 'linked files'],
  ['4.8.7', 'fallback of an object', `<object>${WORD}</object>`, 'hidden elements'],
  ['4.8.8', 'fallback of a film', `<video>${WORD}</video>`, 'hidden elements'],
  ['4.8.14', 'text of an area', `<map><area alt="${WORD}"></map>`, 'text alternatives'],
  ['4.8.16', 'formula', `<math><mi>${WORD}</mi></math>`],
  ['4.8.17', 'text of a drawing', `<svg><text>${WORD}</text></svg>`, 'drawings'],
  [
    '4.9.2',
    'caption of a table',
    `<table><caption>${WORD}</caption><tr><td>a<td>b<tr><td>c<td>d</table>`,
  ],
  ['4.10.5', 'value of a field', `<input value="${WORD}">`, 'form controls'],
  ['4.10.6', 'button', `<button>${WORD}</button>`, 'form controls'],
  ['4.10.7', 'choice of a list', `<select><option>${WORD}</select>`, 'form controls'],
  ['4.10.11', 'text field', `<textarea>${WORD}</textarea>`, 'form controls'],
  ['4.10.12', 'output', `<output>${WORD}</output>`],
  ['4.11.1', 'details', `<details><summary>x</summary>${WORD}</details>`],
  ['4.11.4', 'dialog', `<dialog>${WORD}</dialog>`, 'hidden elements'],
  ['4.12.2', 'noscript', `<noscript>${WORD}</noscript>`, 'hidden elements'],
  ['4.12.3', 'template', `<template>${WORD}</template>`, 'hidden elements'],
  ['4.12.5', 'fallback of a canvas', `<canvas>${WORD}</canvas>`, 'hidden elements'],
  ['3.2.6', 'tip', `<p title="Bring the ${WORD}">x</p>`, 'text alternatives'],
  ['6.1', 'hidden', `<div hidden>${WORD}</div>`, 'hidden elements'],
  ['6.1', 'hidden until found', `<div hidden="until-found">${WORD}</div>`],
  ['3.2.6', 'menu by its role', `<div role="navigation">${WORD}</div>`, 'menus'],
]

testTextParts(
  {
    specification: 'HTML (WHATWG)',
    parser: htmlParser,
    build: source => `<html><head><title></title></head><body><p>Base</p>${source}</body></html>`,
  },
  HTML_PARTS,
)

const item = (attributes: string) => `<item ${attributes}/>`
testTextParts(
  {
    specification: 'EPUB 3.3 (W3C)',
    parser: epubParser,
    build: (source, [metadata = '', items = '', itemref = '', ...files]) => {
      const parts = Object.fromEntries(
        files.flatMap((name, index) =>
          index % 2 === 0 ? [[name, files[index + 1] ?? ''] as const] : [],
        ),
      )
      if (!items) return epub([`<p>Base</p>${source}`], metadata, parts)
      const chapter = '<html xmlns="x"><body><p>Base</p></body></html>'
      return epub(['x'], '', {
        'book/package.opf': `<package><metadata xmlns:dc="d">${metadata}</metadata><manifest>${item('id="c" href="c.xhtml" media-type="application/xhtml+xml"')}${items}</manifest><spine><itemref idref="c"/>${itemref}</spine></package>`,
        'book/c.xhtml': chapter,
        ...parts,
      })
    },
  },
  [
    ['6.1', 'text of a chapter', `<p>${WORD}</p>`],
    ['5.5.3', 'title', ['', `<dc:title>${WORD}</dc:title>`]],
    ['5.5.3', 'creator', ['', `<dc:creator>${WORD}</dc:creator>`]],
    [
      '5.5.3',
      'description',
      ['', `<dc:description>${WORD}</dc:description>`],
      'document properties',
    ],
    ['5.5.3', 'subject', ['', `<dc:subject>${WORD}</dc:subject>`]],
    ['5.5.3', 'publisher', ['', `<dc:publisher>${WORD}</dc:publisher>`], 'document properties'],
    [
      '5.7.1',
      'chapter beside the order',
      [
        '',
        '',
        item('id="n" href="n.xhtml" media-type="application/xhtml+xml"'),
        '<itemref idref="n" linear="no"/>',
        'book/n.xhtml',
        `<html xmlns="x"><body><p>${WORD}</p></body></html>`,
      ],
    ],
    [
      '5.6.2',
      'page that no order names',
      [
        '',
        '',
        item('id="n" href="n.xhtml" media-type="application/xhtml+xml"'),
        ' ',
        'book/n.xhtml',
        `<html xmlns="x"><body><p>${WORD}</p></body></html>`,
      ],
      'linked files',
    ],
    [
      '6.2',
      'drawing as a chapter',
      [
        '',
        '',
        item('id="n" href="n.svg" media-type="image/svg+xml"'),
        '<itemref idref="n"/>',
        'book/n.svg',
        `<svg xmlns="x"><text>${WORD}</text></svg>`,
      ],
      'drawings',
    ],
    [
      '7.4',
      'contents',
      [
        '',
        '',
        item('id="n" href="n.xhtml" properties="nav" media-type="application/xhtml+xml"'),
        '<itemref idref="n"/>',
        'book/n.xhtml',
        `<html xmlns="x"><body><nav>${WORD}</nav></body></html>`,
      ],
      'contents lists',
    ],
  ],
)

const cell = (content: object) => JSON.stringify(content)
const output = (content: object) => cell({ cell_type: 'code', source: '', outputs: [content] })
const shown = (data: object) => output({ output_type: 'display_data', data })

testTextParts(
  {
    specification: 'Jupyter notebook (nbformat 4)',
    parser: ipynbParser,
    build: (source, [metadata = '{}']) =>
      `{"nbformat":4,"metadata":${metadata},"cells":[{"cell_type":"markdown","source":"Base"}${source ? `,${source}` : ''}]}`,
  },
  [
    ['Markdown cells', 'source', cell({ cell_type: 'markdown', source: WORD })],
    ['Raw cells', 'source', cell({ cell_type: 'raw', source: [WORD] })],
    ['Code cells', 'source', cell({ cell_type: 'code', source: WORD })],
    ['stream', 'text', output({ output_type: 'stream', text: WORD })],
    ['display_data', 'plain text', shown({ 'text/plain': WORD })],
    ['display_data', 'HTML', shown({ 'text/html': `<p>${WORD}</p>` })],
    ['display_data', 'Markdown', shown({ 'text/markdown': WORD })],
    ['display_data', 'LaTeX', shown({ 'text/latex': WORD })],
    ['display_data', 'JSON', shown({ 'application/json': { a: WORD } }), 'unreadable cells'],
    [
      'display_data',
      'other data',
      shown({ 'application/vnd.x+json': { a: WORD } }),
      'unreadable cells',
    ],
    ['display_data', 'picture', shown({ 'image/png': 'AAAA', 'text/plain': 'x' }), 'pictures'],
    [
      'display_data',
      'drawing',
      shown({ 'image/svg+xml': `<svg><text>${WORD}</text></svg>` }),
      'pictures',
    ],
    ['error', 'name and value', output({ output_type: 'error', ename: 'E', evalue: WORD })],
    ['error', 'traceback', output({ output_type: 'error', traceback: [WORD] })],
    [
      'Cell attachments',
      'picture',
      cell({
        cell_type: 'markdown',
        source: 'x',
        attachments: { 'a.png': { 'image/png': 'AAAA' } },
      }),
      'pictures',
    ],
    ['Metadata', 'title', ['', `{"title":"${WORD}"}`]],
    ['Metadata', 'authors', ['', `{"authors":[{"name":"${WORD}"}]}`]],
  ],
)
