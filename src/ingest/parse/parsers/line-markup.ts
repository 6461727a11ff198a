import type { Block } from '../../block.ts'
import type { Parser } from '../parser.ts'
import { hasWords, type SkippedKind } from '../skipped-text.ts'
import { type Omissions, parseMarkupLines } from './markup-lines.ts'
import { splitPortions } from './text/text.ts'

/** A longer line or code block becomes several. */
const MAX_CHARS = 8_000

/** Has words in a row: names and settings have none. */
const PROSE = /\p{L}{2} \p{L}{2}|\p{Script=Han}{2}/u

/** Group: `text`, which is read or counted. Others: `name` of a field. */
type Rule = readonly [
  line: RegExp,
  use: 'paragraph' | 'caption' | 'include' | SkippedKind,
  hasText?: (text: string) => boolean,
]

type Syntax = {
  /** Groups: `text` and `mark`. */
  readonly heading: RegExp
  readonly findLevel: (mark: string) => number
  /** Group: `text`. */
  readonly item: RegExp
  /** Lines that are no text; the first that fits decides. */
  readonly rules: readonly Rule[]
  readonly silent: RegExp
  readonly comment: readonly [start: RegExp, end: RegExp]
  readonly code: readonly (readonly [start: RegExp, end: RegExp])[]
  readonly inline: readonly (readonly [RegExp, string])[]
}

