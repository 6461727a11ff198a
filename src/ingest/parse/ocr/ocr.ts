import type { Box } from '../../block.ts'
import type { Raster } from './raster.ts'

/** A line of text as an engine reads it; a wide gap, as between columns, parts two lines. */
export type OcrLine = {
  readonly text: string
  /** Place in pixels of the picture. */
  readonly box: Box
  /** Size of the text in pixels, about the distance between the feet of `g` and the top of `l`. */
  readonly size: number
  /** 0 to 1. Engines differ in how sure they say they are. */
  readonly confidence: number
}

/** Reads a picture whose text stands upright and level. */
export interface OcrEngine {
  readonly name: 'tesseract' | 'pp-ocr'
  /** The lines in no particular order. */
  read(raster: Raster, signal?: AbortSignal): Promise<readonly OcrLine[]>
  close(): Promise<void>
}

/** Mean confidence below which the text may differ from the picture. */
const UNSURE = { tesseract: 0.75, 'pp-ocr': 0.85 }

/** Returns whether readers should compare the text with the original. */
export function isUnsure({
  engine,
  confidence,
}: {
  readonly engine: OcrEngine['name']
  readonly confidence: number
}) {
  return confidence < UNSURE[engine]
}
