import { type Block, indentNestedText } from '../../../block.ts'
import type { Parser } from '../../parser.ts'
import { hasWords } from '../../skipped-text.ts'
import { type Omissions, parseMarkupLines } from '../markup-lines.ts'
import { buildTableBlock } from '../table-blocks.ts'
import { splitPortions } from '../text/text.ts'
import { findArgument, toPlainText } from './inline.ts'

/** A longer paragraph or environment becomes several. */
const MAX_CHARS = 8_000
/** Maximum depth of lists. Protects memory. */
const MAX_DEPTH = 100

const LEVELS: Readonly<Record<string, number>> = {
  title: 1,
  part: 1,
  chapter: 1,
  section: 2,
  subsection: 3,
  subsubsection: 4,
  frametitle: 2,
  paragraph: 5,
  subparagraph: 6,
}
/** Commands whose argument is a block of its own. */
const OWN_BLOCK = new RegExp(
  `^\\s*\\\\(${Object.keys(LEVELS).join('|')}|caption|author|date|subtitle|institute|keywords|subject|publishers|dedication)\\*?\\s*(?=[[{])`,
)
const CODE = /^(?:verbatim|Verbatim|lstlisting|minted|alltt)\*?$/
const FORMULA = /^(?:equation|align|alignat|gather|multline|eqnarray|displaymath|math|flalign)\*?$/
const TABLE = /^(?:tabular|tabularx|tabulary|longtable|array)\*?$/
const LIST = /^(?:itemize|enumerate|description|compactitem|compactenum)$/
const DRAWING = /^(?:tikzpicture|pgfpicture|picture|pspicture)$/
const DOCUMENT = /\\begin\s*\{document\}/
const CAPTION = /\bcaption\s*=\s*(?:\{([^{}]*)\}|([^,\]]*))/
const INCLUDED =
  /\\(?:input|include|subfile|bibliography|addbibresource|lstinputlisting)(?![A-Za-z])\s*(?:\[[^\]]*\])?\{([^{}]*)\}/g

const COMMENT = /(?<!\\)((?:\\\\)*)%(.*)$/
const PROSE = /\p{L}{2} \p{L}{2}|\p{Script=Han}{2}/u
/** Fields of the PDF that the document becomes. */
const PDF_FIELD = /\bpdf(?:title|author|subject|keywords|creator)\s*=/g
/** Commands whose arguments are words that stand elsewhere, such as macros and entries of a glossary. */
const DEFINITION =
  /\\(?:(?:re)?newcommand|providecommand|def|newglossaryentry|longnewglossaryentry|newacronym)(?![A-Za-z])(.*)/
const ALTERNATIVE = /\\includegraphics\s*\[[^\]]*\balt\s*=/g

/** Keeps formulas as they are written. Omits commands, comments and the preamble. */
export const texParser: Parser = {
  id: 'tex@3',
  mediaTypes: ['text/x-tex'],
  parse: (input, signal) => parseMarkupLines(input, omissions => new TexWriter(omissions), signal),
}

/** An environment whose lines are kept as they are until it ends. */
type Environment = {
  readonly name: string
  readonly lines: string[]
  /** Its start is a block already. */
  readonly isContinued?: boolean
}

class TexWriter {
  readonly #omissions: Omissions
  /** Numbers of the items of open lists; undefined for a list without numbers. */
  readonly #lists: (number | undefined)[] = []
  #environment: Environment | undefined
  #isInPreamble = false
  #isItem = false
  #lines: string[] = []
  #characters = 0
  /** Lines of a command whose argument does not end yet. */
  #open = ''

  constructor(omissions: Omissions) {
    this.#omissions = omissions
  }

