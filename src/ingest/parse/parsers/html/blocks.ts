import { type Block, formatTableText, indentNestedText } from '../../../block.ts'
import { SkippedText } from '../../skipped-text.ts'
import { toLinks } from '../link-targets.ts'
import { formatLetters, formatListNumber, type Numbering } from '../office/list-numbers.ts'
import { PageFilter, type PageScope, readStatedCheckBox } from './boilerplate.ts'
import { DomWalk } from './dom.ts'
import type { DomElement, DomNode } from './dom-node.ts'
import { readInlinePicture, readPictureName } from './pictures.ts'
import { readDataRows } from './table.ts'

const BLOCK_ELEMENTS = new Set(
  'address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)

const CJK =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff00-\\uffef]'

/** A line break between two ideographs is not a space. */
const CJK_BREAK = new RegExp(`(?<=${CJK})[ \\t]*\\r?\\n[ \\t]*(?=${CJK})`, 'gu')

/** Bounded, so that the text does not multiply. */
const MAX_REPEATED = 200

export function* readHtmlBlocks(
  root: DomNode,
  skipped: SkippedText = new SkippedText(),
  scope: PageScope = 'page',
): Iterable<Block> {
  yield* readBlocks(root, new PageFilter(root, skipped, scope))
}

function* readBlocks(root: DomNode, filter: PageFilter): Iterable<Block> {
  const walk = new DomWalk()
  const writer = new BlockWriter()
  for (const step of walk.walkSteps(root)) {
    if (step.type === 'text') writer.write(step.text)
    else if (step.type === 'close') yield* writer.close(step.element)
    else if (filter.shouldOmit(step.element)) {
      writer.write(readStatedCheckBox(step.element))
      walk.skipChildren()
    } else {
      yield* writer.open(step.element)
      if (step.element.localName !== 'table') continue
      const rows = readDataRows(step.element, filter)
      if (!rows) continue
      yield* readCaptions(step.element, filter)
      const text = formatTableText(rows)
      yield { kind: 'table', text, rows, ...toLinks(listTargets(step.element), text) }
      walk.skipChildren()
    }
  }
  yield* writer.flush()
}

function listTargets(table: DomElement): readonly string[] {
  return [...new DomWalk().walkSteps(table)].flatMap(step =>
    step.type === 'open' && step.element.localName === 'a'
      ? (step.element.getAttribute('href') ?? [])
      : [],
  )
}

function* readCaptions(table: DomElement, filter: PageFilter): Iterable<Block> {
  for (const child of new DomWalk().walkSteps(table)) {
    if (child.type === 'open' && child.element.localName === 'caption') {
      yield* [...readBlocks(child.element, filter)].map(block => ({
        ...block,
        kind: 'caption' as const,
      }))
    }
  }
}

class BlockWriter {
  #text = ''
  #level: number | undefined
  #preDepth = 0
  #captionDepth = 0
  #itemDepth = 0
  #linkDepth = 0
  #targets: string[] = []
  /** Since the last block, without white space. */
  #characters = { all: 0, inLinks: 0 }
  /** Names of pictures, in case an open heading has no text. */
  #pictureNames = ''
  #marker = ''
  #isItemStart = false
  readonly #lists: OpenList[] = []

