import { asciidocParser, orgParser } from '../../../../src/ingest/parse/parsers/line-markup.ts'
import { rstParser } from '../../../../src/ingest/parse/parsers/rst/rst.ts'
import { texParser } from '../../../../src/ingest/parse/parsers/tex/tex.ts'
import { testTextParts, WORD } from '../../../fixtures/text-parts.ts'

const prose = `Bring the ${WORD}`

testTextParts(
  {
    specification: 'reStructuredText (docutils)',
    parser: rstParser,
    build: source =>
      `Base\n====\n\n.. _place: https://example.org\n\n.. contents::\n\n${source}\n\nEnd.\n`,
  },
  [
    ['Sections', 'title', `${WORD}\n---------`],
    ['Paragraphs', 'paragraph', WORD],
    ['Bullet lists', 'item', `- ${WORD}`],
    ['Definition lists', 'definition', `term\n  ${WORD}`],
    ['Field lists', 'field', `:Author: ${WORD}`],
    ['Option lists', 'option', `-a  ${WORD}`],
    ['Literal blocks', 'literal', `x::\n\n  ${WORD}`],
    ['Line blocks', 'line', `| ${WORD}`],
    ['Block quotes', 'attribution', `y\n\n  x\n\n  -- ${WORD}`],
    ['Doctest blocks', 'example', `>>> ${WORD}`],
    [
      'Tables',
      'cell of a grid',
      `+---+-----------+\n| a | ${WORD} |\n+---+-----------+\n| c | d         |\n+---+-----------+`,
    ],
    ['Footnotes', 'footnote', `.. [1] ${WORD}`],
    ['Citations', 'citation', `.. [CIT] ${WORD}`],
    ['Substitution definitions', 'text of a name', `.. |x| replace:: ${WORD}`],
    ['Comments', 'comment', `.. ${WORD}`, 'comments'],
    ['Comments', 'comment below', `..\n   ${WORD}`, 'comments'],
    ['Inline markup', 'literal', `\`\`${WORD}\`\``],
    ['Inline markup', 'text with a role', `:term:\`${WORD}\``],
    ['Admonitions', 'note', `.. note:: ${WORD}`],
    ['Admonitions', 'text of a note', `.. note::\n\n   ${WORD}`],
    ['Images', 'text of a picture', `.. image:: x.png\n   :alt: ${WORD}`],
    ['Images', 'picture', '.. image:: x.png', 'pictures'],
    ['Figures', 'caption', `.. figure:: x.png\n\n   ${WORD}`],
    ['Body elements', 'topic', `.. topic:: ${WORD}\n\n   x`],
    ['Body elements', 'code', `.. code:: sh\n\n   ${WORD}`],
    ['Body elements', 'formula', `.. math:: ${WORD}`],
    ['Tables', 'title of a table', `.. csv-table:: ${WORD}\n\n   a,b\n   c,d`],
    ['Tables', 'cell of a list', `.. list-table::\n\n   * - ${WORD}\n     - x`],
    ['Document parts', 'header', `.. header:: ${WORD}`],
    ['HTML-specific', 'metadata', `.. meta::\n   :description: ${WORD}`, 'document properties'],
    ['Miscellaneous', 'raw text', `.. raw:: html\n\n   <b>${WORD}</b>`, 'hidden elements'],
    ['Sphinx', 'entry of an index', `.. index:: ${WORD}`, 'index entries'],
    [
      'Sphinx',
      'synopsis of a module',
      `.. module:: x\n   :synopsis: ${WORD}`,
      'document properties',
    ],
    ['Sphinx', 'title of a list of pages', `.. toctree::\n   :caption: ${WORD}\n\n   x`],
    ['Sphinx', 'text under a condition', `.. only:: html\n\n   ${WORD}`],
  ],
)

