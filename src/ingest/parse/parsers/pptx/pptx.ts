import { localizable, withMessage } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import type { Block } from '../../../block.ts'
import { measureGarbledShare } from '../../detection/garbled.ts'
import {
  createDamagedError,
  type Parser,
  type ParserEvent,
  type ParserInput,
} from '../../parser.ts'
import { SkippedText } from '../../skipped-text.ts'
import { countCharacters, EmbeddedPictures } from '../office/embedded-pictures.ts'
import { isEmbeddedObject, OoxmlPackage, type Relation } from '../office/ooxml.ts'
import { findRelationId } from '../office/xml.ts'
import { findChild, findChildren, findDescendants, type XmlElement } from '../office/xml-tree.ts'
import { type CommentAuthors, readCommentAuthors, readSlideComments } from './comments.ts'
import {
  countPictures,
  countUnread,
  findSlidePictures,
  listFurnitureTexts,
  readSlideBody,
  readSlideTitle,
  readTitleLinks,
  type SlidePart,
} from './slide.ts'

export const pptxParser: Parser = {
  id: 'pptx@13',
  mediaTypes: ['application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  usesOcr: true,
  parse: parsePptx,
}

const PRESENTATION = 'ppt/presentation.xml'

async function* parsePptx(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  const pack = await OoxmlPackage.open(input, signal)
  const pictures = new EmbeddedPictures(input)
  try {
    const presentation = await pack.findMainPart(PRESENTATION)
    const deck = await openDeck(pack, presentation)
    const slides = await listSlideParts(pack, presentation)
    deck.skipped.add('section names', await countSectionNames(pack, presentation))
    yield* pack.emitMetadata(deck.skipped, { pages: slides.length })
    const hidden: number[] = []
    let characters = 0
    const missing = slides.flatMap((target, index) => (target === undefined ? [index + 1] : []))
    if (missing.length > 0) yield buildMissingSlidesWarning(missing, slides.length, input.name)
    for (const [index, target] of slides.entries()) {
      signal?.throwIfAborted()
      if (target === undefined) continue
      const slide = await readSlide(deck, target)
      if (isHidden(slide)) hidden.push(index + 1)
      for await (const event of emitSlide({ slide, page: index + 1, deck }, pictures, signal)) {
        if (event.type === 'block') characters += event.block.text.length
        yield event
      }
    }
    if (characters === 0)
      throw new AppError(
        'no_text',
        localizable`${input.name} has no text on its ${slides.length} slides.`,
      )
    yield* warnOfHiddenSlides(hidden)
    yield* deck.skipped.listWarnings()
  } finally {
    pack.close()
    await pictures.close()
  }
}

type Deck = {
  readonly pack: OoxmlPackage
  readonly authors: CommentAuthors
  readonly skipped: SkippedText
  readonly patterns: Map<string, XmlElement>
  readonly furniture: Set<string>
}

async function openDeck(pack: OoxmlPackage, presentation: string): Promise<Deck> {
  return {
    pack,
    authors: await readCommentAuthors(pack, presentation),
    skipped: new SkippedText(),
    patterns: new Map(),
    furniture: new Set(),
  }
}

async function* emitSlide(
  { slide, page, deck }: { slide: SlidePart; page: number; deck: Deck },
  pictures: EmbeddedPictures,
  signal?: AbortSignal,
): AsyncGenerator<ParserEvent> {
  const texts: string[] = []
  for (const block of await readSlideBlocks(slide, { page, deck })) {
    texts.push(block.text)
    yield { type: 'block', block: { ...block, page } }
  }
  const parts = findSlidePictures(slide).map(part => () => slide.pack.read(part))
  const group = {
    place: `Slide ${page}`,
    page,
    characters: countCharacters(texts.join('')),
    pictures: parts,
  }
  let isNamed = texts.length > 0
  for await (const event of pictures.read(group, signal)) {
    if (event.type === 'block') {
      if (!isNamed)
        yield { type: 'block', block: { kind: 'heading', level: 1, text: `Slide ${page}`, page } }
      isNamed = true
      texts.push(event.block.text)
    }
    yield event
  }
  for (const block of readNewFurniture(slide, deck.furniture))
    yield { type: 'block', block: { ...block, page } }
  const text = texts.join('\n')
  const report = {
    page,
    characters: text.length,
    images: countPictures(slide),
    garbled: measureGarbledShare(text),
  }
  yield { type: 'page', report }
}

async function listSlideParts(
  pack: OoxmlPackage,
  part: string,
): Promise<readonly (string | undefined)[]> {
  const relations = await pack.readRelations(part)
  const list = findChildren(findChild(await pack.readTree(part), 'sldIdLst'), 'sldId')
  return list.map(({ attributes }) => {
    const target = relations.get(findRelationId(attributes) ?? '')?.target
    return target !== undefined && pack.has(target) ? target : undefined
  })
}

async function countSectionNames(pack: OoxmlPackage, part: string): Promise<number> {
  const sections = [...findDescendants(await pack.readTree(part), 'section')]
  return sections.filter(({ attributes }) => attributes.name?.trim()).length
}

async function readSlide(
  { pack, skipped, patterns }: Omit<Deck, 'authors' | 'furniture'>,
  part: string,
): Promise<SlidePart> {
  const tree = (await pack.readTree(part)) ?? { name: '', attributes: {}, children: [] }
  const relations = await pack.readRelations(part)
  skipped.add('embedded objects', [...relations.values()].filter(isEmbeddedObject).length)
  return {
    pack,
    tree,
    relations,
    patterns: await readPatterns({ pack, patterns }, relations),
    skipped,
  }
}

async function readPatterns(
  { pack, patterns }: Pick<Deck, 'pack' | 'patterns'>,
  relations: ReadonlyMap<string, Relation>,
): Promise<readonly XmlElement[]> {
  const found: XmlElement[] = []
  let related = relations
  for (const type of ['slideLayout', 'slideMaster']) {
    const part = [...related.values()].find(relation => relation.type === type)?.target
    const tree = part && (patterns.get(part) ?? (await pack.readTree(part)))
    if (!tree) break
    patterns.set(part, tree)
    found.push(tree)
    related = await pack.readRelations(part)
  }
  return found
}

async function readSlideBlocks(
  slide: SlidePart,
  { page, deck }: { page: number; deck: Deck },
): Promise<readonly Block[]> {
  countUnread(slide)
  const title = readSlideTitle(slide)
  const body: Block[] = []
  for await (const block of readSlideBody(slide)) body.push(block)
  for await (const block of readSlideComments(slide, deck.authors)) body.push(block)
  const notes = await readSlideNotes(slide, deck)
  if (!title && body.length === 0 && notes.length === 0) return []
  const noteHeading: Block[] =
    notes.length > 0 ? [{ kind: 'heading', level: 2, text: 'Notes' }] : []
  return [
    {
      kind: 'heading',
      level: 1,
      text: title ?? `Slide ${page}`,
      ...(title && readTitleLinks(slide)),
    },
    ...body,
    ...noteHeading,
    ...notes,
  ]
}

async function readSlideNotes({ relations }: SlidePart, deck: Deck): Promise<readonly Block[]> {
  const page = [...relations.values()].find(relation => relation.type === 'notesSlide')
  const blocks: Block[] = []
  if (!page) return blocks
  const notes = await readSlide(deck, page.target)
  countUnread(notes)
  for await (const block of readSlideBody(notes)) blocks.push(block)
  blocks.push(...readNewFurniture(notes, deck.furniture))
  return blocks
}

function* readNewFurniture(slide: SlidePart, read: Set<string>): Iterable<Block> {
  for (const text of listFurnitureTexts(slide)) {
    if (!read.has(text)) yield { kind: 'paragraph', text }
    read.add(text)
  }
}

function isHidden({ tree }: SlidePart): boolean {
  return tree.attributes.show === '0' || tree.attributes.show === 'false'
}

/** Throws `corrupt` if no slide is left. */
function buildMissingSlidesWarning(
  missing: readonly number[],
  count: number,
  name: string,
): ParserEvent {
  if (missing.length === count) {
    throw createDamagedError(name, localizable`none of the ${count} slides that it lists is in it`)
  }
  const message = localizable`Slides that the presentation lists are not in it: ${missing.join(', ')}.`
  return { type: 'warning', warning: withMessage({ code: 'missing_parts' }, message) }
}

export function* warnOfHiddenSlides(pages: readonly number[]): Iterable<ParserEvent> {
  if (pages.length === 0) return
  const message = localizable`Hidden when the presentation is shown, but read: slides ${pages.join(', ')}.`
  yield { type: 'warning', warning: withMessage({ code: 'hidden_slides' }, message) }
}