  write(text: string): void {
    const { length } = text.replace(/\s+/g, '')
    this.#characters.all += length
    if (this.#linkDepth > 0) this.#characters.inLinks += length
    this.#text +=
      this.#preDepth > 0 ? text : text.replace(CJK_BREAK, '').replace(/[ \t\r\n\f]+/g, ' ')
  }

  *open(element: DomElement): Iterable<Block> {
    const name = element.localName
    if (name === 'br') this.#text += '\n'
    if (name === 'img') this.#readPicture(element)
    if (name === 'a') {
      this.#linkDepth++
      this.#targets.push(element.getAttribute('href') ?? '')
    }
    if (!BLOCK_ELEMENTS.has(name)) return
    yield* this.#separateLines()
    if (isStandalone(element)) yield* this.#flushTerms()
    this.#enter(element)
  }

  #readPicture(picture: DomElement): void {
    this.#text += readInlinePicture(picture)
    if (this.#level) this.#pictureNames += `${readPictureName(picture)} `
  }

  *close(element: DomElement): Iterable<Block> {
    const name = element.localName
    if (name === 'a') this.#linkDepth--
    if (!BLOCK_ELEMENTS.has(name)) return
    if (isBlockEnd(element)) yield* this.flush()
    else yield* this.#separateLines()
    if (isList(name)) yield* this.#flushTerms()
    this.#leave(element)
  }

  *flush(): Iterable<Block> {
    if (this.#text.trim() === '') this.#text = this.#pictureNames
    this.#pictureNames = ''
    const texts =
      this.#preDepth > 0
        ? [this.#text.replace(/^\s*\n/, '').trimEnd()]
        : splitParagraphs(this.#text)
    const { all, inLinks } = this.#characters
    this.#text = ''
    this.#characters = { all: 0, inLinks: 0 }
    for (const text of texts.filter(Boolean)) {
      const list = this.#lists.at(-1)
      if (list?.isInTerm && !this.#level) {
        list.terms.push(text)
        continue
      }
      this.#marker = (list && takeTerms(list)) || this.#marker
      const links = toLinks(this.#targets, text)
      this.#targets = []
      const block = { ...this.#block(text), ...links }
      yield inLinks > 0 ? { ...block, linkShare: inLinks / all } : block
      this.#marker = ''
    }
  }

  #block(own: string): Block {
    const text = this.#marker + own
    if (this.#level) return { kind: 'heading', level: this.#level, text: text.replace(/\s+/g, ' ') }
    if (this.#captionDepth > 0) return { kind: 'caption', text }
    if (this.#preDepth > 0) return { kind: 'code', text }
    if (this.#itemDepth === 0) return { kind: 'paragraph', text }
    const depth = this.#lists.length - (this.#isItemStart ? 1 : 0)
    this.#isItemStart = false
    return { kind: 'list', text: indentNestedText(text, depth) }
  }

  /** Inside a heading, a caption or code, block elements only separate lines. */
  *#separateLines(): Iterable<Block> {
    if (this.#preDepth > 0) this.#text += this.#text.endsWith('\n') || this.#text === '' ? '' : '\n'
    else if (this.#level || this.#captionDepth > 0) this.#text += ' '
    else yield* this.flush()
  }

  #enter(element: DomElement): void {
    const name = element.localName
    this.#level ??= findHeadingLevel(element)
    if (name === 'pre') this.#preDepth++
    if (isCaption(name)) this.#captionDepth++
    if (isList(name)) this.#lists.push(openList(element))
    if (isItem(name)) {
      this.#itemDepth++
      this.#isItemStart = true
      this.#marker =
        name === 'dd' ? (this.#lists.at(-1)?.lastTerms ?? '') : this.#createMarker(element)
    }
    const list = this.#lists.at(-1)
    if (name === 'dt' && list) Object.assign(list, { isInTerm: true, lastTerms: '' })
  }

  #leave(element: DomElement): void {
    const name = element.localName
    if (findHeadingLevel(element)) this.#level = undefined
    if (name === 'pre') this.#preDepth--
    if (isCaption(name)) this.#captionDepth--
    if (isList(name)) this.#lists.pop()
    if (isItem(name)) this.#itemDepth--
    if (isItem(name) || isList(name)) this.#marker = ''
    if (isItem(name)) this.#isItemStart = false
    const list = this.#lists.at(-1)
    if (name === 'dt' && list) list.isInTerm = false
  }

  *#flushTerms(): Iterable<Block> {
    const list = this.#lists.at(-1)
    if (!list || list.terms.length === 0) return
    for (const term of list.terms)
      yield { kind: 'list', text: indentNestedText(term, this.#lists.length - 1) }
    takeTerms(list)
    this.#marker = ''
    this.#isItemStart = false
  }

  #createMarker(element: DomElement): string {
    const list = this.#lists.at(-1)
    if (list?.next === undefined) return ''
    const number = parseInteger(element.getAttribute('value')) ?? list.next
    list.next = number + 1
    return `${formatListNumber(number, list.type, formatLetters)}. `
  }
}

type OpenList = {
  next: number | undefined
  readonly type: Numbering
  terms: string[]
  isInTerm: boolean
  lastTerms: string
}

function openList(element: DomElement): OpenList {
  const type = element.getAttribute('type') ?? ''
  return {
    next:
      element.localName === 'ol' ? (parseInteger(element.getAttribute('start')) ?? 1) : undefined,
    type: /^[aAiI]$/.test(type) ? (type as Numbering) : '1', // just tested
    terms: [],
    isInTerm: false,
    lastTerms: '',
  }
}

function parseInteger(written: string | null): number | undefined {
  const number = Number.parseInt(written ?? '', 10)
  return Number.isSafeInteger(number) ? number : undefined
}

function takeTerms(list: OpenList): string {
  if (list.terms.length === 0) return ''
  const marker = formatDefinitionMarker(list.terms)
  list.terms = []
  list.lastTerms = marker.length <= MAX_REPEATED ? marker : ''
  return marker
}

function formatDefinitionMarker(terms: readonly string[]): string {
  const term = terms.join(', ')
  if (term === '' || /[:：]$/.test(term)) return term && `${term} `
  if (/[.?!。？！…]$/.test(term)) return `${term}\n`
  return /\p{Script=Han}[)）”]?$/u.test(term) ? `${term}：` : `${term}: `
}

function isStandalone(element: DomElement): boolean {
  return isList(element.localName) || element.localName === 'table' || isBlockEnd(element)
}

function isBlockEnd(element: DomElement): boolean {
  return (
    element.localName === 'pre' ||
    isCaption(element.localName) ||
    findHeadingLevel(element) !== undefined
  )
}

function findHeadingLevel(element: DomElement): number | undefined {
  const name = element.localName
  if (/^h[1-6]$/.test(name)) return Number(name[1])
  if (element.getAttribute('role') !== 'heading') return undefined
  return Math.min(6, Math.max(1, Number(element.getAttribute('aria-level')) || 2))
}

function isCaption(name: string): boolean {
  return name === 'caption' || name === 'figcaption'
}

function isList(name: string): boolean {
  return name === 'ul' || name === 'ol' || name === 'dl' || name === 'menu'
}

function isItem(name: string): boolean {
  return name === 'li' || name === 'dt' || name === 'dd'
}

function splitParagraphs(text: string): string[] {
  return text
    .replace(/[ \u00a0]+/g, ' ')
    .split(/\n *(?:\n *)+/)
    .map(paragraph => paragraph.replace(/ *\n */g, '\n').trim())
}
