import type { MarkedToken, Token, Tokens } from 'marked'
import { rewriteMarkers } from '../../text/markers.ts'
import { areOverlapping, type Span } from '../../text/sentences.ts'
import { findJson } from '../../text/spans/json-spans.ts'
import { findFootnotes } from '../../text/spans/literal-spans.ts'

/** Regions by the edits that they allow. */
export type AnswerRegions = {
  /** Code, HTML, JSON, rules and link definitions: never edited. */
  readonly code: readonly Span[]
  /** Code and links within sentences: no marker may be inserted. */
  readonly inline: readonly Span[]
  /** Headings and table headers: markers are neither added nor removed. */
  readonly labels: readonly Span[]
  readonly rows: readonly Span[]
}

type Lex = (text: string) => readonly Token[]

/** Nesting of lists; deeper overflows the lexer's stack. */
const MAX_NESTING = 40
const NESTED = new RegExp(
  `^(?:[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${MAX_NESTING},}`,
  'm',
)

export class AnswerMarkdown {
  readonly #lex: Lex

  private constructor(lex: Lex) {
    this.#lex = lex
  }

  static async load(): Promise<AnswerMarkdown> {
    const { lexMarkdown } = await import('../../text/markdown.ts') // loads a Markdown parser
    return new AnswerMarkdown(lexMarkdown)
  }

  readRegions(text: string): AnswerRegions {
    const json = [...findJson(text), ...findFootnotes(text)]
    if (NESTED.test(text))
      return { code: [{ start: 0, end: text.length }], inline: [], labels: [], rows: [] }
    const { code, inline, labels, rows } = new RegionReader(text).read(this.#lex(text))
    const isOutside = (span: Span) => !json.some(other => areOverlapping(span, other))
    return {
      code: [...code, ...json],
      inline,
      labels: labels.filter(isOutside),
      rows: rows.filter(isOutside),
    }
  }

  hasSameBlocks(text: string, other: string): boolean {
    return NESTED.test(text) || toOutline(this.#lex(text)) === toOutline(this.#lex(other))
  }
}

/** Tokens lack the line prefixes of lists and quotations. */
class RegionReader {
  readonly #text: string
  readonly #regions: Readonly<Record<'code' | 'inline' | 'labels' | 'rows', Span[]>> = {
    code: [],
    inline: [],
    labels: [],
    rows: [],
  }
  #cursor = 0

  constructor(text: string) {
    this.#text = text
  }

  read(tokens: readonly Token[]): AnswerRegions {
    for (const token of tokens) this.#readBlock(token)
    return this.#regions
  }

  #readBlock(read: Token): void {
    const token = toOwnToken(read)
    if (token.type === 'list') for (const item of token.items) this.read(item.tokens)
    else if (token.type === 'blockquote') this.read(token.tokens)
    else if (token.type === 'table') this.#readTable(token)
    else if (['code', 'html', 'def', 'hr'].includes(token.type))
      this.#regions.code.push(...this.#locate(token.raw))
    else this.#readProse(token)
  }

  #readProse(token: Token): void {
    const start = this.#cursor
    const span = this.#locate(token.raw)
    if (token.type === 'heading') this.#regions.labels.push(...span)
    const end = this.#cursor
    this.#cursor = start
    this.#readInline('tokens' in token ? (token.tokens ?? []) : [])
    this.#cursor = Math.max(end, this.#cursor)
  }

  #readTable({ raw, header, rows }: Tokens.Table): void {
    const [head = '', rule = '', ...lines] = raw.split('\n').filter(line => line.trim() !== '')
    this.#regions.labels.push(...this.#locateWith(head, header))
    this.#regions.code.push(...this.#locate(rule))
    for (const [index, line] of lines.entries())
      this.#regions.rows.push(...this.#locateWith(line, rows[index] ?? []))
  }

  #locateWith(line: string, cells: readonly Tokens.TableCell[]): readonly Span[] {
    const start = this.#cursor
    const spans = this.#locate(line)
    const end = this.#cursor
    this.#cursor = start
    for (const { tokens } of cells) this.#readInline(tokens)
    this.#cursor = end
    return spans
  }

  #readInline(tokens: readonly Token[]): void {
    for (const token of tokens.map(toOwnToken)) {
      if (token.type === 'link') this.#readLink(token)
      else if (['codespan', 'image', 'html'].includes(token.type))
        this.#regions.inline.push(...this.#locate(token.raw))
      else if ('tokens' in token && token.tokens) this.#readInline(token.tokens)
      else this.#locate(token.raw)
    }
  }

  /** Leaves out the address, and a number that leads to a page. */
  #readLink({ raw, text, href }: Tokens.Link): void {
    const [span] = this.#locate(raw)
    const isNumber = !/\p{L}/u.test(text)
    if (!span || (isNumber && (raw.startsWith('[[') || !/^https?:/i.test(href)))) return
    this.#regions.inline.push(span)
    if (isNumber) this.#regions.code.push(span)
    const address = raw.lastIndexOf('](')
    if (address > 0) this.#regions.code.push({ start: span.start + address, end: span.end })
  }

  #locate(raw: string): readonly Span[] {
    let span: Span | undefined
    for (const line of raw.split('\n').map(part => part.trim())) {
      const start = line === '' ? -1 : this.#text.indexOf(line, this.#cursor)
      if (start < 0) continue
      this.#cursor = start + line.length
      span = { start: span?.start ?? start, end: this.#cursor }
    }
    return span ? [span] : []
  }
}

/** Narrows to marked's own tokens; extensions are not used. */
function toOwnToken(token: Token): MarkedToken {
  return token as MarkedToken
}

function toOutline(tokens: readonly Token[]): string {
  return JSON.stringify(tokens.map(toTokenOutline))
}

function toTokenOutline(read: Token): unknown {
  const token = toOwnToken(read)
  switch (token.type) {
    case 'space':
      return []
    case 'list':
      return ['list', token.ordered, token.items.map(item => item.tokens.map(toTokenOutline))]
    case 'blockquote':
      return ['blockquote', token.tokens.map(toTokenOutline)]
    case 'table':
      return [
        'table',
        [token.header, ...token.rows].map(cells => cells.map(cell => toInlineOutline(cell.tokens))),
      ]
    case 'heading':
      return ['heading', token.depth, toInlineOutline(token.tokens)]
    case 'paragraph':
    case 'text':
      return [token.type, toInlineOutline(token.tokens ?? [])]
    default:
      return [token.type, token.raw]
  }
}

function toInlineOutline(tokens: readonly Token[]): string {
  return tokens.map(toInlineText).join('').replace(/\s+/g, '')
}

function toInlineText(read: Token): string {
  const token = toOwnToken(read)
  if (token.type === 'link') return `<${token.href} ${toInlineOutline(token.tokens)}>`
  if (['codespan', 'image', 'html', 'br'].includes(token.type)) return `<${token.raw}>`
  if ('tokens' in token && token.tokens)
    return `${token.type}(${token.tokens.map(toInlineText).join('')})`
  return rewriteMarkers(token.raw, () => false)
}
