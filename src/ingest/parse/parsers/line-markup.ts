import type { Block } from '../../block.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'
import { toBlockEvents } from './block-events.ts'
import { DecodedText, readTextLines } from './decoded-text.ts'
import { splitPortions } from './text/text.ts'

/** A longer line or code block becomes several. */
const MAX_CHARS = 8_000

type Syntax = {
  /** Groups: `text` and `mark`. */
  readonly heading: RegExp
  readonly findLevel: (mark: string) => number
  /** Group: `text`. */
  readonly item: RegExp
  readonly silent: RegExp
  readonly code: readonly (readonly [start: RegExp, end: RegExp])[]
  readonly inline: readonly (readonly [RegExp, string])[]
}

const ORG: Syntax = {
  heading: /^(?<mark>\*+)\s+(?:(?:TODO|DONE)\s+)?(?<text>\S.*?)(?:\s+:[\w@:]+:)?\s*$/,
  findLevel: mark => mark.length,
  item: /^\s*(?:[-+]|\d+[.)])\s+(?<text>.*)$/,
  silent: /^\s*(?:#\s|#$|:[\w-]+:|#\+(?!TITLE)\w+)/i,
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
  silent: /^(?:\/\/(?!\/)|:[!\w-]+:|\[[^\]]*\]\s*$|={4,}$|_{4,}$|\*{4,}$|--$|\|={3,}|'{3,}|<{3}$)/,
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

export const orgParser: Parser = { id: 'org@1', mediaTypes: ['text/org'], parse: parseWith(ORG) }
export const asciidocParser: Parser = {
  id: 'asciidoc@1',
  mediaTypes: ['text/asciidoc'],
  parse: parseWith(ASCIIDOC),
}

function parseWith(syntax: Syntax): Parser['parse'] {
  return async function* parse(
    input: ParserInput,
    signal?: AbortSignal,
  ): AsyncGenerator<ParserEvent> {
    signal?.throwIfAborted()
    const decoded = await DecodedText.open(input)
    yield { type: 'metadata', metadata: { charset: decoded.charset } }
    const lines = readTextLines(decoded.readPieces(signal), MAX_CHARS)
    yield* toBlockEvents(readBlocks(lines, syntax), input.name, signal)
    yield* decoded.listWarnings()
  }
}

async function* readBlocks(lines: AsyncIterable<string>, syntax: Syntax): AsyncGenerator<Block> {
  const writer = new MarkupWriter(syntax)
  for await (const line of lines) yield* writer.add(line)
  yield* writer.flush()
}

class MarkupWriter {
  readonly #syntax: Syntax
  #kind: 'paragraph' | 'list' | 'code' = 'paragraph'
  #lines: string[] = []
  #characters = 0
  #codeEnd: RegExp | undefined

  constructor(syntax: Syntax) {
    this.#syntax = syntax
  }

  *add(line: string): Iterable<Block> {
    if (this.#characters + line.length > MAX_CHARS) yield* this.#flushAs(this.#kind)
    if (this.#codeEnd) yield* this.#addCode(line, this.#codeEnd)
    else yield* this.#addText(line)
  }

  *flush(): Iterable<Block> {
    yield* this.#flushAs('paragraph')
  }

  *#addCode(line: string, end: RegExp): Iterable<Block> {
    if (!end.test(line)) return this.#push(line)
    yield* this.#flushAs('paragraph')
    this.#codeEnd = undefined
  }

  *#addText(line: string): Iterable<Block> {
    const { heading, findLevel, item, silent, code } = this.#syntax
    const opened = code.find(([start]) => start.test(line))
    const title = heading.exec(line)?.groups
    const entry = item.exec(line)?.groups
    if (opened) {
      yield* this.#flushAs('code')
      this.#codeEnd = opened[1]
    } else if (title) {
      yield* this.#flushAs('paragraph')
      const level = Math.min(6, findLevel(title.mark ?? ''))
      yield { kind: 'heading', level, text: this.#clean(title.text ?? '') }
    } else if (silent.test(line) || line.trim() === '') yield* this.#flushAs('paragraph')
    else if (entry) {
      yield* this.#flushAs('list')
      this.#push(entry.text ?? '')
    } else this.#push(line)
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