testTextParts(
  {
    specification: 'LaTeX',
    parser: texParser,
    build: (source, [preamble = '']) =>
      `\\documentclass{article}\n\\usepackage[utf8 x]{inputenc}\n${preamble}\n\\begin{document}\nBase \\label{some name} 50\\% %\n\n${source}\n\\end{document}\n`,
  },
  [
    ...'title author date subtitle institute keywords'
      .split(' ')
      .map(name => ['Preamble', name, ['', `\\${name}{${WORD}}`]] as const),
    ['Sections', 'heading', `\\section{${WORD}}`],
    ['Text', 'paragraph', WORD],
    ['Text', 'emphasis', `\\emph{${WORD}}`],
    ['Text', 'footnote', `x\\footnote{${WORD}}`],
    ['Text', 'note in the margin', `x\\marginpar{${WORD}}`],
    ['Text', 'text of a link', `\\href{https://example.org}{${WORD}}`],
    ['Text', 'comment', `x % ${WORD}`, 'comments'],
    ['Text', 'line that is a comment', `% ${WORD}`, 'comments'],
    ['Preamble', 'comment', ['', `% ${WORD}`], 'comments'],
    ['Environments', 'abstract', `\\begin{abstract}\n${WORD}\n\\end{abstract}`],
    ['Environments', 'item', `\\begin{itemize}\n\\item ${WORD}\n\\end{itemize}`],
    ['Environments', 'term', `\\begin{description}\n\\item[${WORD}] x\n\\end{description}`],
    ['Environments', 'code', `\\begin{verbatim}\n${WORD}\n\\end{verbatim}`],
    ['Environments', 'caption', `\\begin{figure}\n\\caption{${WORD}}\n\\end{figure}`],
    ['Environments', 'cell', `\\begin{tabular}{ll}\na & ${WORD}\\\\\nc & d\n\\end{tabular}`],
    ['Environments', 'formula', `\\begin{equation}\n\\text{${WORD}}\n\\end{equation}`],
    [
      'Environments',
      'entry of the bibliography',
      `\\begin{thebibliography}{9}\n\\bibitem{a} ${WORD}\n\\end{thebibliography}`,
    ],
    [
      'Environments',
      'drawing',
      `\\begin{tikzpicture}\n\\node {${WORD}};\n\\end{tikzpicture}`,
      'drawings',
    ],
    ['Graphics', 'picture', '\\includegraphics{x}', 'pictures'],
    ['Graphics', 'text of a picture', `\\includegraphics[alt={${WORD}}]{x}`, 'text alternatives'],
    ['Index', 'entry', `x\\index{${WORD}}`, 'index entries'],
    ['Contents', 'entry', `\\addcontentsline{toc}{section}{${WORD}}`, 'contents lists'],
    ['Definitions', 'macro', `\\newcommand{\\x}{${prose}}`, 'hidden elements'],
    [
      'Definitions',
      'macro in the preamble',
      ['', `\\newcommand{\\x}{${prose}}`],
      'hidden elements',
    ],
    [
      'Definitions',
      'entry of a glossary',
      ['', `\\newglossaryentry{x}{description={${prose}}}`],
      'hidden elements',
    ],
    [
      'hyperref',
      'field of the file',
      ['', `\\hypersetup{pdfsubject={${WORD}}}`],
      'document properties',
    ],
  ],
)