const ORG: Syntax = {
  heading:
    /^(?<mark>\*+)\s+(?:(?:TODO|DONE)\s+)?(?<text>\S.*?)(?:\s+:(?<tags>[\p{L}\w@:]+):)?\s*$/u,
  findLevel: mark => mark.length,
  item: /^\s*(?:[-+]|\d+[.)])\s+(?<text>.*)$/,
  rules: [
    [
      /^#\+(?<name>SUBTITLE|AUTHOR|EMAIL|DATE|DESCRIPTION|KEYWORDS|FILETAGS):\s*(?<text>\S.*)/i,
      'paragraph',
    ],
    [/^\s*#\+CAPTION(?:\[[^\]]*\])?:\s*(?<text>\S.*)/i, 'caption'],
    [/^\s*#\+(?:INCLUDE|SETUPFILE|BIBLIOGRAPHY):\s*"?(?<text>[^"\s]+)/i, 'include'],
    [/^\s*#\+[A-Z]?INDEX:\s*(?<text>\S.*)/i, 'index entries'],
    [/^\s*#\+ATTR_\w+:(?<text>.*)/i, 'text alternatives', text => PROSE.test(text)],
    [
      /^\s*#\+(?!TITLE|OPTIONS|STARTUP|NAME|RESULTS|PROPERTY|LANGUAGE|HEADER|TBLFM|\w*TODO)\w+:\s*(?<text>\S.*)/i,
      'hidden elements',
      hasWords,
    ],
    [/^\s*#\s+(?<text>\S.*)/, 'comments', hasWords],
    [/^\s*:(?!CUSTOM_ID|ID|HEADER-ARGS)[\w-]+:\s+(?<text>\S.*)/i, 'document properties', hasWords],
  ],
  silent: /^\s*(?:#\s|#$|:[\w-]+:|#\+(?!TITLE)\w+)/i,
  comment: [/^\s*#\+BEGIN_COMMENT/i, /^\s*#\+END_COMMENT/i],
  code: [[/^\s*#\+BEGIN_(?:SRC|EXAMPLE)/i, /^\s*#\+END_(?:SRC|EXAMPLE)/i]],
  inline: [
    [/\[\[[^\]]+\]\[([^\]]+)\]\]/g, '$1'],
    [/^#\+TITLE:\s*/i, ''],
    [/(^|\s)([*/=~_])(\S(?:[^\n]*?\S)?)\2(?=[\s.,;:!?)]|$)/g, '$1$3'],
  ],
}

const ASCIIDOC: Syntax = {
  heading: /^(?<mark>={1,6})\s+(?<text>\S.*?)\s*$/,
  findLevel: mark => mark.length,
  item: /^\s*(?:\*+|-|\.+|\d+\.)\s+(?<text>.*)$/,
  rules: [
    [/^\/\/(?!\/|\s*(?:tag|end)::)\s*(?<text>\S.*)/, 'comments', hasWords],
    [
      /^:(?<name>subtitle|author|email|description|keywords|copyright|revremark):\s+(?<text>\S.*)/i,
      'paragraph',
    ],
    [/^:[\w-]+:\s+(?<text>\S.*)/, 'document properties', text => PROSE.test(text)],
    [/^include::(?<text>[^[]+)\[/, 'include'],
    [/^image::[^[]*\[(?:alt=)?"?(?<text>[^\],="]+)/, 'caption'],
    [/^\[(?:quote|verse),\s*(?<text>\S.*?)\s*\]\s*$/, 'paragraph'],
  ],
  silent:
    /^(?:\/\/(?!\/)|:[!\w-]+:|\[[^\]]*\]\s*$|={4,}$|_{4,}$|\*{4,}$|--$|\|={3,}|'{3,}|<{3}$|image::)/,
  comment: [/^\/{4,}\s*$/, /^\/{4,}\s*$/],
  code: [
    [/^-{4,}\s*$/, /^-{4,}\s*$/],
    [/^\.{4,}\s*$/, /^\.{4,}\s*$/],
    [/^`{3}/, /^`{3}\s*$/],
  ],
  inline: [
    [/(?:link:|https?:\/\/)[^\s[]+\[([^\]]+)\]/g, '$1'],
    [/<<[^,>]+,\s*([^>]+)>>/g, '$1'],
    [/(^|\s)([*_`])(\S(?:[^\n]*?\S)?)\2(?=[\s.,;:!?)]|$)/g, '$1$3'],
  ],
}

export const orgParser: Parser = { id: 'org@2', mediaTypes: ['text/org'], parse: parseWith(ORG) }
export const asciidocParser: Parser = {
  id: 'asciidoc@2',
  mediaTypes: ['text/asciidoc'],
  parse: parseWith(ASCIIDOC),
}

function parseWith(syntax: Syntax): Parser['parse'] {
  return (input, signal) =>
    parseMarkupLines(input, omissions => new MarkupWriter(syntax, omissions), signal)
}

class MarkupWriter {
  readonly #syntax: Syntax
  readonly #omissions: Omissions
  #kind: 'paragraph' | 'list' | 'code' = 'paragraph'
  #lines: string[] = []
  #characters = 0
  #codeEnd: RegExp | undefined
  #commentEnd: RegExp | undefined

  constructor(syntax: Syntax, omissions: Omissions) {
    this.#syntax = syntax
    this.#omissions = omissions
  }

  *add(line: string): Iterable<Block> {
    if (this.#characters + line.length > MAX_CHARS) yield* this.#flushAs(this.#kind)
    if (this.#commentEnd)
      this.#commentEnd = this.#commentEnd.test(line) ? undefined : this.#commentEnd
    else if (this.#codeEnd) yield* this.#addCode(line, this.#codeEnd)
    else yield* this.#addText(line)
  }

  *end(): Iterable<Block> {
    yield* this.#flushAs('paragraph')
  }

  *#addCode(line: string, end: RegExp): Iterable<Block> {
    if (!end.test(line)) return this.#push(line)
    yield* this.#flushAs('paragraph')
    this.#codeEnd = undefined
  }

  *#addText(line: string): Iterable<Block> {
    const { heading, findLevel, item, silent, code, rules, comment } = this.#syntax
    const opened = code.find(([start]) => start.test(line))
    const title = heading.exec(line)?.groups
    const entry = item.exec(line)?.groups
    const rule = rules.find(([pattern]) => pattern.test(line))
    if (comment[0].test(line)) {
      yield* this.#flushAs('paragraph')
      this.#omissions.skipped.add('comments')
      this.#commentEnd = comment[1]
    } else if (opened) {
      yield* this.#flushAs('code')
      this.#codeEnd = opened[1]
    } else if (title) {
      yield* this.#flushAs('paragraph')
      this.#omissions.skipped.add('index entries', title.tags ? 1 : 0)
      const level = Math.min(6, findLevel(title.mark ?? ''))
      yield { kind: 'heading', level, text: this.#clean(title.text ?? '') }
    } else if (rule) {
      yield* this.#flushAs('paragraph')
      yield* this.#apply(rule, line)
    } else if (silent.test(line) || line.trim() === '') yield* this.#flushAs('paragraph')
    else if (entry) {
      yield* this.#flushAs('list')
      this.#push(entry.text ?? '')
    } else this.#push(line)
  }

  *#apply([pattern, use, hasText]: Rule, line: string): Iterable<Block> {
    const { name, text = '' } = pattern.exec(line)?.groups ?? {}
    const { skipped, included } = this.#omissions
    if (use === 'include') included.add(text)
    else if (use === 'paragraph' || use === 'caption')
      yield { kind: use, text: this.#clean(name ? `${toLabel(name)}: ${text}` : text).trim() }
    else skipped.add(use, hasText?.(text) === false ? 0 : 1)
  }

  #push(line: string): void {
    this.#lines.push(line)
    this.#characters += line.length + 1
  }

  *#flushAs(next: 'paragraph' | 'list' | 'code'): Iterable<Block> {
    const kind = this.#kind
    const text = this.#lines
      .join('\n')
      .replace(/^(?:[^\S\n]*\n)+/, '')
      .trimEnd()
    this.#lines = []
    this.#characters = 0
    this.#kind = next
    if (kind === 'code') {
      if (text) yield { kind, text }
    } else
      for (const portion of splitPortions(this.#clean(text.trim())))
        yield { kind, text: portion.trim() }
  }

  #clean(text: string): string {
    return this.#syntax.inline.reduce((clean, [mark, shown]) => clean.replace(mark, shown), text)
  }
}

function toLabel(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).toLowerCase()
}
