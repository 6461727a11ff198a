import type { PageViewport, PDFPageProxy } from 'pdfjs-dist'
import type { TextItem } from 'pdfjs-dist/types/src/display/api.js'
import type { Box } from '../../block.ts'
import { type Matrix, multiply } from './matrix.ts'

/** The page as shown, or by a quarter or half turn if most of its text runs that way. */
export function readingViewport(page: PDFPageProxy, items: readonly TextItem[]): PageViewport {
  const shown = page.getViewport({ scale: 1 })
  const characters = [0, 0, 0, 0]
  for (const item of items) {
    const [a, b] = multiply(shown.transform as unknown as Matrix, item.transform as unknown as Matrix) // arrays
    characters[(Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4]! += item.str.length
  }
  const turns = characters.indexOf(Math.max(...characters))
  return turns === 0 ? shown : page.getViewport({ scale: 1, rotation: (page.rotate - turns * 90 + 360) % 360 })
}

/** A box read on a turned page, where it lies on the page as shown. */
export function turnBack([x0, y0, x1, y1]: Box, from: PageViewport, to: PageViewport): Box {
  if (from.rotation === to.rotation) return [x0, y0, x1, y1]
  const corner = (x: number, y: number) => {
    const [userX, userY] = from.convertToPdfPoint(x, y) as [number, number] // a point
    return to.convertToViewportPoint(userX, userY) as [number, number] // a point
  }
  const [[ax, ay], [bx, by]] = [corner(x0, y0), corner(x1, y1)]
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)]
}