testTextParts(
  {
    specification: 'AsciiDoc',
    parser: asciidocParser,
    build: source =>
      `= Base\n:toc: left\n:source-highlighter: rouge\n// tag::all[]\n\n${source}\n\nEnd.\n`,
  },
  [
    ...'author description keywords copyright'
      .split(' ')
      .map(name => ['Document attributes', name, `:${name}: ${WORD}`] as const),
    ['Document attributes', 'attribute with words', `:company: ${prose}`, 'document properties'],
    ['Sections', 'title', `== ${WORD}`],
    ['Paragraphs', 'paragraph', WORD],
    ['Lists', 'item', `* ${WORD}`],
    ['Lists', 'description', `term:: ${WORD}`],
    ['Blocks', 'title of a block', `.${WORD}\n----\nx\n----`],
    ['Blocks', 'listing', `----\n${WORD}\n----`],
    ['Blocks', 'literal', `....\n${WORD}\n....`],
    ['Blocks', 'note', `NOTE: ${WORD}`],
    ['Blocks', 'example', `====\n${WORD}\n====`],
    ['Blocks', 'quotation', `____\n${WORD}\n____`],
    ['Blocks', 'source of a quotation', `[quote, ${WORD}]\n____\nx\n____`],
    ['Blocks', 'passed through', `++++\n<b>${WORD}</b>\n++++`],
    ['Comments', 'line', `// ${WORD}`, 'comments'],
    ['Comments', 'block', `////\n${WORD}\n////`, 'comments'],
    ['Tables', 'cell', `|===\n|a |${WORD}\n|===`],
    ['Macros', 'text of a picture', `image::x.png[${WORD}, 100]`],
    ['Macros', 'footnote', `x footnote:[${WORD}]`],
    ['Macros', 'text of a link', `link:x[${WORD}]`],
    ['Macros', 'entry of an index', `x (((${WORD})))`],
    ['Macros', 'text of a reference', `<<x,${WORD}>>`],
  ],
)

testTextParts(
  {
    specification: 'Org',
    parser: orgParser,
    build: source =>
      `#+STARTUP: show all\n* Base\n:PROPERTIES:\n:CUSTOM_ID: base\n:END:\n\n${source}\n\nEnd.\n`,
  },
  [
    ...'TITLE SUBTITLE AUTHOR EMAIL DATE DESCRIPTION KEYWORDS FILETAGS'
      .split(' ')
      .map(name => ['Keywords', name, `#+${name}: ${WORD}`] as const),
    ['Headlines', 'headline', `** ${WORD}`],
    ['Headlines', 'tag', `** x :${WORD}:`, 'index entries'],
    ['Property drawers', 'property', `:NOTE: ${WORD}`, 'document properties'],
    ['Drawers', 'text in a drawer', `:LOGBOOK:\n- ${WORD}\n:END:`],
    ['Plain lists', 'item', `- ${WORD}`],
    ['Plain lists', 'term', `- ${WORD} :: x`],
    ['Tables', 'cell', `| a | ${WORD} |`],
    ['Blocks', 'code', `#+BEGIN_SRC sh\n${WORD}\n#+END_SRC`],
    ['Blocks', 'example', `#+BEGIN_EXAMPLE\n${WORD}\n#+END_EXAMPLE`],
    ['Blocks', 'quotation', `#+BEGIN_QUOTE\n${WORD}\n#+END_QUOTE`],
    ['Blocks', 'text of another format', `#+BEGIN_EXPORT html\n${WORD}\n#+END_EXPORT`],
    ['Blocks', 'comment', `#+BEGIN_COMMENT\n${WORD}\n#+END_COMMENT`, 'comments'],
    ['Comments', 'line', `# ${WORD}`, 'comments'],
    ['Keywords', 'caption', `#+CAPTION: ${WORD}\n| a | b |`],
    ['Keywords', 'text of a picture', `#+ATTR_HTML: :alt ${prose}\n[[x.png]]`, 'text alternatives'],
    ['Keywords', 'entry of an index', `#+INDEX: ${WORD}`, 'index entries'],
    ['Keywords', 'macro', `#+MACRO: x ${WORD}`, 'hidden elements'],
    ['Keywords', 'text of another format', `#+HTML: <b>${WORD}</b>`, 'hidden elements'],
    ['Footnotes', 'footnote', `[fn:1] ${WORD}`],
    ['Links', 'text of a link', `[[https://example.org][${WORD}]]`],
    ['Planning', 'deadline', `DEADLINE: <2024-05-01 Wed> ${WORD}`],
  ],
)
