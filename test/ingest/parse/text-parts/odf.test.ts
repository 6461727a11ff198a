import { odpParser } from '../../../../src/ingest/parse/parsers/odp.ts'
import { odsParser } from '../../../../src/ingest/parse/parsers/ods/ods.ts'
import { odtParser } from '../../../../src/ingest/parse/parsers/odt/odt.ts'
import { odtCell, odtRow, odtTable } from '../../../fixtures/odt.ts'
import { type TextPart, testTextParts, WORD } from '../../../fixtures/text-parts.ts'
import { zip } from '../../../fixtures/zip.ts'

type Kind = 'text' | 'spreadsheet' | 'presentation'

const p = (text: string) => `<text:p>${text}</text:p>`
const word = p(WORD)
const masterPage = (content: string) =>
  `<office:document-styles><office:master-styles><style:master-page>${content}</style:master-page></office:master-styles></office:document-styles>`
const facts = (content: string) =>
  `<office:document-meta><office:meta>${content}</office:meta></office:document-meta>`
const index = (name: string) =>
  `<text:${name}><text:index-body>${word}</text:index-body></text:${name}>`
const frame = (content: string, attributes = '') =>
  `<draw:frame ${attributes}>${content}</draw:frame>`
const box = frame(`<draw:text-box>${word}</draw:text-box>`)
const inFrame = (content: string) => `<text:p>${frame(content)}</text:p>`
const change = (content: string) =>
  `<text:tracked-changes><text:changed-region>${content}</text:changed-region></text:tracked-changes>`

/** Builds a file of `styles.xml`, `meta.xml` or another part after the body. */
function build(kind: Kind, base: (source: string) => string) {
  return (source: string, [part, content = '']: readonly string[]) =>
    zip({
      mimetype: `application/vnd.oasis.opendocument.${kind}`,
      'META-INF/manifest.xml': '<manifest:manifest/>',
      'content.xml': `<office:document-content><office:body><office:${kind}>${base(source)}</office:${kind}></office:body></office:document-content>`,
      ...(part ? { [part]: content } : {}),
    })
}

const META_PARTS: readonly TextPart[] = [
  ['4.3', 'title of the file', ['', 'meta.xml', facts(`<dc:title>${WORD}</dc:title>`)]],
  [
    '4.3',
    'description of the file',
    ['', 'meta.xml', facts(`<dc:description>${WORD}</dc:description>`)],
    'document properties',
  ],
  ['4.3', 'subject of the file', ['', 'meta.xml', facts(`<dc:subject>${WORD}</dc:subject>`)]],
  ['4.3', 'keyword of the file', ['', 'meta.xml', facts(`<meta:keyword>${WORD}</meta:keyword>`)]],
  [
    '4.3',
    'property of the user',
    ['', 'meta.xml', facts(`<meta:user-defined meta:name="x">${WORD}</meta:user-defined>`)],
    'document properties',
  ],
]

const DRAWN_PARTS: readonly (readonly [string, string, string, string?])[] = [
  ['10.3', 'rectangle', `<draw:rect>${word}</draw:rect>`],
  ['10.3', 'line', `<draw:line>${word}</draw:line>`],
  ['10.3', 'polyline', `<draw:polyline>${word}</draw:polyline>`],
  ['10.3', 'polygon', `<draw:polygon>${word}</draw:polygon>`],
  ['10.3', 'path', `<draw:path>${word}</draw:path>`],
  ['10.3', 'circle', `<draw:circle>${word}</draw:circle>`],
  ['10.3', 'ellipse', `<draw:ellipse>${word}</draw:ellipse>`],
  ['10.3', 'connector', `<draw:connector>${word}</draw:connector>`],
  ['10.3', 'callout', `<draw:caption>${word}</draw:caption>`],
  ['10.3', 'measure', `<draw:measure>${word}</draw:measure>`],
  ['10.3', 'control', '<draw:control draw:control="x"/>', 'form controls'],
  ['10.3', 'group', `<draw:g><draw:rect>${word}</draw:rect></draw:g>`],
  [
    '10.3',
    'title of a shape',
    `<draw:rect><svg:title>${WORD}</svg:title></draw:rect>`,
    'text alternatives',
  ],
  [
    '10.3',
    'description of a shape',
    `<draw:rect><svg:desc>${WORD}</svg:desc></draw:rect>`,
    'text alternatives',
  ],
  ['10.4', 'text box', box],
  ['10.4', 'text of a picture', frame(`<draw:image xlink:href="x.png">${word}</draw:image>`)],
  ['10.4', 'embedded object', frame('<draw:object xlink:href="./Object 1"/>'), 'embedded objects'],
  [
    '10.4',
    'embedded object of another program',
    frame('<draw:object-ole xlink:href="x"/>'),
    'embedded objects',
  ],
  ['10.4', 'floating frame', frame('<draw:floating-frame xlink:href="x.html"/>'), 'linked files'],
  ['10.6', 'custom shape', `<draw:custom-shape>${word}</draw:custom-shape>`],
]

