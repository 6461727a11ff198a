import { localizable, withMessage } from '../../../../errors/localizable.ts'
import type { Block } from '../../../block.ts'
import { measureGarbledShare } from '../../detection/garbled.ts'
import type { CompoundFile } from '../../detection/ole2.ts'
import type { Parser, ParserEvent, ParserInput } from '../../parser.ts'
import { SkippedText } from '../../skipped-text.ts'
import { toBlockEvents } from '../block-events.ts'
import { parseCompoundWith } from '../ole2/compound-document.ts'
import { readSummary } from '../ole2/summary.ts'
import { warnOfHiddenSlides } from '../pptx/pptx.ts'
import { openPresentation } from './presentation.ts'
import { SlideReader } from './slides.ts'

/** PowerPoint 97 to 2003: each slide is a page with a heading and the speaker's notes. */
export const pptParser: Parser = {
  id: 'ppt@3',
  mediaTypes: ['application/vnd.ms-powerpoint'],
  parse: parseCompoundWith(readPpt),
}

async function* readPpt(
  compound: CompoundFile,
  input: ParserInput,
  signal?: AbortSignal,
): AsyncGenerator<ParserEvent> {
  const presentation = await openPresentation(compound, input.name)
  const skipped = new SkippedText()
  const count = presentation.slides.length + presentation.missing
  yield { type: 'metadata', metadata: { ...(await readSummary(compound, skipped)), pages: count } }
  const slides = new SlideReader(presentation, skipped)
  const reports: ParserEvent[] = []
  yield* toBlockEvents(readBlocks(slides, reports), input.name, signal)
  yield* reports
  if (presentation.missing > 0) yield buildMissingWarning(presentation.missing, count)
  yield* warnOfHiddenSlides(slides.hidden)
  yield* skipped.listWarnings()
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
  const message = localizable`${missing} of the ${count} slides that the presentation lists are not in it.`
  return { type: 'warning', warning: withMessage({ code: 'missing_parts' }, message) }
}
