import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { PlacedBlock } from '../../ingest/block.ts'
import type { Library } from '../../ingest/store/library.ts'
import { cutPieces, type Piece } from '../../search/quotations/pieces.ts'
import { QuotationSearch } from '../../search/quotations/quotation-search.ts'
import type { Searcher } from '../../search/searcher.ts'
import { isDataUri, parseDataUri } from '../../system/data-uri.ts'
import type { FindJson } from '../../wire/find.ts'
import type { Scope } from '../documents/scope.ts'
import type { ParseFile } from '../indexing/parse-file.ts'

export type FindOptions = {
  /** Quotation to find; or `file`. */
  readonly text?: string | undefined
  /** Path or data URI of a picture of a page, or of another file with text. */
  readonly file?: string | undefined
  /** Names or ids; by default all collections. */
  readonly collections?: readonly string[] | undefined
  readonly limit?: number | undefined
  readonly signal?: AbortSignal | undefined
}

const DEFAULT_PLACES = 5
export const MAX_PLACES = 100
/** Several pages; a few sentences of more find it. */
export const MAX_QUOTATION_CHARS = 20_000
/** Fewer letters or digits stand in every text. */
const MIN_LETTERS = 6

/** Slips, lost line ends and words left out change fewer letters (bench/find.ts). */
const MIN_QUOTATION_SHARE = 0.75
/** OCR loses lines. Of 146 pages none shared over .16 with another text. */
const MIN_PICTURE_SHARE = 0.3
/** A heading may be nearly half of a short one. */
const MIN_SHORT_PICTURE_SHARE = 0.5
/** Letters of a piece of a file, of which OCR may join lines across columns. */
const MAX_FILE_LETTERS = 32

type FindDeps = {
  readonly scope: Scope
  readonly searcher: Searcher
  readonly library: Library
  readonly parseFile: Pick<ParseFile, 'run'>
  readonly maxBytes: number
  readonly listCollections: () => Promise<readonly { readonly id: string }[]>
}

export class FindQuotation {
  readonly #deps: FindDeps
  readonly #search: QuotationSearch

  constructor(deps: FindDeps) {
    this.#deps = deps
    this.#search = new QuotationSearch(deps)
  }

  /** Throws `invalid_input` without enough text, `no_text` for a picture without any. */
  async run({
    text,
    file,
    collections,
    limit = DEFAULT_PLACES,
    signal,
  }: FindOptions): Promise<FindJson> {
    const started = performance.now()
    if (text === undefined && file === undefined)
      throw new AppError('invalid_input', 'Give a quotation or a file.')
    if (text !== undefined && file !== undefined)
      throw new AppError('invalid_input', 'Give a quotation or a file, not both.')
    if (!(limit >= 1 && limit <= MAX_PLACES))
      throw new AppError(
        'invalid_input',
        localizable`${limit} places: choose 1 to ${MAX_PLACES}.`,
        {
          about: limit,
        },
      )
    const lines = text === undefined ? await this.#readLines(file ?? '', signal) : [text]
    const maxLetters = file === undefined ? undefined : MAX_FILE_LETTERS
    const pieces = cutPieces(requireSize(lines, file), maxLetters)
    requireLetters(pieces, { text, file })
    const found = await this.#search.find(
      {
        pieces,
        collectionIds: await this.#listCollectionIds(collections),
        minSimilarity: file === undefined ? MIN_QUOTATION_SHARE : computePictureShare(pieces),
        isOnePage: file !== undefined,
        limit,
      },
      signal,
    )
    const places = await Promise.all(
      found.map(async ({ hit, charStart, charEnd, similarity, page, place }) => ({
        documentId: hit.documentId,
        source: hit.source,
        doc: hit.name,
        title: hit.title,
        headings: place.headings,
        ...(page !== undefined && { page }),
        ...(place.pages && { pages: place.pages }),
        charStart,
        charEnd,
        text: await this.#deps.library.read(hit.documentId, charStart, charEnd),
        similarity: Number(similarity.toFixed(3)),
        boxes: place.boxes,
      })),
    )
    return { places, seconds: (performance.now() - started) / 1000 }
  }

  async #listCollectionIds(names: readonly string[] | undefined): Promise<readonly string[]> {
    const collections = names?.length
      ? await this.#deps.scope.findCollections(names)
      : await this.#deps.listCollections()
    return collections.map(({ id }) => id)
  }

  async #readLines(file: string, signal?: AbortSignal): Promise<readonly string[]> {
    if (!isDataUri(file)) return await this.#parseLines(file, signal)
    const { name, bytes } = parseDataUri(file, this.#deps.maxBytes)
    const folder = await mkdtemp(path.join(tmpdir(), 'passim-'))
    try {
      const written = path.join(folder, name)
      await writeFile(written, bytes)
      return await this.#parseLines(written, signal)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async #parseLines(file: string, signal?: AbortSignal): Promise<readonly string[]> {
    return await this.#deps.parseFile.run(file, { signal }, async (_, blocks) => {
      const lines: string[] = []
      let length = 0
      for await (const block of blocks) {
        lines.push(...listLines(block))
        length += block.text.length
        if (length >= MAX_QUOTATION_CHARS) break
      }
      return lines
    })
  }
}

/** A reader orders the cells of a row as it finds them. */
function listLines({ text, lines, rows }: PlacedBlock): readonly string[] {
  if (rows) return rows.flat()
  return lines?.map(({ start, end }) => text.slice(start, end)) ?? [text]
}

/** Cuts the text of a file; throws for a quotation that is too long. */
function requireSize(lines: readonly string[], file: string | undefined): readonly string[] {
  let remainingChars = MAX_QUOTATION_CHARS
  const clipped = lines.map(line => {
    const part = line.slice(0, Math.max(0, remainingChars))
    remainingChars -= line.length
    return part
  })
  if (remainingChars >= 0 || file !== undefined) return clipped
  throw new AppError(
    'invalid_input',
    localizable`The quotation has ${lines.join('').length} characters; give at most ${MAX_QUOTATION_CHARS}, such as a few sentences of it.`,
    { about: lines[0] },
  )
}

function computePictureShare(pieces: readonly Piece[]): number {
  const shareOfTwo = (2 * MAX_FILE_LETTERS) / countLetters(pieces)
  return Math.max(MIN_PICTURE_SHARE, Math.min(MIN_SHORT_PICTURE_SHARE, shareOfTwo))
}

function countLetters(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { letters }) => sum + letters.length, 0)
}

function requireLetters(
  pieces: readonly Piece[],
  { text, file }: Pick<FindOptions, 'text' | 'file'>,
): void {
  if (countLetters(pieces) >= MIN_LETTERS) return
  throw file === undefined
    ? new AppError(
        'invalid_input',
        localizable`The quotation is too short: give at least ${MIN_LETTERS} letters or digits.`,
        { about: text },
      )
    : new AppError(
        'no_text',
        localizable`No text was found in ${isDataUri(file) ? 'the picture' : file}.`,
      )
}
