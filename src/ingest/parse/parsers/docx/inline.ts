import { codePoint } from 'dingbat-to-unicode'
import type { SkippedText } from '../../skipped-text.ts'
import { chooseAlternative, readAlternative } from '../office/drawing-text.ts'
import { readEquationField } from '../office/equation-field.ts'
import { readOfficeMath } from '../office/math.ts'
import { findLinkTarget, type Relation } from '../office/ooxml.ts'
import { findAttribute, findRelationId } from '../office/xml.ts'
import {
  findChild,
  findChildren,
  findDescendants,
  readElementText,
  type XmlElement,
} from '../office/xml-tree.ts'
import { type Elevation, toElevatedText } from '../raised-text.ts'
import { type DocxStyles, isSwitchedOn, readValue } from './styles.ts'

export type Anchored =
  | { readonly type: 'blocks'; readonly elements: readonly XmlElement[] }
  | { readonly type: 'word-art'; readonly text: string }
  | { readonly type: 'chart' | 'diagram' | 'comment'; readonly id: string }

type InlineText = {
  readonly text: string
  readonly anchored: readonly Anchored[]
  readonly targets: readonly string[]
}

export type InlineContext = {
  readonly styles: DocxStyles
  readonly skipped: SkippedText
  readonly pictures: Set<string>
  /** Kind and id of each note, in the order of numbers. */
  readonly noteKeys: string[]
  readonly hidden: { runs: number }
}

type OpenField = { instruction: string; isResult: boolean; hasText?: boolean }

const TICKED = '☒'
const UNTICKED = '☐'
/** Symbol fonts use the private area from here. */
const SYMBOL_AREA = 0xf000
const SYMBOL = /[\uf020-\uf0ff]/g
const PAGE_FIELD = /^\s*(?:PAGE|NUMPAGES|SECTIONPAGES|STYLEREF)\b/i
const LINK_FIELD = /^\s*HYPERLINK\s+(?:\\\w\s+)*"([^"]+)"/i
const ENTRY_FIELD = /^\s*(?:XE|TC|TA)\s/i

/** Reads paragraphs in order, because a field may span several. */
export class InlineReader {
  readonly #context: InlineContext
  readonly #relations: ReadonlyMap<string, Relation>
  readonly #omitsPages: boolean
  #fields: OpenField[] = []
  #anchored: Anchored[] = []
  #targets: string[] = []
  /** Kept for a paragraph, because a shape and its picture may repeat one. */
  #alternatives = new Set<string>()

  constructor(
    context: InlineContext,
    relations: ReadonlyMap<string, Relation>,
    { omitsPages }: { omitsPages: boolean },
  ) {
    this.#context = context
    this.#relations = relations
    this.#omitsPages = omitsPages
  }

  readParagraph(paragraph: XmlElement): InlineText {
    this.#anchored = []
    this.#targets = []
    this.#alternatives = new Set()
    const text = this.#readChildren(paragraph)
    // drops instructions without an end, which would hide the rest
    this.#fields = this.#fields.filter(({ isResult }) => isResult)
    return { text, anchored: this.#anchored, targets: this.#targets }
  }

  #readChildren(element: XmlElement | undefined): string {
    return findChildren(element)
      .map(child => this.#read(child))
      .join('')
  }

  #read(element: XmlElement): string {
    switch (element.name) {
      case 'r':
        return this.#readRun(element)
      case 'del':
      case 'moveFrom':
        return this.#skipDeleted(element)
      case 'sdt':
        return readCheckBox(element) ?? this.#readChildren(findChild(element, 'sdtContent'))
      case 'hyperlink':
        if (findAttribute(element.attributes, 'tooltip')?.trim())
          this.#context.skipped.add('text alternatives')
        this.#noteLink(findRelationId(element.attributes))
        return this.#readChildren(element)
      case 'fldSimple':
        return this.#readSimpleField(element)
      case 'oMath':
        return this.#isVisible() ? this.#noteText(readOfficeMath(element)) : ''
      case 'AlternateContent':
        return this.#readChildren(chooseAlternative(element))
      case 'pPr':
        return ''
      default:
        return this.#readChildren(element)
    }
  }