testTextParts(
  {
    specification: 'OpenDocument text (OASIS ODF 1.3, part 3)',
    parser: odtParser,
    build: build('text', source => p('Base') + source),
  },
  [
    ['5.1', 'heading', `<text:h text:outline-level="1">${WORD}</text:h>`],
    ['5.1', 'paragraph', word],
    ['5.1', 'numbered paragraph', `<text:numbered-paragraph>${word}</text:numbered-paragraph>`],
    ['5.2', 'title of a page sequence', `<text:page-sequence/>${word}`],
    [
      '5.3',
      'header of a list',
      `<text:list><text:list-header>${word}</text:list-header></text:list>`,
    ],
    ['5.3', 'item of a list', `<text:list><text:list-item>${word}</text:list-item></text:list>`],
    ['5.4', 'section', `<text:section>${word}</text:section>`],
    [
      '5.4',
      'section that a condition hides',
      `<text:section text:display="none">${word}</text:section>`,
    ],
    ['5.5', 'deleted text', change(`<text:deletion>${word}</text:deletion>`), 'deleted texts'],
    ['6.1', 'span', p(`<text:span>${WORD}</text:span>`)],
    ['6.1', 'link', p(`<text:a>${WORD}</text:a>`)],
    ['6.1', 'tip of a link', p(`<text:a office:title="${WORD}">x</text:a>`), 'text alternatives'],
    ['6.1', 'paragraph of metadata', p(`<text:meta>${WORD}</text:meta>`)],
    ['6.3', 'footnote', p(`<text:note><text:note-body>${word}</text:note-body></text:note>`)],
    ['6.4', 'base of ruby', p(`<text:ruby><text:ruby-base>${WORD}</text:ruby-base></text:ruby>`)],
    [
      '6.4',
      'reading of ruby',
      p(
        `<text:ruby><text:ruby-base>x</text:ruby-base><text:ruby-text>${WORD}</text:ruby-text></text:ruby>`,
      ),
      'reading aids',
    ],
    ['7', 'conditional text', p(`<text:conditional-text>${WORD}</text:conditional-text>`)],
    ['7', 'hidden text', p(`<text:hidden-text text:string-value="${WORD}"/>`), 'hidden elements'],
    ['7', 'hidden paragraph', p(`${WORD}<text:hidden-paragraph/>`)],
    ['7', 'user field', p(`<text:user-field-get>${WORD}</text:user-field-get>`)],
    ['7', 'field of a database', p(`<text:database-display>${WORD}</text:database-display>`)],
    ['7', 'reference', p(`<text:bookmark-ref>${WORD}</text:bookmark-ref>`)],
    ['7', 'drop-down field', p(`<text:drop-down>${WORD}</text:drop-down>`)],
    ['7', 'title of the document', p(`<text:title>${WORD}</text:title>`)],
    ['7', 'placeholder', p(`<text:placeholder>${WORD}</text:placeholder>`)],
    [
      '8',
      'mark of an alphabetical index',
      p(`<text:alphabetical-index-mark text:string-value="${WORD}"/>`),
      'index entries',
    ],
    [
      '8',
      'mark of a table of contents',
      p(`<text:toc-mark text:string-value="${WORD}" text:outline-level="1"/>`),
      'index entries',
    ],
    ['8', 'table of contents', index('table-of-content'), 'contents lists'],
    ['8', 'index of illustrations', index('illustration-index'), 'contents lists'],
    ['8', 'alphabetical index', index('alphabetical-index'), 'contents lists'],
    ['8', 'bibliography', index('bibliography')],
    ['9', 'cell', odtTable([odtCell(WORD) + odtCell('x')])],
    [
      '9',
      'title of a table',
      `<table:table><table:title>${WORD}</table:title><table:table-row>${odtCell('y')}${odtCell('x')}</table:table-row></table:table>`,
      'text alternatives',
    ],
    [
      '9',
      'description of a table',
      `<table:table><table:desc>${WORD}</table:desc><table:table-row>${odtCell('y')}${odtCell('x')}</table:table-row></table:table>`,
      'text alternatives',
    ],
    [
      '13',
      'control of a form',
      `<office:forms><form:form><form:text form:value="${WORD}"/></form:form></office:forms>`,
      'form controls',
    ],
    ['14', 'comment', p(`<office:annotation>${word}</office:annotation>`)],
    ['14', 'formula', inFrame('<draw:object xlink:href="./Object 1"/>'), 'embedded objects'],
    ['16', 'header', ['', 'styles.xml', masterPage(`<style:header>${word}</style:header>`)]],
    ['16', 'footer', ['', 'styles.xml', masterPage(`<style:footer>${word}</style:footer>`)]],
    [
      '16',
      'header of left pages',
      ['', 'styles.xml', masterPage(`<style:header-left>${word}</style:header-left>`)],
    ],
    [
      '16',
      'footer of the first page',
      ['', 'styles.xml', masterPage(`<style:footer-first>${word}</style:footer-first>`)],
    ],
    ...DRAWN_PARTS.filter(([, name]) => name !== 'control').map(
      ([section, name, source, skipped]): TextPart => [section, name, p(source), skipped],
    ),
    ...META_PARTS,
  ],
)

