import { getSystemCode } from '../../../../errors.ts'
import type { Block } from '../../../block.ts'
import { measureGarbledShare } from '../../detection/garbled.ts'
import { CompoundFile } from '../../detection/ole2.ts'
import {
  createDamagedError,
  type Parser,
  type ParserEvent,
  type ParserInput,
} from '../../parser.ts'
import { SkippedText } from '../../skipped-text.ts'
import { toBlockEvents } from '../block-events.ts'
import { readSummary } from '../ole2/summary.ts'
import { warnOfHiddenSlides } from '../pptx/pptx.ts'
import { openPresentation } from './presentation.ts'
import { SlideReader } from './slides.ts'

/** Thrown outside of the bytes, as a damaged file may ask. */
const BEYOND_BYTES = new Set(['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS'])

/** PowerPoint 97 to 2003: each slide is a page with a heading and the speaker's notes. */
export const pptParser: Parser = {
  id: 'ppt@1',
  mediaTypes: ['application/vnd.ms-powerpoint'],
  parse: parsePpt,
}

async function* parsePpt(input: ParserInput, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
  signal?.throwIfAborted()
  const compound = await CompoundFile.open(input.path, input.name)
  try {
    const presentation = await openPresentation(compound, input.name)
    const count = presentation.slides.length + presentation.missing
    yield { type: 'metadata', metadata: { ...(await readSummary(compound)), pages: count } }
    const skipped = new SkippedText()
    const slides = new SlideReader(presentation, skipped)
    const reports: ParserEvent[] = []
    yield* toBlockEvents(readBlocks(slides, reports), input.name, signal)
    yield* reports
    if (presentation.missing > 0) yield buildMissingWarning(presentation.missing, count)
    yield* warnOfHiddenSlides(slides.hidden)
    yield* skipped.listWarnings()
  } catch (error) {
    if (BEYOND_BYTES.has(getSystemCode(error) ?? ''))
      throw createDamagedError(input.name, 'it is damaged or cut off', error)
    throw error
  } finally {
    await compound.close()
  }
}

function* readBlocks(slides: SlideReader, reports: ParserEvent[]): Iterable<Block> {
  for (const { page, blocks, pictures } of slides.read()) {
    yield* blocks.map(block => ({ ...block, page }))
    const text = blocks.map(block => block.text).join('\n')
    const garbled = measureGarbledShare(text)
    reports.push({
      type: 'page',
      report: { page, characters: text.length, images: pictures, garbled },
    })
  }
}

function buildMissingWarning(missing: number, count: number): ParserEvent {
  const message = `${missing} of the ${count} slides that the presentation lists are not in it.`
  return { type: 'warning', warning: { code: 'missing_parts', message } }
}
