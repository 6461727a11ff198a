import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { PlacedBlock } from '../../ingest/block.ts'
import type { PageSize } from '../../ingest/parse/ocr/page-png.ts'
import type { PageReport, Warning } from '../../ingest/parse/parser.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { Library } from '../../ingest/store/library.ts'
import {
  isDrawable,
  MAX_PICTURE_WIDTH,
  type PagePictures,
} from '../../ingest/store/page-pictures.ts'
import type { FileAdmin } from './file-admin.ts'

export type DocumentPage = {
  readonly page: number
  /** Unit of the boxes; undefined if the page cannot be drawn. */
  readonly size?: PageSize
  readonly text: string
  readonly blocks: readonly PlacedBlock[]
  readonly report?: PageReport
  readonly warnings: readonly Warning[]
}

type BlockStretch = {
  readonly blocks: readonly PlacedBlock[]
  readonly hasMore: boolean
  /** End of the last block, if there are more. */
  readonly last?: number
}

type PagesDeps = {
  readonly library: Library
  readonly files: Pick<FileAdmin, 'get'>
  readonly pictures: PagePictures
}

/** Blocks and UTF-16 units per response, so that it stays below some 500 KB. */
const MAX_BLOCKS = 500
const MAX_CHARS = 100_000

export class Pages {
  readonly #deps: PagesDeps

  constructor(deps: PagesDeps) {
    this.#deps = deps
  }

  /** Returns the path of a cached PNG. Throws `not_found` and `unsupported_format`. */
  async drawPicture(
    document: Document,
    page: number,
    width: number,
    signal?: AbortSignal,
  ): Promise<string> {
    if (page < 1 || width < 1 || width > MAX_PICTURE_WIDTH) {
      throw new AppError(
        'invalid_input',
        localizable`A page is drawn by its number, from 1, and 1 to ${MAX_PICTURE_WIDTH} pixels wide.`,
      )
    }
    requirePage(document, page)
    return await this.#deps.pictures.draw(await this.#getFile(document), page, width, signal)
  }

  /** Throws `not_found` for a missing page. */
  async read(document: Document, page: number, signal?: AbortSignal): Promise<DocumentPage> {
    requirePage(document, page)
    const { library, pictures } = this.#deps
    const blocks: PlacedBlock[] = []
    for await (const block of library.readBlocks(document.id, signal)) {
      if (block.page === page) blocks.push(block)
      else if (block.page !== undefined && block.page > page) break
    }
    const { pages } = await library.report(document.id)
    const report = pages.find(report => report.page === page)
    const file = await this.#getFile(document)
    const size = isDrawable(file.mediaType)
      ? await pictures.readSize(file, page, signal)
      : undefined
    return {
      page,
      ...(size && { size }),
      text: blocks.map(block => block.text).join('\n\n'),
      blocks: blocks,
      ...(report && { report }),
      warnings: document.warnings.filter(warning => warning.page === page),
    }
  }

  async readBlocks(
    document: Document,
    from: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<BlockStretch> {
    const blocks: PlacedBlock[] = []
    let characters = 0
    for await (const block of this.#deps.library.readBlocks(document.id, signal)) {
      if (block.charEnd <= from) continue
      if (blocks.length >= Math.min(limit, MAX_BLOCKS) || characters > MAX_CHARS) {
        return { blocks, hasMore: true, last: blocks.at(-1)?.charEnd ?? from }
      }
      blocks.push(block)
      characters += block.text.length
    }
    return { blocks, hasMore: false }
  }

  async #getFile({ fileId, name, mediaType }: Document) {
    return { sha256: (await this.#deps.files.get(fileId)).sha256, name, mediaType }
  }
}

function requirePage({ name, pages }: Document, page: number): void {
  if (pages === undefined) {
    throw new AppError(
      'not_found',
      localizable`${name} has no pages: its format has none, or it is not indexed. Read its text.`,
    )
  }
  if (page < 1 || page > pages)
    throw new AppError('not_found', localizable`${name} has no page ${page}: it has ${pages}.`)
}