  #skipDeleted(element: XmlElement): string {
    const [text] = findDescendants(element, 'delText', 't')
    if (text) this.#context.skipped.add('deleted texts')
    return ''
  }

  #readSimpleField(element: XmlElement): string {
    const instruction = findAttribute(element.attributes, 'instr') ?? ''
    this.#noteLinkField(instruction)
    const text = this.#readChildren(element) || this.#readEquation(instruction)
    return this.#omitsPages && PAGE_FIELD.test(instruction) ? '' : text
  }

  #readRun(run: XmlElement): string {
    const properties = findChild(run, 'rPr')
    const fonts = findChild(properties, 'rFonts')?.attributes ?? {}
    const font = findAttribute(fonts, 'ascii') ?? findAttribute(fonts, 'hAnsi') ?? ''
    const elevation = findElevation(properties)
    const text = findChildren(run)
      .map(child =>
        child.name === 'instrText'
          ? this.#noteInstruction(toElevatedText(readElementText(child), elevation))
          : this.#readRunPart(child, font),
      )
      .join('')
    if (text.trim() !== '' && this.#isHidden(properties)) this.#context.hidden.runs++
    return toElevatedText(text, elevation)
  }

  #isHidden(properties: XmlElement | undefined): boolean {
    const style = this.#context.styles.get(readValue(properties, 'rStyle') ?? '')
    return readValue(properties, 'vanish') === undefined
      ? (style?.isHidden ?? false)
      : isSwitchedOn(properties, 'vanish')
  }

  #readRunPart(element: XmlElement, font: string): string {
    switch (element.name) {
      case 'fldChar':
        return this.#passFieldMark(element)
      case 'delText':
        this.#context.skipped.add('deleted texts')
        return ''
      case 'footnoteReference':
      case 'endnoteReference':
        return this.#isVisible() ? this.#referToNote(element) : ''
      case 'commentReference':
        this.#anchored.push({ type: 'comment', id: findAttribute(element.attributes, 'id') ?? '' })
        return ''
      case 'drawing':
      case 'pict':
      case 'object':
      case 'txbxContent':
      case 'p':
      case 'tbl':
        this.#anchorDrawing(element)
        return ''
      case 'AlternateContent':
        return findChildren(chooseAlternative(element))
          .map(child => this.#readRunPart(child, font))
          .join('')
      default:
        return this.#isVisible() ? this.#noteText(this.#readCharacters(element, font)) : ''
    }
  }

  #readCharacters(element: XmlElement, font: string): string {
    switch (element.name) {
      case 't':
        return convertSymbols(readElementText(element).replace(/[\r\n]+/g, ' '), font)
      case 'tab':
      case 'ptab':
        return ' '
      case 'br':
        return /^(?:page|column)$/.test(findAttribute(element.attributes, 'type') ?? '') ? '' : '\n'
      case 'cr':
        return '\n'
      case 'noBreakHyphen':
        return '\u2011'
      case 'sym':
        return readSymbol(element)
      case 'ruby': {
        const [reading] = findDescendants(findChild(element, 'rt'), 't')
        if (reading) this.#context.skipped.add('reading aids')
        return this.#readChildren(findChild(element, 'rubyBase'))
      }
      default:
        return ''
    }
  }

  #isVisible(): boolean {
    return this.#fields.every(
      ({ isResult, instruction }) =>
        isResult && !(this.#omitsPages && PAGE_FIELD.test(instruction)),
    )
  }

  #noteText(text: string): string {
    if (text.trim() !== '') for (const field of this.#fields) field.hasText = true
    return text
  }

  #passFieldMark(mark: XmlElement): string {
    const type = findAttribute(mark.attributes, 'fldCharType')
    const last = this.#fields.at(-1)
    if (type === 'separate' && last) last.isResult = true
    if (type === 'end') return this.#endField()
    if (type !== 'begin') return ''
    const text = this.#isVisible() ? readFormField(findChild(mark, 'ffData')) : ''
    this.#fields.push({ instruction: '', isResult: false })
    return text
  }

  #endField(): string {
    const { instruction = '', hasText = false } = this.#fields.pop() ?? {}
    this.#noteLinkField(instruction)
    if (ENTRY_FIELD.test(instruction)) this.#context.skipped.add('index entries')
    return hasText ? '' : this.#readEquation(instruction)
  }

  #readEquation(instruction: string): string {
    return this.#isVisible() ? readEquationField(instruction, this.#context.skipped) : ''
  }

  #noteLink(id: string | undefined): void {
    const target = findLinkTarget(id, this.#relations)
    if (target) this.#targets.push(target)
  }

  #noteLinkField(instruction: string): void {
    const target = LINK_FIELD.exec(instruction)?.[1]
    if (target) this.#targets.push(target)
  }

  #noteInstruction(text: string): string {
    const last = this.#fields.at(-1)
    if (last && !last.isResult) last.instruction += text
    return ''
  }

  #referToNote({ name, attributes }: XmlElement): string {
    const { noteKeys } = this.#context
    const key = `${name.replace('Reference', '')} ${findAttribute(attributes, 'id')}`
    if (!noteKeys.includes(key)) noteKeys.push(key)
    return `[${noteKeys.indexOf(key) + 1}]`
  }

  #anchorDrawing(element: XmlElement): void {
    if (element.name === 'p' || element.name === 'tbl') {
      this.#anchored.push({ type: 'blocks', elements: [element] })
      return
    }
    if (element.name === 'txbxContent') {
      this.#anchored.push({ type: 'blocks', elements: findChildren(element) })
      return
    }
    this.#notePart(element)
    const inner = element.name === 'AlternateContent' ? chooseAlternative(element) : element
    for (const child of findChildren(inner)) this.#anchorDrawing(child)
  }

  #notePart(element: XmlElement): void {
    const { name, attributes } = element
    const alternative = readAlternative(element)
    if (alternative && !this.#alternatives.has(alternative)) {
      this.#alternatives.add(alternative)
      this.#context.skipped.add('text alternatives')
    }
    if (name === 'hlinkClick') this.#noteLink(findRelationId(attributes))
    const text = name === 'textpath' ? findAttribute(attributes, 'string') : undefined
    if (text) this.#anchored.push({ type: 'word-art', text })
    const id = findRelationId(
      attributes,
      name === 'blip' ? 'embed' : name === 'relIds' ? 'dm' : 'id',
    )
    if (id === undefined) return
    if (name === 'chart') this.#anchored.push({ type: 'chart', id })
    if (name === 'relIds') this.#anchored.push({ type: 'diagram', id })
    const picture = name === 'blip' || name === 'imagedata' ? this.#relations.get(id) : undefined
    if (picture?.type === 'image') this.#context.pictures.add(picture.target)
  }
}

