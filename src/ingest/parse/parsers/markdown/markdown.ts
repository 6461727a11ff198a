import { decodeHTML } from 'entities'
import type { Token, Tokens } from 'marked'
import { localizable } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import { type Block, formatTableText, indentNestedText, padRows } from '../../../block.ts'
import { JunkMeter } from '../../detection/garbled.ts'
import type { Parser, ParserEvent, ParserInput } from '../../parser.ts'
import { SkippedText } from '../../skipped-text.ts'
import { DecodedText } from '../decoded-text.ts'
import { readHtmlBlocks } from '../html/blocks.ts'
import { parseDom } from '../html/dom.ts'
import { toLinks } from '../link-targets.ts'
import { type Elevation, toElevatedText } from '../raised-text.ts'

/** Protects the lexer's stack. */
const MAX_NESTING = 12
const SECTION_CHARACTERS = 256 * 1024
const MAX_SECTION_CHARACTERS = 1024 * 1024
const MARKERS = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/
/** `[TOC]`, `[[_TOC_]]`, `@[TOC](Contents)`. */
const CONTENTS = /^\s*@?(?:\[toc\]|\[\[_?toc_?\]\])(?:\([^()\n]*\))?\s*$/i

/** Tags in a cell or paragraph that start or end a line. */
const LINE_TAG = /^<\/?(?:br|li|ul|ol|p|div|dl|dt|dd)\b/i

export const markdownParser: Parser = {
  id: 'markdown@12',
  mediaTypes: ['text/markdown'],
  parse: parseMarkdown,
}

async function* parseMarkdown(
  input: ParserInput,
  signal?: AbortSignal,
): AsyncIterable<ParserEvent> {
  signal?.throwIfAborted()
  const decoded = await DecodedText.open(input)
  const { lexDocument } = await import('./lexer.ts') // loads a Markdown parser
  const { splitFrontMatter } = await import('./front-matter.ts') // loads a YAML parser
  const meter = new JunkMeter()
  const skipped = new SkippedText()
  let title: string | undefined
  let isFirst = true
  let isEmpty = true
  for await (const section of splitSections(decoded.readPieces(signal))) {
    signal?.throwIfAborted()
    const { body, metadata, unread } = isFirst
      ? splitFrontMatter(section)
      : { body: section, metadata: {}, unread: 0 }
    skipped.add('document properties', unread)
    if (isFirst) yield { type: 'metadata', metadata: { ...metadata, charset: decoded.charset } }
    title ??= metadata.title
    isFirst = false
    for await (const block of readMarkdownBlocks(lexDocument(body), {
      kind: 'paragraph',
      skipped,
    })) {
      signal?.throwIfAborted()
      meter.add(block.text)
      isEmpty = false
      if (block.kind === 'heading' && title === undefined) {
        title = block.text
        yield { type: 'metadata', metadata: { title } }
      }
      yield { type: 'block', block }
    }
  }
  if (isEmpty) throw new AppError('no_text', localizable`${input.name} holds no text.`)
  meter.refuseMostlyJunk(input.name)
  yield* meter.listWarnings()
  yield* decoded.listWarnings()
  yield* skipped.listWarnings()
}

type Place = { readonly kind: 'paragraph' | 'list'; readonly skipped?: SkippedText }

export async function* readMarkdownText(text: string): AsyncIterable<Block> {
  const { lexMarkdown } = await import('../../../../text/markdown.ts') // loads a Markdown parser
  async function* toPieces() {
    yield text
  }
  for await (const section of splitSections(toPieces()))
    yield* readMarkdownBlocks(lexMarkdown(section))
}

async function* readMarkdownBlocks(
  tokens: readonly Token[],
  place: Place = { kind: 'paragraph' },
): AsyncIterable<Block> {
  let html = ''
  for (const token of tokens) {
    if (token.type === 'html') html += token.raw
    else if (token.type !== 'space' || html === '') {
      yield* readHtmlToken(html, place.skipped)
      html = ''
      yield* readToken(token as Tokens.Generic, place) // extensions make generic tokens
    }
  }
  yield* readHtmlToken(html, place.skipped)
}

async function* readHtmlToken(html: string, skipped?: SkippedText): AsyncIterable<Block> {
  if (html.trim()) yield* readHtmlBlocks(await parseDom(html), skipped)
}

async function* readToken(token: Tokens.Generic, place: Place): AsyncIterable<Block> {
  switch (token.type) {
    case 'heading':
      return yield* emitBlock({
        kind: 'heading',
        level: token.depth,
        text: readInlineText(token.tokens).replace(/\s+/g, ' '),
        ...readLinks(token.tokens),
      })
    case 'note':
      return yield* readNote(token)
    case 'code':
      return yield* emitBlock({ kind: 'code', text: token.text.replace(/^\n+|\s+$/g, '') })
    case 'table':
      return yield* readTable(token as Tokens.Table) // the type says so
    case 'list':
      return yield* readItems(token as Tokens.List) // the type says so
    case 'blockquote':
      return yield* readMarkdownBlocks(token.tokens ?? [], place)
    case 'paragraph':
    case 'text':
      if (CONTENTS.test(token.raw)) return
      return yield* emitBlock({
        kind: place.kind,
        text: readInlineText(token.tokens ?? [token]).trim(),
        ...measureLinkShare(token.tokens),
        ...readLinks(token.tokens),
      })
  }
}

