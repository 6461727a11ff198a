import type { Box } from '../../block.ts'
import type { Raster } from './raster.ts'

/** A line as an engine reads it; wide gaps split lines. */
export type OcrLine = {
  readonly text: string
  readonly box: Box
  /** Size of the text in pixels, from the feet of `g` to the top of `l`. */
  readonly size: number
  /** Engines differ in their estimates. */
  readonly confidence: number
}

export interface OcrEngine {
  readonly name: 'tesseract' | 'pp-ocr'
  read(raster: Raster, signal?: AbortSignal): Promise<readonly OcrLine[]>
  close(): Promise<void>
}

/** Mean confidence below which the text may differ from the picture. */
const UNSURE = { tesseract: 0.75, 'pp-ocr': 0.85 }

export function isUnsure({
  engine,
  confidence,
}: {
  readonly engine: OcrEngine['name']
  readonly confidence: number
}) {
  return confidence < UNSURE[engine]
}
