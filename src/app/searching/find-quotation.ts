import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { PlacedBlock } from '../../ingest/block.ts'
import type { Library } from '../../ingest/store/library.ts'
import { cutPieces, type Piece } from '../../search/quotations/pieces.ts'
import { type QuotationPlace, QuotationSearch } from '../../search/quotations/quotation-search.ts'
import type { Searcher } from '../../search/searcher.ts'
import { isDataUri, parseDataUri } from '../../system/data-uri.ts'
import type { FindJson } from '../../wire/find.ts'
import type { Scope } from '../documents/scope.ts'
import type { ParseFile, ParseOptions } from '../indexing/parse-file.ts'

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
/** Share of a sample of lines, because some of them, such as disclaimers, stand on many pages. */
const MIN_CLEAR = 0.75
/** Share by which a sample tells a page from all others. */
const CLEAR_LEAD = 0.25

type ScopedQuery = { readonly collectionIds: readonly string[]; readonly limit: number }

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
    const query = { collectionIds: await this.#listCollectionIds(collections), limit }
    const found =
      text === undefined
        ? await this.#findFile(file ?? '', query, signal)
        : await this.#findText(text, query, signal)
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

  async #findText(
    text: string,
    query: ScopedQuery,
    signal?: AbortSignal,
  ): Promise<readonly QuotationPlace[]> {
    if (text.length > MAX_QUOTATION_CHARS)
      throw new AppError(
        'invalid_input',
        localizable`The quotation has ${text.length} characters; give at most ${MAX_QUOTATION_CHARS}, such as a few sentences of it.`,
        { about: text },
      )
    const pieces = cutPieces([text])
    if (countLetters(pieces) < MIN_LETTERS)
      throw new AppError(
        'invalid_input',
        localizable`The quotation is too short: give at least ${MIN_LETTERS} letters or digits.`,
        { about: text },
      )
    const matching = { pieces, minSimilarity: MIN_QUOTATION_SHARE, isOnePage: false }
    return await this.#search.find({ ...query, ...matching }, signal)
  }

  async #findFile(
    file: string,
    query: ScopedQuery,
    signal?: AbortSignal,
  ): Promise<readonly QuotationPlace[]> {
    const places = await withPath(file, this.#deps.maxBytes, async path => {
      const find = async (isSample: boolean) => {
        const { pieces, isWhole } = await this.#readPieces(path, { isSample, signal })
        if (countLetters(pieces) < MIN_LETTERS) return { isWhole }
        const matching = { pieces, minSimilarity: computePictureShare(pieces), isOnePage: true }
        const limit = Math.max(2, query.limit)
        const places = await this.#search.find({ ...query, ...matching, limit }, signal)
        return { isWhole, places }
      }
      const first = await find(true)
      return first.isWhole || isClear(first.places) ? first.places : (await find(false)).places
    })
    if (places) return places.slice(0, query.limit)
    throw new AppError(
      'no_text',
      localizable`No text was found in ${isDataUri(file) ? 'the picture' : file}.`,
    )
  }

  async #readPieces(file: string, options: ParseOptions) {
    return await this.#deps.parseFile.run(file, options, async ({ pages }, blocks) => {
      const lines: string[] = []
      let remainingChars = MAX_QUOTATION_CHARS
      for await (const line of readLines(blocks)) {
        if (line !== '') lines.push(line.slice(0, remainingChars))
        remainingChars -= line.length
        if (remainingChars <= 0) break
      }
      return {
        pieces: cutPieces(lines, MAX_FILE_LETTERS),
        isWhole: !pages.some(({ isSample }) => isSample),
      }
    })
  }
}

/** A reader orders the cells of a row as it finds them. */
async function* readLines(blocks: AsyncIterable<PlacedBlock>): AsyncIterable<string> {
  for await (const { text, lines, rows } of blocks) {
    if (rows) yield* rows.flat()
    else yield* lines?.map(({ start, end }) => text.slice(start, end)) ?? [text]
  }
}

/** Writes a data URI into a file while `use` runs. */
async function withPath<Result>(
  file: string,
  maxBytes: number,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  if (!isDataUri(file)) return await use(file)
  const { name, bytes } = parseDataUri(file, maxBytes)
  const folder = await mkdtemp(path.join(tmpdir(), 'passim-'))
  try {
    const written = path.join(folder, name)
    await writeFile(written, bytes)
    return await use(written)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function isClear(places: readonly QuotationPlace[] = []): boolean {
  const [best, other] = places
  const second = Math.max(best?.nextSimilarity ?? 0, other?.similarity ?? 0)
  return best !== undefined && best.similarity >= Math.max(MIN_CLEAR, second + CLEAR_LEAD)
}

function computePictureShare(pieces: readonly Piece[]): number {
  const shareOfTwo = (2 * MAX_FILE_LETTERS) / countLetters(pieces)
  return Math.max(MIN_PICTURE_SHARE, Math.min(MIN_SHORT_PICTURE_SHARE, shareOfTwo))
}

function countLetters(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { letters }) => sum + letters.length, 0)
}