const table = (content: string, attributes = 'table:name="Fees"') =>
  `<table:table ${attributes}>${content}${odtRow(odtCell('Base'), odtCell('x'))}</table:table>`
const printed = (name: string) => [
  '',
  'styles.xml',
  masterPage(`<style:${name}><style:region-left>${word}</style:region-left></style:${name}>`),
]

testTextParts(
  {
    specification: 'OpenDocument spreadsheet (OASIS ODF 1.3, part 3)',
    parser: odsParser,
    build: build('spreadsheet', source =>
      /^<(?:table:table|table:tracked)/.test(source) && source.includes('Base')
        ? source
        : source.startsWith('<table:content') ||
            source.startsWith('<table:tracked') ||
            source.startsWith('<table:database')
          ? source + table('')
          : table(source),
    ),
  },
  [
    ['9', 'text of a cell', odtRow(odtCell(WORD), odtCell('x'))],
    [
      '9',
      'text value without a paragraph',
      odtRow(
        `<table:table-cell office:value-type="string" office:string-value="${WORD}"/>`,
        odtCell('x'),
      ),
    ],
    ['9', 'name of a sheet', table('', `table:name="${WORD}"`)],
    ['9', 'title of a sheet', `<table:title>${WORD}</table:title>`, 'text alternatives'],
    ['9', 'description of a sheet', `<table:desc>${WORD}</table:desc>`, 'text alternatives'],
    [
      '9',
      'header rows',
      `<table:table-header-rows>${odtRow(odtCell(WORD), odtCell('x'))}</table:table-header-rows>`,
    ],
    [
      '9',
      'covered cell',
      odtRow(odtCell('y'), `<table:covered-table-cell>${word}</table:covered-table-cell>`),
    ],
    ['9', 'scenario', `<table:scenario table:comment="${WORD}"/>`, 'scenarios'],
    [
      '9',
      'validation of cells',
      `<table:content-validations><table:content-validation><table:help-message>${word}</table:help-message></table:content-validation></table:content-validations>`,
      'validation texts',
    ],
    [
      '9',
      'deleted row',
      `<table:tracked-changes><table:deletion>${WORD}</table:deletion></table:tracked-changes>`,
      'deleted texts',
    ],
    ['9', 'shapes of a sheet', `<table:shapes>${box}</table:shapes>`],
    [
      '14',
      'comment',
      odtRow(
        `<table:table-cell>${p('y')}<office:annotation>${word}</office:annotation></table:table-cell>`,
        odtCell('x'),
      ),
    ],
    ['16', 'header', printed('header'), 'headers'],
    ['16', 'footer', printed('footer'), 'footers'],
    ['16', 'header of left pages', printed('header-left'), 'headers'],
    [
      '9',
      'pivot table of a database',
      '<table:data-pilot-tables><table:data-pilot-table><table:database-source-query/></table:data-pilot-table></table:data-pilot-tables>',
      'pivot tables',
    ],
    ...DRAWN_PARTS.map(
      ([section, name, source, skipped]): TextPart => [
        section,
        `${name} in a cell`,
        odtRow(`<table:table-cell>${source}</table:table-cell>`, odtCell('x')),
        skipped,
      ],
    ),
    ...META_PARTS,
  ],
)

const slide = (content: string) =>
  `<draw:page draw:name="x">${frame(`<draw:text-box>${p('Base')}</draw:text-box>`)}${content}</draw:page>`

testTextParts(
  {
    specification: 'OpenDocument presentation (OASIS ODF 1.3, part 3)',
    parser: odpParser,
    build: build('presentation', source =>
      source.includes('-decl') ? source + slide('') : slide(source),
    ),
  },
  [
    [
      '10.2',
      'title',
      frame(`<draw:text-box>${word}</draw:text-box>`, 'presentation:class="title"'),
    ],
    [
      '10.2',
      'outline',
      frame(`<draw:text-box>${word}</draw:text-box>`, 'presentation:class="outline"'),
    ],
    ['16', 'notes', `<presentation:notes>${box}</presentation:notes>`],
    ['9', 'cell of a table', frame(odtTable([odtCell(WORD) + odtCell('x')]))],
    ['14', 'comment', `<office:annotation>${word}</office:annotation>`],
    [
      '10.9',
      'header',
      `<presentation:header-decl presentation:name="h">${WORD}</presentation:header-decl>`,
    ],
    [
      '10.9',
      'footer',
      `<presentation:footer-decl presentation:name="f">${WORD}</presentation:footer-decl>`,
    ],
    [
      '10.9',
      'date',
      `<presentation:date-time-decl presentation:source="fixed">${WORD}</presentation:date-time-decl>`,
    ],
    ['16', 'text of a master page', ['', 'styles.xml', masterPage(box)]],
    ['10.4', 'sound or film', frame('<draw:plugin xlink:href="x.mp4"/>'), 'recordings'],
    ...DRAWN_PARTS.map(
      ([section, name, source, skipped]): TextPart => [
        section,
        name,
        source,
        name === 'text of a picture' ? undefined : skipped,
      ],
    ),
    ...META_PARTS,
  ],
)
