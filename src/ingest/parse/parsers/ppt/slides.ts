import type { Block } from '../../../block.ts'
import { hasWords, type SkippedKind, type SkippedText } from '../../skipped-text.ts'
import { countNumberedTexts } from './list-numbers.ts'
import type { Page, Presentation } from './presentation.ts'
import { type PptRecord, RECORD } from './records.ts'
import { listFlat, listOrdered, readShapes, readTable, type Shape } from './shapes.ts'
import type { PptText } from './text.ts'

/** Placeholders ([MS-PPT] 2.13.22): titles, and what says the same on every slide. */
const TITLES = new Set([13, 15, 17])
const FURNITURE = new Set([5, 7, 8, 9, 10, 11])
/** Flags of a slide ([MS-PPT] 2.5.10) and of its place in the show (2.5.3). */
const SHOWS_MASTER = 1
const HIDDEN = 4
/** Headers and footers ([MS-PPT] 2.4.15.1), and the flags that show them. */
const FURNITURE_FLAGS = [0x04, 0x10, 0x20]
const COMMENT_TAG = '___PPT10'
/** Embedded objects by kind ([MS-PPT] 2.13.25). */
const OBJECT_KINDS: Readonly<Record<number, SkippedKind>> = {
  4: 'charts',
  6: 'formulas',
  14: 'charts',
}

type ReadSlide = {
  readonly page: number
  readonly blocks: readonly Block[]
  readonly pictures: number
}

export class SlideReader {
  readonly #presentation: Presentation
  readonly #skipped: SkippedText
  readonly #objects: ReadonlyMap<number, SkippedKind>
  /** Read where they come first. */
  readonly #furniture = new Set<string>()
  readonly #masterTexts = new Map<number, readonly string[]>()
  readonly hidden: number[] = []

  constructor(presentation: Presentation, skipped: SkippedText) {
    this.#presentation = presentation
    this.#skipped = skipped
    this.#objects = this.#listObjects()
    const { records, document } = presentation
    const tags = records.find(document, RECORD.documentTags)
    skipped.add('list numbers', countNumberedTexts(records, tags))
  }

  *read(): Iterable<ReadSlide> {
    for (const [index, slide] of this.#presentation.slides.entries())
      yield this.#read(slide, index + 1)
  }

  #read(slide: Page, page: number): ReadSlide {
    const { records } = this.#presentation
    if (this.#isHidden(slide.record)) this.hidden.push(page)
    const body = new PageBody(slide, readShapes(records, slide.record))
    const facts = records.find(slide.record, RECORD.slideFacts)
    const [master = 0, notes = 0, flags = 0] = facts ? this.#readFacts(facts) : []
    const pictures = this.#countObjects(body.shapes)
    const title = body.takeTitle()
    const texts = [...this.#readBody(body), ...this.#readComments(slide.record)]
    const noteBlocks = this.#readNotes(this.#presentation.notes.get(notes))
    const isEmpty = !title && texts.length + noteBlocks.length === 0
    const blocks: Block[] = [
      { kind: 'heading', level: 1, text: title || `Slide ${page}` },
      ...texts,
      ...noteBlocks,
      ...this.#readFurniture(slide.record, flags & SHOWS_MASTER ? master : 0),
    ]
    return { page, blocks: isEmpty && blocks.length === 1 ? [] : blocks, pictures }
  }

  /** Returns the numbers of master and notes, and flags ([MS-PPT] 2.5.10). */
  #readFacts(facts: PptRecord): readonly number[] {
    const bytes = this.#presentation.records.read(facts, 24)
    return [bytes.readUInt32LE(12), bytes.readUInt32LE(16), bytes.readUInt16LE(20)]
  }

  #isHidden(slide: PptRecord): boolean {
    const { records } = this.#presentation
    const show = records.find(slide, RECORD.slideShow)
    return show !== undefined && (records.read(show, 12).readUInt16LE(10) & HIDDEN) !== 0
  }

