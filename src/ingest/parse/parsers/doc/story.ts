import { type Block, indentNestedText } from '../../../block.ts'
import type { SkippedText } from '../../skipped-text.ts'
import { readEquationField } from '../office/equation-field.ts'
import { toElevatedText } from '../raised-text.ts'
import { buildTableBlock } from '../table-blocks.ts'
import { FormatPages, LIST, LIST_LEVEL, readProperties, WordStyles } from './formats.ts'
import { WordLists } from './lists.ts'
import { type Story, TABLE, type WordFile } from './word-file.ts'

/** Properties: [MS-DOC] 2.6.1 and 2.6.2. */
const IN_TABLE = 0x2416
const ROW_END = 0x2417
const DELETED = 0x0800
const HIDDEN = 0x083c
const ELEVATION = 0x2a48
const SYMBOL = 0x6a09
/** Characters that stand for content of fields and for objects, not for pictures. */
const NO_PICTURE = [0x0806, 0x080a]

const CELL = '\x07'
const NOTE = '\x02'
const PICTURE = '\x01'
const DRAWING = '\x08'
// biome-ignore lint/suspicious/noControlCharactersInRegex: Word marks ends by control characters
const PARAGRAPH_END = /[\r\x07\x0c]/g
/** Marks of fields, whose instructions are no text. */
const FIELD_BEGIN = '\x13'
const FIELD_RESULT = '\x14'
const FIELD_END = '\x15'
/** Fields with a text that nothing shows, and those that show a text of their instruction. */
const INDEX_FIELD = /^\s*(?:XE|TC|TA)\b/i
const BUTTON_FIELD = /^\s*(?:MACROBUTTON|GOTOBUTTON|ASK|FILLIN)\b/i
const MAX_INSTRUCTION = 2_000

export class StoryReader {
  readonly #file: WordFile
  readonly #paragraphs: FormatPages
  readonly #characters: FormatPages
  readonly #styles: WordStyles
  readonly #lists: WordLists
  readonly #notes: ReadonlyMap<number, number>
  readonly #skipped: SkippedText
  /** True for open fields whose result has begun. */
  #fields: boolean[] = []
  /** Open fields whose result has not begun. */
  #instructions = 0
  #instruction = ''
  hidden = 0
  /** Drawings, those with a text among them. */
  drawings = 0
  /** Pictures of the run that is read. */
  #pictures = 0

  constructor(file: WordFile, notes: ReadonlyMap<number, number>, skipped: SkippedText) {
    this.#file = file
    this.#paragraphs = new FormatPages(file, 'paragraphs')
    this.#characters = new FormatPages(file, 'characters')
    this.#styles = new WordStyles(file.readTable(TABLE.styles))
    this.#lists = new WordLists(file)
    this.#notes = notes
    this.#skipped = skipped
  }

  *read({ start, end }: Story): Iterable<Block> {
    const table = new TableRows()
    this.#fields = []
    this.#instructions = 0
    for (const paragraph of this.#listParagraphs(start, end)) {
      const { mark, style, format, text } = paragraph
      const { reference, level } = this.#styles.findList(style, format)
      if (text.trim() && this.#lists.hasNumber(reference, level)) this.#skipped.add('list numbers')
      const isInTable = mark === CELL || format.get(IN_TABLE) === 1
      if (!isInTable) {
        yield* table.end()
        yield* this.#toBlocks(paragraph)
      } else if (mark === CELL && format.get(ROW_END) === 1) table.endRow()
      else table.add(text, { endsCell: mark === CELL })
    }
    yield* table.end()
  }

  *#listParagraphs(start: number, end: number): Iterable<Paragraph> {
    for (let from = start; from < end; ) {
      PARAGRAPH_END.lastIndex = from
      const found = PARAGRAPH_END.exec(this.#file.text)?.index ?? end
      const to = Math.min(found, end)
      const properties = this.#paragraphs.find(
        this.#file.locate(Math.min(to, end - 1)).offset,
      )?.properties
      const style = properties && properties.length >= 2 ? properties.readUInt16LE(0) : 0
      const format = readProperties(properties?.subarray(2) ?? Buffer.alloc(0))
      yield { text: this.#readText(from, to), mark: this.#file.text.charAt(to), style, format }
      from = to + 1
    }
  }

  *#toBlocks({ text, style, format }: Paragraph): Iterable<Block> {
    const trimmed = text.trim()
    if (!trimmed) return
    const level = this.#styles.findLevel(style, format)
    if (level) yield { kind: 'heading', level, text: trimmed.replace(/\s+/g, ' ') }
    else if ((format.get(LIST) ?? 0) > 0)
      yield { kind: 'list', text: indentNestedText(trimmed, format.get(LIST_LEVEL) ?? 0) }
    else yield { kind: 'paragraph', text: trimmed }
  }

