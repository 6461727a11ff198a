import { type Block, indentNestedText } from '../../../block.ts'
import { hasWords, type SkippedKind } from '../../skipped-text.ts'
import type { Omissions } from '../markup-lines.ts'
import { buildTableBlock } from '../table-blocks.ts'
import { splitPortions } from '../text/text.ts'
import { isTableRule, readCsvRows, readTable } from './tables.ts'

/** A longer passage becomes several. */
const MAX_CHARS = 8_000
const ADORNMENT = /^([!-/:-@[-`{-~])\1+\s*$/
const ITEM = /^(\s*)([-*+•]|(?:\d+|#|[A-Za-z])[.)]|\((?:\d+|#|[A-Za-z])\))\s+(\S.*)$/
const FIELD = /^\s*:([^:\s][^:]*):\s+(\S.*)$/
const DIRECTIVE = /^(\s*)\.\.\s+(?:\|[^|]+\|\s+)?([\w-]+(?::[\w-]+)?)::\s*(.*)$/
const NOTE = /^(\s*)\.\.\s+\[([^\]]+)\](?:\s+(.*))?$/
const COMMENT = /^(\s*)\.\.(?:\s|$)/
/** Targets of links, and names of substitutions. */
const TARGET = /^\s*\.\.\s+(?:_|\|)/
const OPTION = /^\s*:[\w-]+:/

type BodyKind = 'code' | 'silent' | 'comment' | 'properties' | 'file' | 'files' | 'csv' | 'picture'

const listNames = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Directives by what their content is. The content of others is text. */
const KINDS: readonly (readonly [BodyKind, ReadonlySet<string>])[] = [
  ['code', listNames('code code-block sourcecode parsed-literal math doctest prompt testcode')],
  ['picture', listNames('image figure')],
  ['file', listNames('include literalinclude automodule autoclass autofunction')],
  ['files', listNames('toctree')],
  ['properties', listNames('meta module')],
  ['csv', listNames('csv-table')],
  ['silent', listNames('raw contents highlight role default-role index sectnum currentmodule')],
]
const SPEAKING = listNames(
  'note warning tip hint important caution danger error attention seealso versionadded versionchanged deprecated',
)

type Body = { readonly kind: BodyKind; readonly indent: number; readonly lines: string[] }

export class RstWriter {
  readonly #omissions: Omissions
  /** Adornments of headings, the highest first: their order decides. */
  readonly #adornments: string[] = []
  #lines: string[] = []
  #characters = 0
  #body: Body | undefined
  /** Whether the text that ends here announces a literal. */
  #isLiteralNext = false

  constructor(omissions: Omissions) {
    this.#omissions = omissions
  }

  *add(written: string): Iterable<Block> {
    const line = written.replaceAll('\t', '        ')
    if (this.#body && (line.trim() === '' || measureIndent(line) > this.#body.indent)) {
      this.#body.lines.push(line)
      this.#characters += line.length
      if (this.#characters > MAX_CHARS) yield* this.#endBody({ goesOn: true })
      return
    }
    if (this.#body) yield* this.#endBody({ goesOn: false })
    if (line.trim() === '') return yield* this.#flush()
    if (this.#isLiteralNext && measureIndent(line) > 0) return this.#open('code', 0, [line])
    this.#isLiteralNext = false
    yield* this.#addLine(line)
  }

  *end(): Iterable<Block> {
    if (this.#body) yield* this.#endBody({ goesOn: false })
    yield* this.#flush()
  }

  *#addLine(line: string): Iterable<Block> {
    const directive = DIRECTIVE.exec(line)
    const note = NOTE.exec(line)
    if (directive) yield* this.#openDirective(directive)
    else if (note) {
      yield* this.#flush()
      this.#lines.push(`[${note[2]}] ${note[3] ?? ''}`)
    } else if (COMMENT.test(line)) {
      yield* this.#flush()
      this.#openComment(line)
    } else {
      const isItem = ITEM.test(line) && !isTableRule(this.#lines[0] ?? '')
      if (isItem && this.#lines.every(before => !ADORNMENT.test(before))) yield* this.#flush()
      this.#lines.push(line)
      this.#characters += line.length
      if (this.#isHeading()) yield* this.#flush()
      else if (this.#characters > MAX_CHARS) yield* this.#flush()
    }
  }

  *#openDirective([line, indent = '', name = '', rest = '']: RegExpExecArray): Iterable<Block> {
    yield* this.#flush()
    const directive = name.replace(/^.*:/, '')
    const kind = KINDS.find(([, names]) => names.has(directive))?.[0]
    const { skipped, included } = this.#omissions
    if (directive === 'raw') skipped.add('hidden elements')
    if (directive === 'index') skipped.add('index entries')
    if (kind === 'picture') skipped.add('pictures')
    if (kind === 'file') included.add(rest)
    if (kind === undefined) {
      if (SPEAKING.has(directive)) this.#lines.push(...[rest].filter(Boolean))
      else yield* nameDirective(line, rest)
      return
    }
    if (kind === 'csv' && rest) yield { kind: 'caption', text: toPlainText(rest) }
    const isFormula = directive === 'math' && rest !== ''
    this.#open(kind, indent.length, isFormula ? [`${' '.repeat(indent.length + 3)}${rest}`] : [])
  }

  #openComment(line: string): void {
    const kind = TARGET.test(line) ? 'silent' : 'comment'
    this.#open(kind, measureIndent(line), [line.replace(COMMENT, '')])
  }

  #open(kind: Body['kind'], indent: number, lines: string[]): void {
    this.#isLiteralNext = false
    this.#body = { kind, indent, lines }
  }

  *#endBody({ goesOn }: { readonly goesOn: boolean }): Iterable<Block> {
    const body = this.#body
    if (!body) return
    this.#body = goesOn ? { ...body, lines: [] } : undefined
    this.#characters = 0
    this.#countWords(body)
    const isCode = body.kind === 'code'
    const first = body.lines.findIndex(line => !OPTION.test(line))
    const options = first < 0 ? body.lines.length : first
    const content =
      isCode && body.indent === 0 && body.lines[0]?.trim() === ''
        ? body.lines
        : body.lines.slice(options)
    const text = dedent(content)
    if (body.kind === 'csv') this.#omissions.included.add(findOption(body.lines, 'file'))
    const title = findOption(body.lines.slice(0, options), 'caption')
    if (title) yield { kind: 'caption', text: toPlainText(title) }
    if (body.kind === 'files')
      for (const name of text.split('\n'))
        this.#omissions.included.add(name.replace(/.*<(.*)>$/, '$1'))
    else if (body.kind === 'picture') yield* this.#readPicture(body.lines.slice(0, options), text)
    else if (body.kind === 'csv' && text)
      yield buildTableBlock(readCsvRows([findOption(body.lines, 'header'), text].join('\n')))
    else if (isCode && text) yield { kind: 'code', text }
  }

  #countWords({ kind, lines }: Body): void {
    const kinds: Partial<Record<BodyKind, SkippedKind>> = {
      comment: 'comments',
      properties: 'document properties',
    }
    const counted = kinds[kind]
    const texts = kind === 'comment' ? [lines.join('\n')] : lines.map(readOption)
    if (counted) this.#omissions.skipped.add(counted, texts.filter(hasWords).length)
  }

  *#readPicture(options: readonly string[], caption: string): Iterable<Block> {
    for (const text of [findOption(options, 'alt'), caption])
      if (text.trim()) yield { kind: 'caption', text: toPlainText(text) }
  }

  #isHeading(): boolean {
    const [first = '', second = '', third = ''] = this.#lines
    const isAdorned = (title: string, mark: string) =>
      ADORNMENT.test(mark) &&
      mark.trim().length >= Math.min(4, title.trim().length) &&
      !isTableRule(title)
    if (this.#lines.length === 2) return !ADORNMENT.test(first) && isAdorned(first, second)
    return (
      this.#lines.length === 3 &&
      first.trim() === third.trim() &&
      isAdorned(second, third) &&
      !first.includes(' ')
    )
  }

  *#flush(): Iterable<Block> {
    const lines = this.#lines
    if (lines.length === 0) return
    this.#isLiteralNext = /::\s*$/.test(lines.at(-1) ?? '')
    if (this.#isHeading()) yield this.#takeHeading()
    else if (isTableRule(lines[0] ?? '') && lines.length > 2) yield* readTable(lines, toPlainText)
    else if (lines.length > 1 || !ADORNMENT.test(lines[0] ?? '')) yield* readPassage(lines)
    this.#lines = []
    this.#characters = 0
  }

  #takeHeading(): Block {
    const [first = '', second = ''] = this.#lines
    const hasOverline = this.#lines.length === 3
    const adornment = hasOverline ? first.charAt(0).repeat(2) : second.charAt(0)
    if (!this.#adornments.includes(adornment)) this.#adornments.push(adornment)
    const level = Math.min(6, this.#adornments.indexOf(adornment) + 1)
    return { kind: 'heading', level, text: toPlainText(hasOverline ? second : first) }
  }
}

function readOption(line: string): string {
  return OPTION.test(line) ? line.replace(OPTION, '') : ''
}

function findOption(lines: readonly string[], name: string): string {
  const option = lines.find(line => line.trimStart().startsWith(`:${name}:`))
  return option?.replace(/^\s*:[\w-]+:\s*/, '') ?? ''
}

function* nameDirective(line: string, title: string): Iterable<Block> {
  const isObject = /^\s*\.\.\s+[\w-]+:[\w-]/.test(line)
  const text = isObject ? title : toPlainText(title)
  if (text) yield { kind: isObject ? 'code' : 'caption', text }
}

function* readPassage(lines: readonly string[]): Iterable<Block> {
  const [, indent = '', mark = '', rest = ''] = ITEM.exec(lines[0] ?? '') ?? []
  const isItem = rest !== ''
  const own = isItem ? [/^[-*+•]$/.test(mark) ? rest : `${mark} ${rest}`, ...lines.slice(1)] : lines
  const written = own.map(line => line.replace(FIELD, '$1: $2').trim()).join('\n')
  const text = toPlainText(
    written.replace(/\s*::\s*$/, match => (match.trim() === written.trim() ? '' : ':')),
  )
  for (const portion of splitPortions(text))
    yield isItem
      ? { kind: 'list', text: indentNestedText(portion, Math.floor(indent.length / 2)) }
      : { kind: 'paragraph', text: portion }
}

function measureIndent(line: string): number {
  return line.length - line.trimStart().length
}

function dedent(lines: readonly string[]): string {
  const filled = lines.filter(line => line.trim() !== '')
  const indent = filled.reduce((min, line) => Math.min(min, measureIndent(line)), 1_000)
  return lines
    .map(line => line.slice(indent).trimEnd())
    .join('\n')
    .replace(/^\n+/, '')
    .trimEnd()
}

/** Resolves emphasis, literals, links, roles and substitutions. */
function toPlainText(text: string): string {
  return text
    .replace(/(?<![\w:-]):[\w:-]+:`(?:([^`<]+?)\s*<[^`>]+>|~?([^`]+))`/g, '$1$2')
    .replace(/``([^`]+)``/g, '$1')
    .replace(/`([^`<]+?)\s*<[^`>]+>`__?/g, '$1')
    .replace(/`([^`]+)`(?:__?)?/g, '$1')
    .replace(/(^|[\s([{"'])(\*\*?)(\S(?:[^*]*?\S)?)\2(?=[\s\])}.,;:!?"'-]|$)/g, '$1$3')
    .replace(/(\w)__?(?=[\s.,;:!?)]|$)/g, '$1')
    .replace(/\\([^\w\s])/g, '$1')
    .replace(/\\\s/g, '')
    .trim()
}
