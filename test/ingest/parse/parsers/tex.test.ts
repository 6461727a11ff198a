import { expect, test } from 'vitest'
import { texParser } from '../../../../src/ingest/parse/parsers/tex/tex.ts'
import { outline, parseBytes } from '../../../fixtures/parsed.ts'

async function check(text: string, expected: readonly string[]) {
  expect(outline((await parseBytes(texParser, text)).blocks)).toEqual(expected)
}

test('title, headings and paragraphs; no commands, comments or preamble', () =>
  check(
    "\\documentclass[a4]{article}\n\\usepackage{x} % hidden\n\\newcommand{\\cup}{a cup}\n\\title{The \\textbf{Port}\n of Bergen}\n\\author{Ada}\n\\begin{document}\n\\maketitle\n\\section{Hours}\\label{sec:h}\nOpen \\emph{daily} from 9--17, 10\\,\\% off%\n\n% hidden\n\\subsection*{Caf\\'e}\nSee \\href{https://x.org}{the list}\\footnote{In \\textit{euros}.} \\cite{knuth84}.\n\\end{document}\n",
    [
      'heading1: The Port of Bergen',
      'paragraph: Ada',
      'heading2: Hours',
      'paragraph: Open daily from 9–17, 10 % off',
      'heading3: Café',
      'paragraph: See the list (In euros.) [knuth84].',
    ],
  ))

test('lists in lists, with numbers', () =>
  check(
    '\\begin{enumerate}\n\\item one\n\\begin{itemize}\n\\item[Cup] nine\n\\end{itemize}\n\\item two\n  more\n\\end{enumerate}\nEnd.\n',
    ['list: 1. one', 'list:   Cup: nine', 'list: 2. two / more', 'paragraph: End.'],
  ))

test('tables with captions', () =>
  check(
    '\\begin{table}\n\\caption{Prices}\n\\begin{tabular}{@{}l|r@{}}\n\\toprule\nName & Price \\\\ \\hline\nCup \\& mug & $9$ \\\\[2pt]\n\\multicolumn{2}{c}{\\textbf{Sum}}\\\\\n\\end{tabular}\n\\end{table}\n',
    ['caption: Prices', 'table: Name | Price / Cup & mug | $9$ / Sum | '],
  ))

test('code and formulas as they are written', () =>
  check(
    'So $a_1 \\le \\frac{1}{2}$ holds.\n\\begin{equation}\n  E = mc^2\n\\end{equation}\n\\begin{verbatim}\n\\section{no} % kept\n\\end{verbatim}\n',
    [
      'paragraph: So $a_1 \\le \\frac{1}{2}$ holds.',
      'paragraph: E = mc^2',
      'code: \\section{no} % kept',
    ],
  ))

test('files, pictures and drawings are named', async () => {
  const { warnings } = await parseBytes(
    texParser,
    'Text.\n\\input{chapters/one}\n\\include{two}\n\\includegraphics[width=1cm]{p}\n\\begin{tikzpicture}\n\\draw x;\n\\end{tikzpicture}\n\\bibliography{a,b}\n',
  )
  expect(warnings.map(({ message }) => message)).toEqual([
    'Skipped: files that the text includes (chapters/one, two, a, b). Add them too, to find their text.',
    'Skipped: drawings 1, pictures 1. Their text is not searchable.',
  ])
})

test('unbalanced marks end with text that grows no faster than they do', async () => {
  for (const mark of ['\\(', '\\[', '{', '\\footnote{', '\\begin{tabular}', '$', '\\section{']) {
    const text = `x ${mark.repeat(20_000)}`
    const { blocks } = await parseBytes(texParser, text)
    const length = blocks.reduce((sum, block) => sum + block.text.length, 0)
    expect(length).toBeLessThanOrEqual(1.1 * text.length)
  }
})

test('a document may begin in the line of another command', () =>
  check(
    '\\documentclass{article}\n\\title{Port}\\begin{document} Open.\n\\section{A}\\subsection{B} Late.\n\\end{document}\n',
    ['heading1: Port', 'paragraph: Open.', 'heading2: A', 'heading3: B', 'paragraph: Late.'],
  ))

test('only the start of code and tables is options, whose caption is shown', async () => {
  await check('\\begin{lstlisting}[language=C,caption={Main loop}]\ngo();\n\\end{lstlisting}\n', [
    'caption: Main loop',
    'code: go();',
  ])
  const line = '{a: 1}\n'
  const code = `\\begin{verbatim}\n${line.repeat(4_000)}\\end{verbatim}\n`
  const { blocks } = await parseBytes(texParser, code)
  expect(blocks.length).toBeGreaterThan(1)
  expect(blocks.flatMap(({ text }) => text.split('\n'))).toHaveLength(4_000)
})
