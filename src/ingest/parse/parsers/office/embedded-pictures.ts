import { localizable, type Sentence, withMessage } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import type { Block } from '../../../block.ts'
import type { ZipArchive } from '../../detection/zip.ts'
import { findOcrProblem, OCR_OFF, type OcrProblem } from '../../ocr/availability.ts'
import { isPartlyUnread, isUnsure } from '../../ocr/ocr.ts'
import { OCR_TIME_SPENT, PictureBudget } from '../../ocr/picture-budget.ts'
import { openPicture } from '../../ocr/picture-file.ts'
import { PictureReader } from '../../ocr/picture-reader.ts'
import type { ParserEvent, ParserInput } from '../../parser.ts'
import { toAnyBlockEvents } from '../block-events.ts'
import { layOutOcrPage } from '../ocr-page.ts'
import { buildProfile } from '../pdf/profile.ts'
import { buildPageBlocks } from '../pdf/structure.ts'

/** Characters beside a picture, so that a stamp or a page number does not hide a scan. */
const LITTLE_TEXT = 20
/** Pixels of a side, so that ornaments are not read. */
const MIN_SIDE = 32
/** Per document. Protects its time. */
const MAX_PICTURES = 2_000

type PictureGroup = {
  readonly place: string
  readonly page?: number
  readonly characters: number
  /** Undefined for a missing picture. */
  readonly pictures: readonly Picture[]
}

export type Picture = () => Promise<Buffer | undefined>

export class EmbeddedPictures {
  readonly #input: ParserInput
  readonly #problem: OcrProblem | undefined
  readonly #reader: PictureReader | undefined
  #count = 0

  constructor(input: ParserInput) {
    this.#input = input
    const { ocr } = input
    this.#problem = !ocr || ocr.mode === 'off' ? OCR_OFF : findOcrProblem()
    if (ocr && !this.#problem) this.#reader = new PictureReader(new PictureBudget(input, 'picture'))
  }

  async *read(group: PictureGroup, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
    if (group.pictures.length === 0 || !(isAlone(group) || this.#input.ocr?.mode === 'always'))
      return
    if (!this.#reader) {
      yield { type: 'ocr', page: group.page ?? 1, state: 'skipped' }
      return yield buildWarning(
        'no_text',
        this.#problem
          ? localizable`${group.place} is pictures without text. ${this.#problem.message}`
          : localizable`${group.place} is pictures without text.`,
        group,
        this.#problem?.advice,
      )
    }
    let blocks = 0
    for await (const event of this.#readAll(group, signal)) {
      if (event.type === 'block') blocks++
      yield event
    }
    if (isAlone(group) && blocks === 0)
      yield buildWarning('no_text', localizable`OCR found no text in ${group.place}.`, group)
  }

  createEmptyError(): AppError {
    const reason = this.#problem?.message ?? 'OCR found no text.'
    return new AppError(
      'no_text',
      localizable`${this.#input.name} contains no text except in pictures. ${reason}`,
      { advice: this.#problem?.advice },
    )
  }

  async close(): Promise<void> {
    await this.#reader?.close()
  }

  async *#readAll(group: PictureGroup, signal?: AbortSignal): AsyncGenerator<ParserEvent> {
    for (const open of group.pictures) {
      if (this.#reader?.isSpent) {
        const { message, advice } = OCR_TIME_SPENT
        const warningMessage = localizable`${group.place}: other pictures were not read. ${message}`
        return yield buildWarning('too_large', warningMessage, group, advice)
      }
      if (++this.#count > MAX_PICTURES)
        return yield buildWarning(
          'too_large',
          localizable`Only ${MAX_PICTURES} pictures are read.`,
          group,
        )
      const page = group.page ?? this.#count
      yield { type: 'ocr', page, state: 'started' }
      const events = await this.#readOne(open, group, signal)
      yield { type: 'ocr', page, state: 'done' }
      yield* events
    }
  }

  async #readOne(
    open: Picture,
    group: PictureGroup,
    signal?: AbortSignal,
  ): Promise<readonly ParserEvent[]> {
    try {
      const bytes = await open()
      if (!bytes) return []
      const { raster, size } = await this.#reader!.draw(() => openPicture(bytes, this.#input.name))
      if (Math.min(raster.width, raster.height) < MIN_SIDE) return []
      const reading = await this.#reader!.read(raster, signal)
      const content = layOutOcrPage(1, reading, size)
      const { blocks } = buildPageBlocks(content, { profile: buildProfile([content], new Map()) })
      const events = blocks.map(block => ({
        type: 'block' as const,
        block: removePlaces(block, group.page),
      }))
      if (blocks.length > 0 && !isUnsure(reading) && isPartlyUnread(reading.unreadShare)) {
        const unread = localizable`${group.place}: part of a picture could not be read by OCR.`
        return [...events, buildWarning('low_confidence', unread, group)]
      }
      if (blocks.length === 0 || !isUnsure(reading)) return events
      const sure = Math.round(reading.confidence * 100)
      const message = localizable`${group.place}: a picture was read by OCR, which is only ${sure} % sure of it.`
      return [...events, buildWarning('low_confidence', message, group)]
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof AppError && error.code !== 'corrupt' && error.code !== 'too_large')
        throw error
      const reason = error instanceof Error ? error.message : String(error)
      return [
        buildWarning(
          'corrupt',
          localizable`${group.place}: a picture could not be read (${reason})`,
          group,
        ),
      ]
    }
  }
}

function isAlone({ characters, pictures }: PictureGroup): boolean {
  return characters < LITTLE_TEXT * pictures.length
}

export function findPictures(
  archive: ZipArchive,
  entries: ReadonlySet<string>,
): readonly Picture[] {
  const existingNames = new Set(archive.entryNames)
  return [...entries]
    .filter(entry => existingNames.has(entry))
    .map(entry => () => archive.read(entry))
}

export function countCharacters(text: string): number {
  return text.replace(/\s/g, '').length
}

function removePlaces({ kind, text, level, rows }: Block, page: number | undefined): Block {
  return { kind, text, ...(level && { level }), ...(rows && { rows }), ...(page && { page }) }
}

function buildWarning(
  code: string,
  message: Sentence,
  { page }: PictureGroup,
  advice?: string,
): ParserEvent {
  return {
    type: 'warning',
    warning: withMessage({ code, ...(page && { page }) }, message, advice),
  }
}

/** Emits text, then pictures with almost no text beside them. Throws `no_text`. */
export async function* mergeTextAndPictures(
  blocks: AsyncIterable<Block> | Iterable<Block>,
  pictures: () => readonly Picture[],
  input: ParserInput,
  signal?: AbortSignal,
): AsyncGenerator<ParserEvent> {
  let readable = 0
  let characters = 0
  for await (const event of toAnyBlockEvents(blocks, input.name, signal)) {
    if (event.type === 'block')
      [readable, characters] = [readable + 1, characters + countCharacters(event.block.text)]
    yield event
  }
  const group = { place: input.name, characters, pictures: pictures() }
  if (group.pictures.length === 0) {
    if (readable === 0) throw new AppError('no_text', localizable`${input.name} holds no text.`)
    return
  }
  const reader = new EmbeddedPictures(input)
  try {
    for await (const event of reader.read(group, signal)) {
      if (event.type === 'block') readable++
      yield event
    }
    if (readable === 0) throw reader.createEmptyError()
  } finally {
    await reader.close()
  }
}