  *add(written: string): Iterable<Block> {
    if (this.#environment) return yield* this.#addToEnvironment(this.#environment, written)
    const line = written.replace(COMMENT, '$1')
    const comment = COMMENT.exec(written)?.[2] ?? ''
    this.#omissions.skipped.add('comments', hasWords(comment) ? 1 : 0)
    if (line.trim() === '' && written.trim() !== '') return
    if (/^\s*\\documentclass\b/.test(line)) this.#isInPreamble = true
    let rest = line
    do rest = yield* this.#addStart(rest)
    while (rest.trim())
  }

  *#addStart(line: string): Generator<Block, string> {
    this.#countDefinitions(line)
    if (this.#open || OWN_BLOCK.test(line)) return yield* this.#addOwnBlock(line)
    if (!this.#isInPreamble) yield* this.#addText(line)
    const body = this.#isInPreamble ? DOCUMENT.exec(line) : undefined
    if (!body) return ''
    this.#isInPreamble = false
    return line.slice(body.index + body[0].length)
  }

  *end(): Iterable<Block> {
    if (this.#open) this.#lines.push(this.#open)
    this.#open = ''
    if (this.#environment) yield* this.#endEnvironment(this.#environment)
    yield* this.#flushText()
  }

  *#addText(line: string): Iterable<Block> {
    const start = /\\begin\{([A-Za-z]+\*?)\}/.exec(line)
    const name = start?.[1] ?? ''
    if (start && [CODE, FORMULA, TABLE, DRAWING].some(kind => kind.test(name))) {
      yield* this.#addText(line.slice(0, start.index))
      yield* this.#flushText()
      this.#environment = { name, lines: [] }
      return yield* this.#addToEnvironment(
        this.#environment,
        line.slice(start.index + start[0].length),
      )
    }
    this.#countOmissions(line)
    if (line.trim() === '') yield* this.#flushText()
    else if (/^\s*\\item(?![A-Za-z])/.test(line)) yield* this.#addItem(line)
    else {
      const ended = /\\end\{([A-Za-z]+)\}/.exec(line)?.[1] ?? ''
      if (start || ended) yield* this.#flushText()
      this.#moveInLists(name, ended)
      yield* this.#push(line)
    }
  }

  #moveInLists(opened: string, closed: string): void {
    if (LIST.test(opened) && this.#lists.length < MAX_DEPTH)
      this.#lists.push(/enum/.test(opened) ? 0 : undefined)
    if (LIST.test(closed)) this.#lists.pop()
  }

  *#addItem(line: string): Iterable<Block> {
    yield* this.#flushText()
    const number = this.#lists.at(-1)
    if (number !== undefined) this.#lists[this.#lists.length - 1] = number + 1
    const text = line.replace(/^\s*\\item\s*(?:\[([^\]]*)\])?/, (_, term) =>
      term ? `${term}: ` : '',
    )
    this.#isItem = true
    yield* this.#push(number === undefined ? text : `${number + 1}. ${text.trim()}`)
  }