  *#readBody(body: PageBody): Iterable<Block> {
    for (const shape of listOrdered(body.shapes)) {
      if (shape.isTable) yield* readTable(shape)
      else if (!FURNITURE.has(shape.placeholder)) {
        const text = body.takeText(shape)
        if (text) yield* text.toBlocks()
        if (shape.wordArt) yield { kind: 'paragraph', text: shape.wordArt }
      }
    }
    for (const text of body.listLeftTexts()) yield* text.toBlocks()
  }

  #readNotes(notes: Page | undefined): readonly Block[] {
    if (!notes) return []
    const body = new PageBody(notes, readShapes(this.#presentation.records, notes.record))
    this.#countObjects(body.shapes)
    const blocks = [...this.#readBody(body), ...this.#readComments(notes.record)]
    return blocks.length > 0 ? [{ kind: 'heading', level: 2, text: 'Notes' }, ...blocks] : []
  }

  /** PowerPoint 2002 and 2003: author, text, initials. */
  *#readComments(page: PptRecord): Iterable<Block> {
    const { records } = this.#presentation
    for (const comment of records.listTagged(page, COMMENT_TAG)) {
      if (comment.type !== RECORD.comment) continue
      const strings = records.listChildren(comment, RECORD.string)
      const read = (instance: number) => {
        const found = strings.find(string => string.instance === instance)
        return found ? records.readWide(found).replace(/\s+/g, ' ').trim() : ''
      }
      const [author, text] = [read(0), read(1)]
      if (text) yield { kind: 'paragraph', text: `Comment${author && ` by ${author}`}: ${text}` }
    }
  }

  /** Reads only what no slide had before. */
  *#readFurniture(slide: PptRecord, master: number): Iterable<Block> {
    const { document } = this.#presentation
    const texts = [
      ...this.#listPrinted(slide),
      ...(document ? this.#listPrinted(document) : []),
      ...this.#listMasterTexts(master),
    ]
    for (const text of texts) {
      if (!this.#furniture.has(text)) yield { kind: 'paragraph', text }
      this.#furniture.add(text)
    }
  }

  #listPrinted(page: PptRecord): readonly string[] {
    const { records } = this.#presentation
    return records.listChildren(page, RECORD.headersFooters).flatMap(printed => {
      const facts = records.find(printed, RECORD.headersFootersFacts)
      const flags = facts ? records.read(facts, 4).readUInt16LE(2) : 0
      return records
        .listChildren(printed, RECORD.string)
        .filter(({ instance }) => flags & (FURNITURE_FLAGS[instance] ?? 0))
        .map(string => records.readWide(string).replace(/\s+/g, ' ').trim())
        .filter(Boolean)
    })
  }

  #listMasterTexts(number: number): readonly string[] {
    const cached = this.#masterTexts.get(number)
    if (cached) return cached
    this.#masterTexts.set(number, []) // ends a circle
    const { records, masters } = this.#presentation
    const master = masters.get(number)
    if (!master) return []
    const facts = records.find(master.record, RECORD.slideFacts)
    const [base = 0] = master.record.type === RECORD.slide && facts ? this.#readFacts(facts) : []
    const shapes = [...listFlat(readShapes(records, master.record))]
    const own = shapes
      .filter(({ placeholder }) => placeholder === 0)
      .flatMap(({ text, wordArt }) => [text?.toLine() ?? '', wordArt])
      .filter(Boolean)
    const texts = [...own, ...this.#listMasterTexts(base)]
    this.#masterTexts.set(number, texts)
    return texts
  }

  #listObjects(): ReadonlyMap<number, SkippedKind> {
    const { records, document } = this.#presentation
    const { embeddedObject, linkedObject, control } = RECORD
    const list = records.find(document, RECORD.objects)
    const objects = records.listChildren(list, embeddedObject, linkedObject, control)
    return new Map(
      objects.flatMap(object => {
        const facts = records.find(object, RECORD.objectFacts)
        if (!facts) return []
        const bytes = records.read(facts, 16)
        const kind = OBJECT_KINDS[bytes.readUInt32LE(12)] ?? 'embedded objects'
        const skipped = object.type === control ? 'form controls' : kind
        return [[bytes.readUInt32LE(8), skipped] as const]
      }),
    )
  }

  #countObjects(shapes: readonly Shape[]): number {
    let pictures = 0
    for (const { isPicture, object, numberedTexts, description } of listFlat(shapes)) {
      this.#skipped.add('list numbers', numberedTexts)
      this.#skipped.add('text alternatives', hasWords(description) ? 1 : 0)
      const kind = object === undefined ? undefined : this.#objects.get(object)
      if (kind) this.#skipped.add(kind)
      else if (isPicture) pictures++
    }
    this.#skipped.add('pictures', pictures)
    return pictures
  }
}

/** Each text is read once. */
class PageBody {
  readonly shapes: readonly Shape[]
  readonly #outline: readonly PptText[]
  readonly #used = new Set<PptText>()

  constructor({ outline }: Page, shapes: readonly Shape[]) {
    this.shapes = shapes
    this.#outline = outline
  }

  takeTitle(): string {
    const texts = [...listFlat(this.shapes)].flatMap(shape => {
      const text = this.#findText(shape)
      return text && (TITLES.has(shape.placeholder) || text.isTitle) ? [text] : []
    })
    const title = [...texts, ...this.#outline.filter(text => text.isTitle)].find(text =>
      text.toLine(),
    )
    if (title) this.#used.add(title)
    return title?.toLine() ?? ''
  }

  takeText(shape: Shape): PptText | undefined {
    const text = this.#findText(shape)
    if (!text || this.#used.has(text)) return undefined
    this.#used.add(text)
    return text
  }

  listLeftTexts(): readonly PptText[] {
    return this.#outline.filter(text => !this.#used.has(text))
  }

  #findText({ text, outline }: Shape): PptText | undefined {
    return text ?? (outline === undefined ? undefined : this.#outline[outline])
  }
}