  #readText(start: number, end: number): string {
    let text = ''
    for (let from = start; from < end; ) {
      const { offset, end: pieceEnd, width } = this.#file.locate(from)
      const stretch = this.#characters.find(offset)
      const remainingChars = stretch ? Math.ceil((stretch.end - offset) / width) : end
      const to = Math.min(end, pieceEnd, from + Math.max(1, remainingChars))
      text += this.#readRun(from, to, readProperties(stretch?.properties ?? Buffer.alloc(0)))
      from = to
    }
    if (this.#instructions > 0) this.#fields = this.#fields.filter(Boolean) // no instruction continues in the next paragraph
    this.#instructions = 0
    return text
  }

  #readRun(start: number, end: number, format: ReadonlyMap<number, number>): string {
    let text = ''
    this.#pictures = 0
    for (let index = start; index < end; index++) text += this.#readCharacter(index)
    const arePictures = !NO_PICTURE.some(property => format.get(property) === 1)
    if (arePictures) this.#skipped.add('pictures', this.#pictures)
    if (text === '') return ''
    if (format.get(DELETED) === 1) {
      this.#skipped.add('deleted texts')
      return ''
    }
    if (format.get(HIDDEN) === 1 && text.trim()) this.hidden++
    const symbol = format.get(SYMBOL)
    if (symbol !== undefined) return toSymbol(symbol >>> 16)
    const elevation = format.get(ELEVATION)
    return toElevatedText(
      text,
      elevation === 1 ? 'raised' : elevation === 2 ? 'lowered' : undefined,
    )
  }

  #readCharacter(index: number): string {
    const character = this.#file.text.charAt(index)
    if (character === FIELD_BEGIN) this.#startField()
    else if (character === FIELD_RESULT) {
      this.#endField()
      this.#fields.push(true)
    } else if (character === FIELD_END) {
      const text = this.#readEquation()
      this.#endField()
      this.#instruction = ''
      return text
    } else if (this.#instructions === 0) {
      const text = this.#showCharacter(character, index)
      if (text.trim() !== '') this.#instruction = '' // the result replaces it
      return text
    } else if (this.#instruction.length < MAX_INSTRUCTION) this.#instruction += character
    return ''
  }

  #startField(): void {
    this.#fields.push(false)
    this.#instructions++
    this.#instruction = ''
  }

  #readEquation(): string {
    const isOuter = this.#fields.length > 0 && this.#instructions === (this.#fields.at(-1) ? 0 : 1)
    return isOuter ? readEquationField(this.#instruction, this.#skipped) : ''
  }

  #endField(): void {
    if (this.#fields.pop() !== false) return
    this.#instructions--
    if (INDEX_FIELD.test(this.#instruction)) this.#skipped.add('index entries')
    if (BUTTON_FIELD.test(this.#instruction)) this.#skipped.add('form controls')
  }

  #showCharacter(character: string, index: number): string {
    if (character >= ' ' && character !== '\x7f') return character
    switch (character) {
      case '\t':
        return character
      case '\v':
      case '\x0e':
        return '\n'
      case '\x1e':
        return '\u2011'
      case PICTURE:
        this.#pictures++
        return ''
      case DRAWING:
        this.drawings++
        return ''
      case NOTE: {
        const number = this.#notes.get(index)
        return number ? `[${number}]` : ''
      }
      default:
        return '' // anchors and hidden hyphens
    }
  }
}

type Paragraph = {
  readonly text: string
  readonly mark: string
  readonly style: number
  readonly format: ReadonlyMap<number, number>
}

/** A symbol has no meaning in Unicode: it is counted as unreadable. */
function toSymbol(code: number): string {
  return code >= 0xf000 && code <= 0xf0ff ? '\ufffd' : String.fromCharCode(code)
}

class TableRows {
  #rows: string[][] = []
  #cells: string[] = []
  #lines: string[] = []

  add(text: string, { endsCell }: { readonly endsCell: boolean }): void {
    if (text.trim()) this.#lines.push(text.trim())
    if (!endsCell) return
    this.#cells.push(this.#lines.join('\n'))
    this.#lines = []
  }

  endRow(): void {
    if (this.#cells.some(Boolean)) this.#rows.push(this.#cells)
    this.#cells = []
  }

  *end(): Iterable<Block> {
    if (this.#lines.length > 0) this.add('', { endsCell: true })
    this.endRow()
    if (this.#rows.length > 0) yield buildTableBlock(this.#rows)
    this.#rows = []
  }
}
