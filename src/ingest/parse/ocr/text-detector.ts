import { InferenceSession, Tensor } from 'onnxruntime-node'
import { getFirst, getItem } from '../../../system/items.ts'
import { type Raster, resizeRaster } from './raster.ts'
import { findTextRegions, type TextRegion } from './text-regions.ts'

/** Long side in pixels. Protects memory, which grows with the area (1400: about 500 MiB). */
const MAX_SIDE = 1400
/** Sides are multiples, so that the model can halve them five times. */
const GRID = 32
/** Mean and deviation of ImageNet, on which the model was trained: red, green, blue. */
const MEAN = [0.485, 0.456, 0.406]
const DEVIATION = [0.229, 0.224, 0.225]

/**
 * One thread, so that the same picture gives the same numbers; no arena, so that memory is
 * given back.
 */
export const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  enableCpuMemArena: false,
  enableMemPattern: false,
}

export class TextDetector {
  readonly #session: InferenceSession

  private constructor(session: InferenceSession) {
    this.#session = session
  }

  static async open(modelPath: string): Promise<TextDetector> {
    return new TextDetector(await InferenceSession.create(modelPath, SESSION_OPTIONS))
  }

  async detect(raster: Raster, maxSide = MAX_SIDE): Promise<TextRegion[]> {
    const scale = Math.min(1, maxSide / Math.max(raster.width, raster.height))
    const toGrid = (side: number) => Math.max(GRID, Math.round((side * scale) / GRID) * GRID)
    const width = toGrid(raster.width)
    const height = toGrid(raster.height)
    const { pixels } = resizeRaster(raster, width, height)
    const input = new Float32Array(3 * pixels.length)
    for (const [channel, mean] of MEAN.entries()) {
      const deviation = getItem(DEVIATION, channel)
      for (let index = 0; index < pixels.length; index++)
        input[channel * pixels.length + index] = ((pixels[index] ?? 0) / 255 - mean) / deviation
    }
    const outputs = await this.#session.run({
      [getFirst(this.#session.inputNames)]: new Tensor('float32', input, [1, 3, height, width]),
    })
    const probabilities = getFirst(Object.values(outputs)).data as Float32Array // of a float32 model
    const scaleX = raster.width / width
    const scaleY = raster.height / height
    return findTextRegions(probabilities, width, height).map(region =>
      scaleRegion(region, scaleX, scaleY),
    )
  }

  close(): Promise<void> {
    return this.#session.release()
  }
}

function scaleRegion(
  { x, y, width, height, angle }: TextRegion,
  scaleX: number,
  scaleY: number,
): TextRegion {
  return { x: x * scaleX, y: y * scaleY, width: width * scaleX, height: height * scaleY, angle }
}
