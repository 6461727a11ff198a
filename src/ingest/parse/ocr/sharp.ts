import { importOptional } from './ocr-packages.ts'

type Size = { readonly width: number; readonly height: number }

type InputOptions = {
  readonly limitInputPixels: number
  readonly page?: number
  readonly failOn?: 'error'
}
type RawPixels = { readonly raw: Size & { readonly channels: 1 | 4 } }

type Sharp = {
  (input: string | Buffer, options: InputOptions): SharpPipeline
  (pixels: Uint8Array, options: RawPixels): SharpPipeline
  concurrency(threads: number): void
  cache(isOn: boolean): void
}

export type SharpResize = {
  readonly width: number
  readonly height?: number
  readonly fit: 'inside' | 'fill'
  readonly withoutEnlargement?: boolean
}

/** Used part of sharp, whose package may be absent. */
export type SharpPipeline = {
  metadata(): Promise<{ pages?: number; autoOrient: Size }>
  autoOrient(): SharpPipeline
  extract(part: Size & { readonly left: number; readonly top: number }): SharpPipeline
  flatten(options: { background: string }): SharpPipeline
  toColourspace(space: 'b-w' | 'srgb'): SharpPipeline
  resize(options: SharpResize): SharpPipeline
  raw(): SharpPipeline
  png(options?: { compressionLevel: number; adaptiveFiltering: boolean }): SharpPipeline
  webp(options: { quality: number }): SharpPipeline
  toBuffer(): Promise<Buffer>
  toBuffer(options: { resolveWithObject: true }): Promise<{
    data: Buffer
    info: Size & { channels: number }
  }>
}

/** One thread and no cache, which would outlast a document. */
export async function loadSharp(): Promise<Sharp> {
  const { default: sharp } = await importOptional<{ default: Sharp }>('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