  /** Headings and captions may span lines. Returns the rest of the line. */
  *#addOwnBlock(line: string): Generator<Block, string> {
    if (!this.#open) yield* this.#flushText()
    this.#open = this.#open ? `${this.#open} ${line}` : line
    const [command = '', name = ''] = OWN_BLOCK.exec(this.#open) ?? []
    const argument = findArgument(this.#open, command.length)
    if (!argument && this.#open.length < MAX_CHARS) return ''
    const text = toPlainText(argument?.text ?? this.#open).replace(/\s+/g, ' ')
    const rest = argument ? this.#open.slice(argument.end) : ''
    this.#open = ''
    const level = LEVELS[name]
    if (text && level) yield { kind: 'heading', level, text }
    else if (text) yield { kind: name === 'caption' ? 'caption' : 'paragraph', text }
    return rest
  }

  *#addToEnvironment(environment: Environment, line: string): Iterable<Block> {
    const end = `\\end{${environment.name}}`
    const place = line.indexOf(end)
    environment.lines.push(place < 0 ? line : line.slice(0, place))
    this.#characters += line.length
    if (place < 0 && this.#characters < MAX_CHARS) return
    yield* this.#endEnvironment(environment)
    if (place < 0) this.#environment = { ...environment, lines: [], isContinued: true }
    else yield* this.#addText(line.slice(place + end.length))
  }

  *#endEnvironment({ name, lines, isContinued = false }: Environment): Iterable<Block> {
    this.#environment = undefined
    this.#characters = 0
    const text = lines.join('\n')
    const options = isContinued ? '' : findOptions(text, name)
    const body = text.slice(options.length)
    const [, inBraces, plain] = CAPTION.exec(options) ?? []
    const caption = CODE.test(name) ? toPlainText(inBraces ?? plain ?? '') : ''
    if (caption) yield { kind: 'caption', text: caption }
    if (DRAWING.test(name)) this.#omissions.skipped.add('drawings', isContinued ? 0 : 1)
    else if (TABLE.test(name)) yield* readTable(body)
    else if (FORMULA.test(name) && text.trim()) yield { kind: 'paragraph', text: text.trim() }
    else if (body.trim()) yield { kind: 'code', text: body.replace(/^[^\S\n]*\n/, '').trimEnd() }
  }

  #countOmissions(line: string): void {
    const { skipped, included } = this.#omissions
    for (const [, names = ''] of line.matchAll(INCLUDED))
      for (const name of names.split(',')) included.add(name)
    skipped.add('pictures', line.match(/\\includegraphics\b/g)?.length ?? 0)
    skipped.add('text alternatives', line.match(ALTERNATIVE)?.length ?? 0)
    skipped.add('index entries', line.match(/\\index(?![A-Za-z])/g)?.length ?? 0)
    skipped.add('contents lists', line.match(/\\addcontentsline\b/g)?.length ?? 0)
  }

  #countDefinitions(line: string): void {
    const { skipped } = this.#omissions
    skipped.add('document properties', line.match(PDF_FIELD)?.length ?? 0)
    skipped.add('hidden elements', PROSE.test(DEFINITION.exec(line)?.[1] ?? '') ? 1 : 0)
  }

  *#push(line: string): Iterable<Block> {
    this.#lines.push(line)
    this.#characters += line.length
    if (this.#characters > MAX_CHARS) yield* this.#flushText()
  }

  *#flushText(): Iterable<Block> {
    const text = toPlainText(this.#lines.join('\n'))
    const isItem = this.#isItem
    this.#lines = []
    this.#characters = 0
    this.#isItem = false
    const depth = this.#lists.length - 1
    for (const portion of splitPortions(text))
      yield isItem
        ? { kind: 'list', text: indentNestedText(portion, depth) }
        : { kind: 'paragraph', text: portion }
  }
}

function findOptions(text: string, name: string): string {
  const pattern = TABLE.test(name)
    ? /^\s*(?:\[[^\]]*\]|\{(?:[^{}]|\{[^{}]*\})*\})*/
    : /^(?:\[[^\]]*\]|\{[^{}\n]*\})*(?=[^\S\n]*\n)/
  return pattern.exec(text)?.[0] ?? ''
}

function* readTable(text: string): Iterable<Block> {
  const rules =
    /\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|(?:cline|cmidrule)(?:\([^)]*\))?\{[^{}]*\})/g
  const rows = text
    .replace(rules, '')
    .split(/\\\\(?:\[[^\]]*\])?|\\tabularnewline\b/)
    .map(row => row.split(/(?<!\\)&/).flatMap(readCell))
    .filter(row => row.some(Boolean))
  if (rows.length > 0) yield buildTableBlock(rows)
}

/** Maximum number of columns that a cell spans. Protects against one that states many. */
const MAX_SPAN = 50

function readCell(written: string): readonly string[] {
  const span = /\\multicolumn\s*\{\s*(\d+)\s*\}\s*\{(?:[^{}]|\{[^{}]*\})*\}/.exec(written)
  const text = toPlainText(span ? written.replace(span[0], '') : written).replace(/\s+/g, ' ')
  const blanks = span ? Math.min(MAX_SPAN, Number(span[1])) - 1 : 0
  return [text, ...Array<string>(Math.max(0, blanks)).fill('')]
}
