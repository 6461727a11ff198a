import { readFile } from 'node:fs/promises'
import { importOptional } from './ocr-packages.ts'
import type { Raster } from './raster.ts'

type PdfiumModule = { PDFiumLibrary: { init(): Promise<Library> } }
type Library = {
  loadDocument(bytes: Uint8Array, password?: string): Promise<Document>
  destroy(): void
}
type Document = { getPage(index: number): Page; getPageCount(): number; destroy(): void }
type Page = {
  getOriginalSize(): { originalWidth: number; originalHeight: number }
  render(options: RenderOptions): Promise<{ data: Uint8Array; width: number; height: number }>
}
type RenderOptions = {
  readonly width: number
  readonly height: number
  readonly scale: 1
  readonly colorSpace: 'Gray' | 'BGRA'
  readonly render: 'bitmap'
}

type PixelSize = { readonly width: number; readonly height: number }

/** 200 dpi, so that text of 10 points is 28 pixels high, as the model likes it. */
const SCALE = 200 / 72
/** Pixels, so that a poster does not fill the memory; stamps are enlarged. */
const MAX_SIDE = 3000
const MIN_SIDE = 1000

export class PdfPictures {
  readonly #library: Library
  readonly #document: Document

  private constructor(library: Library, document: Document) {
    this.#library = library
    this.#document = document
  }

  static async open(from: string | Uint8Array, password?: string): Promise<PdfPictures> {
    const { PDFiumLibrary } = await importOptional<PdfiumModule>('@hyzyla/pdfium')
    const bytes = typeof from === 'string' ? await readFile(from) : from
    const library = await PDFiumLibrary.init()
    try {
      return new PdfPictures(library, await library.loadDocument(bytes, password))
    } catch (error) {
      library.destroy()
      throw error
    }
  }

  /** Returns points, as shown. `page` counts from 1. */
  getPageSize(page: number): { readonly width: number; readonly height: number } {
    const { originalWidth: width, originalHeight: height } = this.#document
      .getPage(page - 1)
      .getOriginalSize()
    return { width, height }
  }

  /** Draws as shown. `page` counts from 1. */
  async draw(
    page: number,
    size: { readonly width: number; readonly height: number },
  ): Promise<Raster> {
    const longest = Math.max(size.width, size.height)
    const scale = Math.min(MAX_SIDE, Math.max(MIN_SIDE, longest * SCALE)) / longest
    const scaleSide = (side: number) => Math.max(1, Math.round(side * scale))
    const width = scaleSide(size.width)
    const height = scaleSide(size.height)
    const options: RenderOptions = { width, height, scale: 1, colorSpace: 'Gray', render: 'bitmap' }
    const { data } = await this.#document.getPage(page - 1).render(options)
    return { width, height, pixels: data }
  }

  /** Returns red, green, blue and opacity of each pixel. */
  async drawInColor(page: number, { width, height }: PixelSize): Promise<Uint8Array> {
    const options: RenderOptions = { width, height, scale: 1, colorSpace: 'BGRA', render: 'bitmap' }
    const { data } = await this.#document.getPage(page - 1).render(options)
    return data
  }

  get pages(): number {
    return this.#document.getPageCount()
  }

  close(): void {
    this.#document.destroy()
    this.#library.destroy()
  }
}
