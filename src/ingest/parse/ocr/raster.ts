/** Grey: one byte per pixel, 0 black to 255 white, row by row from the top left. */
export type Raster = {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

const WHITE = 255

export function turnRaster(raster: Raster, quarters: number): Raster {
  const { width, height, pixels } = raster
  if (quarters === 0) return raster
  const turned = new Uint8Array(pixels.length)
  const [across, down] = quarters === 2 ? [width, height] : [height, width]
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      const [fromX, fromY] = locateBeforeTurn(x, y, quarters, width, height)
      turned[y * across + x] = pixels[fromY * width + fromX]!
    }
  }
  return { width: across, height: down, pixels: turned }
}

function locateBeforeTurn(
  x: number,
  y: number,
  quarters: number,
  width: number,
  height: number,
): readonly [number, number] {
  if (quarters === 1) return [y, height - 1 - x]
  return quarters === 2 ? [width - 1 - x, height - 1 - y] : [width - 1 - y, x]
}

/** Turns it back by its lean (radians, clockwise); corners become white. */
export function rotateRaster(raster: Raster, lean: number): Raster {
  const { width, height } = raster
  const sine = Math.sin(lean)
  const cosine = Math.cos(lean)
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const dx = x - width / 2
      const dy = y - height / 2
      pixels[y * width + x] = readShade(
        raster,
        width / 2 + dx * cosine - dy * sine,
        height / 2 + dx * sine + dy * cosine,
      )
    }
  }
  return { width, height, pixels }
}

export function readShade({ width, height, pixels }: Raster, x: number, y: number): number {
  const left = Math.floor(x)
  const top = Math.floor(y)
  if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) {
    return left < -1 || top < -1 || left >= width || top >= height
      ? WHITE
      : readNearestShade(x, y, { width, height, pixels })
  }
  const offset = top * width + left
  const right = x - left
  const below = y - top
  const upper = pixels[offset]! * (1 - right) + pixels[offset + 1]! * right
  const lower = pixels[offset + width]! * (1 - right) + pixels[offset + width + 1]! * right
  return upper * (1 - below) + lower * below
}

function readNearestShade(x: number, y: number, { width, height, pixels }: Raster): number {
  const column = Math.min(width - 1, Math.max(0, Math.round(x)))
  const row = Math.min(height - 1, Math.max(0, Math.round(y)))
  return pixels[row * width + column]!
}

export function resizeRaster(raster: Raster, width: number, height: number): Raster {
  if (width === raster.width && height === raster.height) return raster
  const stepX = raster.width / width
  const stepY = raster.height / height
  const samples = Math.min(4, Math.max(1, Math.ceil(Math.max(stepX, stepY))))
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let sample = 0; sample < samples * samples; sample++) {
        const across = ((sample % samples) + 0.5) / samples
        const down = (Math.floor(sample / samples) + 0.5) / samples
        sum += readShade(raster, (x + across) * stepX - 0.5, (y + down) * stepY - 0.5)
      }
      pixels[y * width + x] = sum / (samples * samples)
    }
  }
  return { width, height, pixels }
}

/** Returns the median, since text covers little of a page. */
export function findPaperShade(pixels: Uint8Array): number {
  const counts = new Uint32Array(256)
  for (const shade of pixels) counts[shade]!++
  let seen = 0
  for (let shade = 0; shade < 255; shade++) {
    seen += counts[shade]!
    if (seen * 2 >= pixels.length) return shade
  }
  return 255
}
