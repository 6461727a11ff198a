import { xmlParser } from '../../../../src/ingest/parse/parsers/xml.ts'
import { testTextParts, WORD } from '../../../fixtures/text-parts.ts'

const prose = `Bring the ${WORD}`
const withDtd = (dtd: string, content = 'x') => [`<p>${content}</p>`, `<!DOCTYPE a [${dtd}]>`]

testTextParts(
  {
    specification: 'XML 1.0 (W3C)',
    parser: xmlParser,
    build: (source, [prolog = '']) =>
      `<?xml version="1.0"?><?xml-stylesheet href="page style.xsl"?>${prolog}<a><b>Base</b>${source}</a>`,
  },
  [
    ['2.4', 'text', `<p>${WORD}</p>`],
    ['2.4', 'text beside elements', `<p>x <b>y</b> ${WORD}</p>`],
    ['2.7', 'text that is no markup', `<p><![CDATA[${WORD}]]></p>`],
    ['2.5', 'comment', `<!-- ${WORD} -->`, 'comments'],
    ['2.5', 'comment before the root', ['', `<!-- ${WORD} -->`], 'comments'],
    ['2.5', 'comment in the DTD', withDtd(`<!-- ${WORD} -->`), 'comments'],
    ['2.6', 'processing instruction', `<?note ${WORD}?>`, 'instructions'],
    ['3.1', 'attribute of a record', `<p name="${WORD}"/>`],
    ['3.1', 'attribute of a value', `<p><c name="${WORD}">x</c></p>`],
    ['3.1', 'attribute of a text', `<p name="${WORD}">x <b>y</b> z</p>`],
    ['3.1', 'attribute within a text', `<p>x <b name="${prose}">y</b> z</p>`, 'attributes'],
    ['3.1', 'attribute of an empty element', `<p>x <b name="${prose}"/> z</p>`, 'attributes'],
    ['3.1', 'attribute of a title', `<title name="${prose}">x</title>`, 'attributes'],
    [
      '3.1',
      'attribute of elements within a text',
      `<p>x <b name="${prose}"><c>y</c></b></p>`,
      'attributes',
    ],
    ['3.3.2', 'default value', withDtd(`<!ATTLIST p name CDATA "${prose}">`), 'attributes'],
    ['4.1', 'reference to a character', `<p>&#${WORD.charCodeAt(0)};${WORD.slice(1)}</p>`],
    ['4.2.1', 'internal entity', withDtd(`<!ENTITY e "${WORD}">`, '&e;')],
    [
      '4.2.1',
      'internal entity in an attribute',
      [...withDtd(`<!ENTITY e '${WORD}'>`)].map(part => part.replace('<p>', '<p name="&e;">')),
    ],
    [
      '4.2.1',
      'entity in an entity',
      withDtd(`<!ENTITY d "&#81;${WORD.slice(1)}"><!ENTITY e "x &d;">`, '&e;'),
    ],
    ['4.2.1', 'entity with elements', withDtd(`<!ENTITY e "<b>${WORD}</b>">`, '&e;')],
    [
      '4.2.2',
      'external entity',
      withDtd('<!ENTITY e SYSTEM "/etc/hostname">', 'x &e;'),
      'linked files',
    ],
    [
      '4.2.2',
      'external parameter entity',
      withDtd('<!ENTITY % e SYSTEM "x.dtd"> %e;'),
      'linked files',
    ],
  ],
)