async function* readNote({ sign, tokens }: Tokens.Generic): AsyncIterable<Block> {
  let marker = `[${sign}] `
  for await (const block of readMarkdownBlocks(tokens ?? [])) {
    yield block.rows ? block : { ...block, text: marker + block.text }
    marker = ''
  }
}

function readLinks(tokens: readonly Token[] = []): Pick<Block, 'links'> {
  const targets: string[] = []
  const collect = (token: Token) => {
    if (token.type === 'link') targets.push(token.href)
    if ('tokens' in token) token.tokens?.forEach(collect)
  }
  tokens.forEach(collect)
  return targets.length > 0 ? toLinks(targets, readInlineText(tokens)) : {}
}

function measureLinkShare(tokens: readonly Token[] = []): Pick<Block, 'linkShare'> {
  const links = readInlineText(tokens.filter(({ type }) => type === 'link')).trim().length
  return links > 0 ? { linkShare: links / readInlineText(tokens).trim().length } : {}
}

function* emitBlock(block: Block): Iterable<Block> {
  if (block.text.trim()) yield { ...block, text: block.text.trim() }
}

function* readTable(table: Tokens.Table): Iterable<Block> {
  const written = [table.header, ...table.rows].map(row =>
    row.map(cell => readInlineText(cell.tokens).replace(/\s+/g, ' ').trim()),
  )
  const rows = padRows(written.map(trimEmptyEnd))
  const text = formatTableText(rows)
  const cells = [table.header, ...table.rows].flat().flatMap(({ tokens }) => tokens)
  if (/[^\s|]/.test(text)) yield { kind: 'table', text, rows, ...readLinks(cells) }
}

/** The lexer adds empty cells to short rows. */
function trimEmptyEnd(row: readonly string[]): readonly string[] {
  return row.slice(0, row.findLastIndex(cell => cell !== '') + 1)
}

async function* readItems(list: Tokens.List): AsyncIterable<Block> {
  let number = list.ordered && typeof list.start === 'number' ? list.start : undefined
  for (const item of list.items) {
    let marker = number === undefined ? '' : `${number++}. `
    if (item.task) marker += item.checked ? '☒ ' : '☐ '
    let depth = 0
    const tokens = item.tokens.filter(token => token.type !== 'checkbox')
    for await (const block of readMarkdownBlocks(tokens, { kind: 'list' })) {
      yield block.kind === 'list'
        ? { ...block, text: indentNestedText(marker + block.text, depth) }
        : block
      marker = ''
      depth = 1
    }
  }
}

/** Digits in `sup` and `sub` stay raised or lowered. */
function readInlineText(tokens: readonly Token[] | undefined): string {
  let elevation: Elevation | undefined
  const texts = (tokens ?? []).map(token => {
    if (token.type === 'html') elevation = findElevation(token.raw, elevation)
    return toElevatedText(readTokenText(token as Tokens.Generic), elevation) // extensions make generic tokens
  })
  return texts.join('')
}

function findElevation(tag: string, before: Elevation | undefined): Elevation | undefined {
  const name = /^<(\/?su[bp])\b/i.exec(tag)?.[1]?.toLowerCase()
  if (name === undefined) return before
  return name === 'sup' ? 'raised' : name === 'sub' ? 'lowered' : undefined
}

function readTokenText(token: Tokens.Generic): string {
  if (token.type === 'br') return '\n'
  if (token.type === 'html') return LINE_TAG.test(token.raw) ? '\n' : ''
  if (token.tokens && token.tokens.length > 0) return readInlineText(token.tokens)
  const isLiteral = /^(?:codespan|escape|formula|reference)$/.test(token.type)
  return isLiteral ? token.text : decodeHTML(token.text ?? '').replaceAll('\u00a0', ' ')
}

/** Cuts before headings, else at blank lines, so that sections can be lexed separately. */
async function* splitSections(pieces: AsyncIterable<string>): AsyncIterable<string> {
  let section = ''
  let fence = ''
  for await (const line of splitLines(pieces)) {
    const isOver =
      section.length > SECTION_CHARACTERS && fence === '' && /^(#{1,6} .*|\s*)$/.test(line)
    if (isOver || section.length > MAX_SECTION_CHARACTERS) {
      yield section
      section = ''
    }
    fence = trackFence(fence, line)
    section += `${flattenLine(line)}\n`
  }
  yield section
}

async function* splitLines(pieces: AsyncIterable<string>): AsyncIterable<string> {
  let rest = ''
  for await (const piece of pieces) {
    const parts = (rest + piece).replace(/\r\n/g, '\n').split('\n')
    rest = parts.pop() ?? ''
    yield* parts
    for (; rest.length > MAX_SECTION_CHARACTERS; rest = rest.slice(MAX_SECTION_CHARACTERS)) {
      yield rest.slice(0, MAX_SECTION_CHARACTERS)
    }
  }
  if (rest) yield rest
}

function trackFence(fence: string, line: string): string {
  const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
  if (!marker) return fence
  if (fence === '') return marker
  return marker[0] === fence[0] && marker.length >= fence.length ? '' : fence
}

function flattenLine(line: string): string {
  const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0
  const flat = indent > MAX_NESTING * 4 ? line.slice(indent - MAX_NESTING * 4) : line
  return flat.replace(MARKERS, markers => {
    const each = markers.match(/[ \t]*(?:>|[-*+]|\d+[.)])/g) ?? []
    return each.length > MAX_NESTING ? each.slice(0, MAX_NESTING).join('') : markers
  })
}