function readCheckBox(control: XmlElement): string | undefined {
  const box = findChild(control, 'sdtPr', 'checkbox')
  if (!box) return undefined
  return isSwitchedOn(box, 'checked') ? TICKED : UNTICKED
}

/** Reads check boxes and lists of Word 97, which have no text as their result. */
function readFormField(field: XmlElement | undefined): string {
  const box = findChild(field, 'checkBox')
  if (box) {
    const name = readValue(box, 'checked') === undefined ? 'default' : 'checked'
    return isSwitchedOn(box, name) ? TICKED : UNTICKED
  }
  const list = findChild(field, 'ddList')
  const chosen = Number(readValue(list, 'result') ?? readValue(list, 'default') ?? 0)
  const entry = findChildren(list, 'listEntry')[chosen]
  return entry ? (findAttribute(entry.attributes, 'val') ?? '') : ''
}

function readSymbol({ attributes }: XmlElement): string {
  const code = Number.parseInt(findAttribute(attributes, 'char') ?? '', 16)
  if (Number.isNaN(code) || code > 0x10ffff) return ''
  const character = String.fromCodePoint(code < 0x100 ? SYMBOL_AREA + code : code)
  return convertSymbols(character, findAttribute(attributes, 'font') ?? '')
}

function convertSymbols(text: string, font: string): string {
  return text.replace(
    SYMBOL,
    symbol => codePoint(font, symbol.charCodeAt(0) - SYMBOL_AREA)?.string ?? symbol,
  )
}

function findElevation(properties: XmlElement | undefined): Elevation | undefined {
  const value = readValue(properties, 'vertAlign')
  return value === 'superscript' ? 'raised' : value === 'subscript' ? 'lowered' : undefined
}
