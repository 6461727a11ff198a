import { AppError } from '../../../../errors.ts'
import type { Block } from '../../../block.ts'
import { measureGarbledShare } from '../../detection/garbled.ts'
import {
  createDamagedError,
  type Parser,
  type ParserEvent,
  type ParserInput,
} from '../../parser.ts'
import { countCharacters, EmbeddedPictures } from '../office/embedded-pictures.ts'
import { OoxmlPackage } from '../office/ooxml.ts'
import { findRelationId } from '../office/xml.ts'
import { findChild, findChildren } from '../office/xml-tree.ts'
import {
  countPictures,
  findSlidePictures,
  readNotesBlocks,
  readSlideBody,
  readSlideTitle,
  type SlidePart,
} from './slide.ts'

/** PowerPoint files: each slide a page and a heading, with what its speaker noted; slides that are pictures by OCR. */
export const pptxParser: Parser = {
  id: 'pptx@7',
  mediaTypes: ['application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  usesOcr: true,
  parse: parsePptx,
}

const PRESENTATION = 'ppt/presentation.xml'

async function* parsePptx(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  const pack = await OoxmlPackage.open(input, signal)
  const pictures = new EmbeddedPictures(input)
  try {
    const slides = await listSlideParts(pack)
    yield* pack.emitMetadata({ pages: slides.length })
    const hidden: number[] = []
    let characters = 0
    const missing = slides.flatMap((target, index) => (target === undefined ? [index + 1] : []))
    if (missing.length > 0) yield buildMissingSlidesWarning(missing, slides.length, input.name)
    for (const [index, target] of slides.entries()) {
      signal?.throwIfAborted()
      if (target === undefined) continue
      const slide = await readSlide(pack, target)
      if (isHidden(slide)) hidden.push(index + 1)
      for await (const event of emitSlide(slide, index + 1, pictures, signal)) {
        if (event.type === 'block') characters += event.block.text.length
        yield event
      }
    }
    if (characters === 0)
      throw new AppError('no_text', `${input.name} has no text on its ${slides.length} slides.`)
    yield* warnOfHiddenSlides(hidden)
  } finally {
    pack.close()
    await pictures.close()
  }
}

async function* emitSlide(
  slide: SlidePart,
  page: number,
  pictures: EmbeddedPictures,
  signal?: AbortSignal,
): AsyncGenerator<ParserEvent> {
  const texts: string[] = []
  for (const block of await readSlideBlocks(slide, page)) {
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
  const text = texts.join('\n')
  const report = {
    page,
    characters: text.length,
    images: countPictures(slide),
    garbled: measureGarbledShare(text),
  }
  yield { type: 'page', report }
}

/** The parts that hold the slides, in the order in which they are shown; undefined for one that is not there. */
async function listSlideParts(pack: OoxmlPackage): Promise<readonly (string | undefined)[]> {
  const part = await pack.findMainPart(PRESENTATION)
  const relations = await pack.readRelations(part)
  const list = findChildren(findChild(await pack.readTree(part), 'sldIdLst'), 'sldId')
  return list.map(({ attributes }) => {
    const target = relations.get(findRelationId(attributes) ?? '')?.target
    return target !== undefined && pack.has(target) ? target : undefined
  })
}

async function readSlide(pack: OoxmlPackage, part: string): Promise<SlidePart> {
  const tree = (await pack.readTree(part)) ?? { name: '', attributes: {}, children: [] }
  return { pack, tree, relations: await pack.readRelations(part) }
}

/** A slide without a title gets its number for one, or it would seem to go on with the slide before. */
async function readSlideBlocks(slide: SlidePart, page: number): Promise<readonly Block[]> {
  const title = readSlideTitle(slide)
  const body: Block[] = []
  for await (const block of readSlideBody(slide)) body.push(block)
  const notes = await readSlideNotes(slide)
  if (!title && body.length === 0 && notes.length === 0) return []
  const noteHeading: Block[] =
    notes.length > 0 ? [{ kind: 'heading', level: 2, text: 'Notes' }] : []
  return [
    { kind: 'heading', level: 1, text: title ?? `Slide ${page}` },
    ...body,
    ...noteHeading,
    ...notes,
  ]
}

async function readSlideNotes({ pack, relations }: SlidePart): Promise<readonly Block[]> {
  const page = [...relations.values()].find(relation => relation.type === 'notesSlide')
  const tree = await pack.readTree(page?.target)
  return tree ? [...readNotesBlocks(tree)] : []
}

function isHidden({ tree }: SlidePart): boolean {
  return tree.attributes.show === '0' || tree.attributes.show === 'false'
}

/** Throws `corrupt` where none is left. */
function buildMissingSlidesWarning(
  missing: readonly number[],
  count: number,
  name: string,
): ParserEvent {
  if (missing.length === count) {
    throw createDamagedError(name, `none of the ${count} slides that it lists is in it`)
  }
  const message = `Slides that the presentation lists are not in it: ${missing.join(', ')}.`
  return { type: 'warning', warning: { code: 'missing_parts', message } }
}

function* warnOfHiddenSlides(pages: readonly number[]): Iterable<ParserEvent> {
  if (pages.length === 0) return
  const message = `Hidden when the presentation is shown, but read: slides ${pages.join(', ')}.`
  yield { type: 'warning', warning: { code: 'hidden_slides', message } }
}
