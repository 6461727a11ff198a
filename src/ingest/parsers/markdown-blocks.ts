import type { Token, Tokens } from 'marked'
import { type Block, tableText } from '../block.ts'
import { htmlBlocks } from './html/blocks.ts'
import { parseDom } from './html/dom.ts'

/** Where a token stands: in a list, its items say so. */
type Place = { readonly kind: 'paragraph' | 'list' }

/** The blocks of lexed Markdown, in order. HTML among it goes through the HTML walk, neighbours together. */
export async function* markdownBlocks(
  tokens: readonly Token[],
  place: Place = { kind: 'paragraph' },
): AsyncIterable<Block> {
  let html = ''
  for (const token of tokens) {
    if (token.type === 'html') html += token.raw
    else if (token.type !== 'space' || html === '') {
      yield* blocksOfHtml(html)
      html = ''
      yield* blocksOf(token as Tokens.Generic, place) // tokens of extensions are generic ones too
    }
  }
  yield* blocksOfHtml(html)
}

async function* blocksOfHtml(html: string): AsyncIterable<Block> {
  if (html.trim()) yield* htmlBlocks(await parseDom(html))
}

async function* blocksOf(token: Tokens.Generic, place: Place): AsyncIterable<Block> {
  switch (token.type) {
    case 'heading':
      return yield* blockOf({
        kind: 'heading',
        level: token.depth,
        text: inlineText(token.tokens).replace(/\s+/g, ' '),
      })
    case 'code':
      return yield* blockOf({ kind: 'code', text: token.text.replace(/^\n+|\s+$/g, '') })
    case 'table':
      return yield* tableOf(token as Tokens.Table) // the type says so
    case 'list':
      return yield* itemsOf(token as Tokens.List) // the type says so
    case 'blockquote':
      return yield* markdownBlocks(token.tokens ?? [], place)
    case 'paragraph':
    case 'text':
      return yield* blockOf({ kind: place.kind, text: inlineText(token.tokens ?? [token]).trim() })
  }
}

function* blockOf(block: Block): Iterable<Block> {
  if (block.text.trim()) yield { ...block, text: block.text.trim() }
}

function* tableOf(table: Tokens.Table): Iterable<Block> {
  const rows = [table.header, ...table.rows].map(row =>
    row.map(cell => inlineText(cell.tokens).replace(/\s+/g, ' ').trim()),
  )
  const text = tableText(rows)
  if (/[^\s|]/.test(text)) yield { kind: 'table', text, rows }
}

/** One block an item; what an item holds besides its first paragraph follows as blocks of its own. */
async function* itemsOf(list: Tokens.List): AsyncIterable<Block> {
  let number = list.ordered && typeof list.start === 'number' ? list.start : undefined
  for (const item of list.items) {
    let marker = number === undefined ? '' : `${number++}. `
    for await (const block of markdownBlocks(
      item.tokens.filter(token => token.type !== 'checkbox'),
      { kind: 'list' },
    )) {
      yield block.kind === 'list' && marker ? { ...block, text: marker + block.text } : block
      marker = ''
    }
  }
}

/** The text a reader sees: no markers, link targets or tags. */
function inlineText(tokens: readonly Token[] | undefined): string {
  return (tokens ?? []).map(token => textOf(token as Tokens.Generic)).join('') // tokens of extensions are generic ones too
}

function textOf(token: Tokens.Generic): string {
  if (token.type === 'br') return '\n'
  if (token.type === 'html') return /^<br\b/i.test(token.raw) ? '\n' : ''
  if (token.tokens && token.tokens.length > 0) return inlineText(token.tokens)
  return token.type === 'codespan' || token.type === 'escape' ? token.text : unescapeEntities(token.text ?? '')
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function unescapeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
