import type { Block } from '../../block.ts'
import { tableOf } from '../table-blocks.ts'
import { RtfTable } from './table.ts'

/** How a paragraph stands; `\pard` goes back to a plain one. */
type Paragraph = { readonly style?: number; readonly outlineLevel?: number; readonly isInTable: boolean }

const PLAIN: Paragraph = { isInTable: false }

/** One stream of paragraphs and tables: the text itself, a note, or a text box. */
export class RtfFlow {
  readonly #levelOf: (style: number | undefined) => number | undefined
  readonly #table = new RtfTable()
  #blocks: Block[] = []
  /** Notes and text boxes, which follow the paragraph that they are anchored in. */
  #asides: Block[] = []
  #text = ''
  #marker: string | undefined
  #paragraph = PLAIN

  constructor(levelOf: (style: number | undefined) => number | undefined) {
    this.#levelOf = levelOf
  }

  write(text: string): void {
    this.#text += text
  }

  /** What stands before a list item: its number, or a bullet, which is left out. */
  mark(marker: string): void {
    this.#marker = /[\p{L}\p{N}]/u.test(marker) ? `${marker.trim()} ` : ''
  }

  addAside(blocks: readonly Block[]): void {
    this.#asides.push(...blocks)
  }

  /** A control word that shapes paragraphs or tables. */
  control(word: string, value: number | undefined): void {
    switch (word) {
      case 'pard':
        this.#paragraph = PLAIN
        break
      case 's':
        this.#paragraph = { ...this.#paragraph, style: value ?? 0 }
        break
      case 'outlinelevel':
        this.#paragraph = { ...this.#paragraph, outlineLevel: value ?? 0 }
        break
      case 'intbl':
        this.#paragraph = { ...this.#paragraph, isInTable: true }
        break
      case 'par':
      case 'sect':
        this.#endParagraph()
        break
      case 'cell':
        this.#table.endCell(this.#takeText())
        break
      case 'row':
        this.#table.endRow()
        break
      case 'nestcell':
      case 'nestrow':
        this.#text += ' '
        break
      default:
        this.#table.define(word, value)
    }
  }

  /** What is complete so far. */
  takeBlocks(): readonly Block[] {
    const blocks = this.#blocks
    this.#blocks = []
    return blocks
  }

  end(): readonly Block[] {
    this.#paragraph = PLAIN
    this.#endParagraph()
    return this.takeBlocks()
  }

  #endParagraph(): void {
    if (this.#paragraph.isInTable) {
      this.#text += '\n'
      return
    }
    this.#endTable()
    const marker = this.#marker
    const text = this.#takeText()
      .replace(/[^\S\n]*\n[^\S\n]*/g, '\n')
      .trim()
    if (text) this.#blocks.push(this.#blockOf(text, marker))
    this.#blocks.push(...this.#asides)
    this.#asides = []
  }

  #blockOf(text: string, marker: string | undefined): Block {
    const { style, outlineLevel = 9 } = this.#paragraph
    const level = outlineLevel < 9 ? Math.min(6, outlineLevel + 1) : this.#levelOf(style)
    if (level !== undefined) return { kind: 'heading', level, text: `${marker ?? ''}${text}`.replace(/\s+/g, ' ') }
    return marker === undefined ? { kind: 'paragraph', text } : { kind: 'list', text: marker + text }
  }

  /** A table of one column only arranges what is in it. */
  #endTable(): void {
    if (this.#table.isEmpty) return
    const rows = this.#table.takeRows()
    if ((rows[0]?.length ?? 0) > 1) this.#blocks.push(tableOf(rows))
    else this.#blocks.push(...rows.map(([text]) => ({ kind: 'paragraph' as const, text: text! }))) // rows have text
  }

  #takeText(): string {
    const text = (this.#paragraph.isInTable ? (this.#marker ?? '') : '') + this.#text
    this.#text = ''
    this.#marker = undefined
    return text
  }
}
