/** Commands that stand for characters. */
const SYMBOLS: Readonly<Record<string, string>> = {
  ss: 'ß',
  ae: 'æ',
  AE: 'Æ',
  oe: 'œ',
  OE: 'Œ',
  o: 'ø',
  O: 'Ø',
  aa: 'å',
  AA: 'Å',
  l: 'ł',
  L: 'Ł',
  i: 'i',
  j: 'j',
  S: '§',
  P: '¶',
  euro: '€',
  pounds: '£',
  copyright: '©',
  textregistered: '®',
  texttrademark: '™',
  textdegree: '°',
  dots: '…',
  ldots: '…',
  textellipsis: '…',
  textbackslash: '\\',
  textasciitilde: '~',
  textasciicircum: '^',
  textbar: '|',
  textless: '<',
  textgreater: '>',
  textbullet: '•',
  textemdash: '—',
  textendash: '–',
  quad: ' ',
  qquad: ' ',
  newline: '\n',
  linebreak: '\n',
  par: '\n',
  tab: '\t',
  and: ', ',
  LaTeX: 'LaTeX',
  TeX: 'TeX',
}
/** Marks above and below letters, by the commands that set them. */
const ACCENTS: Readonly<Record<string, string>> = {
  "'": '\u0301',
  '`': '\u0300',
  '^': '\u0302',
  '"': '\u0308',
  '~': '\u0303',
  '=': '\u0304',
  '.': '\u0307',
  c: '\u0327',
  u: '\u0306',
  v: '\u030c',
  H: '\u030b',
  k: '\u0328',
  r: '\u030a',
}
/** Commands whose arguments are for the program. */
const SILENT =
  'label|index|[vh]space|bibliographystyle|pagestyle|thispagestyle|pagenumbering|setlength|addtolength|setcounter|addtocounter|includegraphics|input|include|subfile|bibliography|addbibresource|hypersetup|color|definecolor|fontsize|selectfont|rule|hyphenation|usepackage|documentclass|graphicspath|(?:re)?newcommand|def|begin|end|centering|phantomsection|addcontentsline'
const ARGUMENTS = '\\s*(?:\\[[^\\]]*\\]|\\{[^{}]*\\})*'

/** Formulas, accents, silent commands, first arguments that are no text, citations, other commands, escapes, and typed signs. */
const TOKEN = new RegExp(
  [
    '(?<math>\\$\\$[^$]*\\$\\$|\\$(?:\\\\[^]|[^$\\\\])*\\$|\\\\\\((?:(?!\\\\[()])[^])*\\\\\\)|\\\\\\[(?:(?!\\\\[[\\]])[^])*\\\\\\])',
    '\\\\(?<accent>[\'`^"~=.])\\s*(?:\\{\\\\?(?<inBraces>[A-Za-z])\\}|\\\\?(?<plain>[A-Za-z]))',
    '\\\\(?<named>[cuvHkr])\\s*\\{\\\\?(?<letter>[A-Za-z])\\}',
    `\\\\(?:${SILENT})(?![A-Za-z])\\*?${ARGUMENTS}`,
    '\\\\(?:href|textcolor|colorbox|parbox|resizebox)(?![A-Za-z])\\s*(?:\\[[^\\]]*\\])?\\{[^{}]*\\}',
    '\\\\(?:[A-Za-z]*cite[A-Za-z]*)\\*?\\s*(?:\\[[^\\]]*\\])*\\{(?<cited>[^{}]*)\\}',
    '\\\\(?<command>[A-Za-z@]+)\\*?(?:\\[[^\\]]*\\]|[ \\t]+(?=\\S)|\\{\\})?',
    '\\\\(?<escaped>[^])',
    "(?<sign>---|--|``|''|~|[{}])",
  ].join('|'),
  'g',
)
const SIGNS: Readonly<Record<string, string>> = {
  '---': '—',
  '--': '–',
  '``': '“',
  "''": '”',
  '~': ' ',
  '{': '',
  '}': '',
}

/** Removes commands and braces; formulas stay as they are written. */
export function toPlainText(tex: string): string {
  const plain = showNotes(tex).replace(TOKEN, (...match) => {
    const groups = match.at(-1) as Readonly<Record<string, string | undefined>> // named groups come last
    return resolveToken(groups)
  })
  return plain
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim()
}

function resolveToken(groups: Readonly<Record<string, string | undefined>>): string {
  const { math, accent, named, cited, command, escaped, sign } = groups
  const mark = accent ?? named
  if (math) return math
  if (mark) return addAccent(groups.inBraces ?? groups.plain ?? groups.letter ?? '', mark)
  if (cited) return `[${cited}]`
  if (command) return SYMBOLS[command] ?? ''
  if (escaped) return showEscaped(escaped)
  return sign ? (SIGNS[sign] ?? '') : ''
}

function addAccent(letter: string, mark: string): string {
  return (letter + (ACCENTS[mark] ?? '')).normalize()
}

function showEscaped(sign: string): string {
  if (sign === '\\') return '\n'
  return /[ ,;:]/.test(sign) ? ' ' : sign.replace(/[-/@!]/, '')
}

function showNotes(tex: string): string {
  let text = ''
  let from = 0
  for (const { index, 0: command } of tex.matchAll(/\\footnote(?:text)?(?![a-z])/g)) {
    const note = findArgument(tex, index + command.length)
    if (!note) break
    if (index < from) continue
    text += `${tex.slice(from, index)} (${note.text})`
    from = note.end
  }
  return text + tex.slice(from)
}

export function findArgument(
  tex: string,
  start: number,
): { readonly text: string; readonly end: number } | undefined {
  const opening = /^\s*(?:\[[^\]]*\]\s*)?\{/.exec(tex.slice(start))
  if (!opening) return undefined
  const from = start + opening[0].length
  let depth = 1
  for (let index = from; index < tex.length; index++) {
    const character = tex[index]
    if (character === '\\') index++
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0)
      return { text: tex.slice(from, index), end: index + 1 }
  }
  return undefined
}
