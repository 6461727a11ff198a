import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { createTemporaryName, reserveSpace } from '../../system/disk.ts'
import { parseOwnJson } from '../../system/own-json.ts'
import { findOcrPackages } from '../parse/ocr/ocr-packages.ts'
import type { PageSize } from '../parse/ocr/page-png.ts'
import type { Parser } from '../parse/parser.ts'
import { PAGE_PNG, PAGE_SIZE } from '../parse/parsers/page-picture.ts'
import { type ContentStore, PAGE_PICTURES } from './contents/content.ts'

type PagedFile = { readonly sha256: string; readonly name: string; readonly mediaType: string }

/** Pixels. Protects memory. */
export const MAX_PICTURE_WIDTH = 2_400

/** Widths are rounded up, so that windows of all sizes share few pictures. */
const WIDTHS = [200, 400, 800, 1_200, 1_600, 2_000, MAX_PICTURE_WIDTH]

/** Per content, at 50 to 500 KB each, so that they take at most 100 MB. */
const MAX_STORED = 200

const DRAWABLE = /^(?:application\/pdf|image\/(?:png|jpeg|tiff|webp|gif))$/

export function isDrawable(mediaType: string): boolean {
  const { pdfium, sharp } = findOcrPackages()
  return (
    DRAWABLE.test(mediaType) &&
    sharp !== undefined &&
    (mediaType !== 'application/pdf' || pdfium !== undefined)
  )
}

export class PagePictures {
  readonly #content: ContentStore
  readonly #drawer: Parser
  readonly #running = new Map<string, Promise<void>>()

  /** `drawer` is `pagePictureParser`, isolated. */
  constructor({ content, drawer }: { readonly content: ContentStore; readonly drawer: Parser }) {
    this.#content = content
    this.#drawer = drawer
  }

  /** Returns a PNG of at least this width. Throws `unsupported_format`. */
  async draw(file: PagedFile, page: number, width: number, signal?: AbortSignal): Promise<string> {
    const wide = WIDTHS.find(step => step >= width) ?? MAX_PICTURE_WIDTH
    const target = path.join(this.#getFolder(file), `${page}-${wide}.png`)
    if (!existsSync(target))
      await this.#shareDrawing(target, () => this.#make(file, { page, width: wide }, signal))
    return target
  }

  async readSize(file: PagedFile, page: number, signal?: AbortSignal): Promise<PageSize> {
    const target = path.join(this.#getFolder(file), `${page}.json`)
    if (!existsSync(target))
      await this.#shareDrawing(target, () => this.#make(file, { page }, signal))
    return parseOwnJson<PageSize>(await readFile(target, 'utf8'))
  }

  #getFolder({ sha256 }: PagedFile): string {
    return path.join(this.#content.getFolder(sha256), PAGE_PICTURES)
  }

  /** Shares another caller's drawing; draws itself if that one is aborted. */
  async #shareDrawing(target: string, make: () => Promise<void>): Promise<void> {
    const started = this.#running.get(target)
    if (started) await started.catch(() => {})
    if (existsSync(target)) return
    const making = make()
    this.#running.set(target, making)
    try {
      await making
    } finally {
      if (this.#running.get(target) === making) this.#running.delete(target)
    }
  }

  async #make(
    file: PagedFile,
    drawing: { page: number; width?: number },
    signal?: AbortSignal,
  ): Promise<void> {
    const { sha256, name, mediaType } = file
    if (!isDrawable(mediaType)) throw createUndrawableError(file)
    const folder = this.#getFolder(file)
    await this.#content.download(sha256, 'original', signal)
    await mkdir(folder, { recursive: true })
    reserveSpace(folder, 0)
    const attachmentsFolder = createTemporaryName(path.join(folder, 'drawing'))
    const input = {
      path: this.#content.getOriginalPath(sha256),
      name,
      mediaType,
      drawing,
      attachmentsFolder,
    }
    try {
      for await (const _ of this.#drawer.parse(input, signal)); // it writes to the folder
      const { page, width } = drawing
      await rename(path.join(attachmentsFolder, PAGE_SIZE), path.join(folder, `${page}.json`))
      if (width)
        await rename(
          path.join(attachmentsFolder, PAGE_PNG),
          path.join(folder, `${page}-${width}.png`),
        )
    } finally {
      await rm(attachmentsFolder, { recursive: true, force: true })
    }
    await dropOldest(folder)
  }
}

/** Readers are likely done with the oldest. */
async function dropOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.png'))
  if (names.length <= MAX_STORED) return
  const pictures = names.map(name => path.join(folder, name))
  const aged = await Promise.all(
    pictures.map(async file => ({ file, ms: await readModifiedMs(file) })),
  )
  const oldest = aged.toSorted((a, b) => a.ms - b.ms).slice(0, names.length - MAX_STORED)
  for (const { file } of oldest) await rm(file, { force: true })
}

async function readModifiedMs(file: string): Promise<number> {
  return await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}

function createUndrawableError({ name, mediaType }: PagedFile): AppError {
  if (!DRAWABLE.test(mediaType)) {
    return new AppError(
      'unsupported_format',
      localizable`There are no pictures of the pages of ${name}: ${mediaType} is text.`,
    )
  }
  const advice = 'Install Passim without --omit=optional, or run npm install @hyzyla/pdfium sharp.'
  return new AppError(
    'unsupported_format',
    localizable`The pages of ${name} cannot be drawn here.`,
    {
      advice,
    },
  )
}
