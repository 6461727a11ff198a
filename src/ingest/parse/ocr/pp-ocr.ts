import type { OcrLine } from './ocr.ts'
import { resolveModelFile } from './ocr-packages.ts'
import type { Raster } from './raster.ts'
import type { TextDetector } from './text-detector.ts'
import type { TextRecognizer } from './text-recognizer.ts'
import type { TextRegion } from './text-regions.ts'

/** Confidence of a line, so that specks and parts of pictures are not text. */
const MIN_CONFIDENCE = 0.5
/** Share of a line's ink, so that the marks between words of an unknown script are not text. */
const MAX_UNREAD_OF_LINE = 0.5
/** Size of text per height of its region, so that sizes compare with printed text. */
const REGION_TO_SIZE = 0.75

type ReadRegions = {
  readonly lines: readonly OcrLine[]
  /** Share of the regions' area whose ink gave no characters (0 to 1). */
  readonly unreadShare: number
}

export class PpOcr {
  readonly #detector: TextDetector
  readonly #recognizer: TextRecognizer

  private constructor(detector: TextDetector, recognizer: TextRecognizer) {
    this.#detector = detector
    this.#recognizer = recognizer
  }

  static async open(): Promise<PpOcr> {
    // loaded here, because most processes never read a picture
    const [{ TextDetector }, { TextRecognizer }] = await Promise.all([
      import('./text-detector.ts'),
      import('./text-recognizer.ts'),
    ])
    const detector = await TextDetector.open(resolveModelFile('det.onnx'))
    const recognizer = await TextRecognizer.open(
      resolveModelFile('rec.onnx'),
      resolveModelFile('characters.txt'),
    )
    return new PpOcr(detector, recognizer)
  }

  detect(raster: Raster, maxSide?: number): Promise<readonly TextRegion[]> {
    return this.#detector.detect(raster, maxSide)
  }

  async readRegions(
    raster: Raster,
    regions: readonly TextRegion[],
    signal?: AbortSignal,
  ): Promise<ReadRegions> {
    const lines: OcrLine[] = []
    let area = 0
    let unreadArea = 0
    for (const region of regions) {
      signal?.throwIfAborted()
      const { text, confidence, unreadShare } = await this.#recognizer.recognize(raster, region)
      const size = Math.min(region.width, region.height) * REGION_TO_SIZE
      const isRead =
        text.trim() !== '' && confidence >= MIN_CONFIDENCE && unreadShare <= MAX_UNREAD_OF_LINE
      if (isRead) lines.push({ text: text.trim(), box: toBox(region), size, confidence })
      area += region.width * region.height
      unreadArea += region.width * region.height * (isRead ? unreadShare : 1)
    }
    return { lines, unreadShare: area === 0 ? 0 : unreadArea / area }
  }

  async close(): Promise<void> {
    await Promise.all([this.#detector.close(), this.#recognizer.close()])
  }
}

function toBox({ x, y, width, height, angle }: TextRegion): OcrLine['box'] {
  const sine = Math.abs(Math.sin(angle))
  const cosine = Math.abs(Math.cos(angle))
  const halfWidth = (width * cosine + height * sine) / 2
  const halfHeight = (width * sine + height * cosine) / 2
  return [x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight]
}
