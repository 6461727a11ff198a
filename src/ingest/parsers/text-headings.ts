import { type Block, tableText } from '../block.ts'
import { headingNumber, isSentence } from './heading-numbers.ts'
import { tableIn } from './text-tables.ts'

/** A wider line is a sentence; a Chinese character is as wide as two letters. */
const MAX_WIDTH = 80
const UNDERLINE = /^(?:={3,}|-{3,}|~{3,})$/u
/** Items, columns, what announces and what asks. */
const NO_HEADING = /^[-*•·+>#|]|\S(?: {3,}|\t)\S|[:：?!？！…]["”’]?$/u
/** `Date: 3 May` tells something of what stands above it; the first line may have a colon, too. */
const FIELD = /[:：|]/u
/** Of a first line alone, it only says that a paragraph begins. */
const INDENT = /^[^\S\n]+(?=\S)(?=[^\n]*(?:$|\n\S))/u
const HAN = /\p{Script=Han}/gu

/** Levels: the first line of a text, what is numbered by its depth, and all else. */
const TITLE = 1
const DEEPEST_NUMBER = 5
const OTHER = 6

type Line = { readonly text: string; readonly level: number; readonly isUnderlined: boolean }
type Paragraph = { readonly text: string; readonly line?: Line; readonly rows?: NonNullable<Block['rows']> }

/** A block, and whether it is what the text is called. */
export type PlainBlock = { readonly block: Block; readonly isTitle: boolean }

/**
 * The blocks of a plain text. A heading is a line that is underlined, or one by itself that ends no sentence and has something under it:
 * lines of one kind in a row are a list. Holds one paragraph back.
 */
export class PlainBlocks {
  #before: Paragraph | undefined
  #held: Paragraph | undefined;

  /** The blocks that are known once the next paragraph is. */
  *next(text: string): Iterable<PlainBlock> {
    for (const paragraph of paragraphsOf(text, this.#held === undefined)) {
      yield* this.end(paragraph)
      this.#before = this.#held
      this.#held = paragraph
    }
  }

  /** The last one, which nothing follows. */
  *end(next?: Paragraph): Iterable<PlainBlock> {
    if (!this.#held) return
    const block = blockOf(this.#held, this.#before, next)
    yield { block, isTitle: this.#before === undefined && block.level === TITLE }
  }
}

function blockOf({ text, line, rows }: Paragraph, before?: Paragraph, next?: Paragraph): Block {
  const isHeading = line && (line.isUnderlined || (next && isOver(line, next) && before?.line?.level !== line.level))
  if (isHeading) return { kind: 'heading', level: line.level, text: line.text }
  return rows ? { kind: 'table', text: tableText(rows), rows } : { kind: 'paragraph', text: text.replace(INDENT, '') }
}

function isOver({ level }: Line, { line }: Paragraph): boolean {
  return line === undefined || line.level > level
}

/** An underlined line may have its text right under it, and a table may have its title right above. */
function paragraphsOf(text: string, isFirst: boolean): readonly Paragraph[] {
  const [first = '', second, ...others] = text.split('\n', 3)
  const words = first.trim()
  if (second !== undefined && UNDERLINE.test(second.trim()) && isShort(words)) {
    const line = { text: words, level: second.includes('=') ? TITLE : TITLE + 1, isUnderlined: true }
    const rest = others.length > 0 ? text.slice(first.length + second.length + 2) : ''
    return [{ text: `${first}\n${second}`, line }, ...(rest.trim() ? (tableParagraphs(rest) ?? [{ text: rest }]) : [])]
  }
  const table = tableParagraphs(text, isFirst)
  if (table) return table
  if (second !== undefined || isSentence(words) || !isShort(words) || NO_HEADING.test(words)) return [{ text }]
  if (!isFirst && FIELD.test(words)) return [{ text }]
  return [{ text, line: { text: words, level: isFirst ? TITLE : levelOf(words), isUnderlined: false } }]
}

function tableParagraphs(text: string, isFirst = false): readonly Paragraph[] | undefined {
  const table = tableIn(text)
  return table && [...(table.title ? paragraphsOf(table.title, isFirst) : []), { text, rows: table.rows }]
}

function levelOf(line: string): number {
  const depth = headingNumber(line)?.depth
  return depth === undefined ? OTHER : Math.min(DEEPEST_NUMBER, TITLE + depth)
}

function isShort(line: string): boolean {
  if (line.length > MAX_WIDTH) return false
  const width = line.length + (line.match(HAN)?.length ?? 0)
  return width <= MAX_WIDTH && /\p{L}.*\p{L}/u.test(line)
}
