import type { Block, Box } from '../../../../block.ts'
import { toLinks } from '../../link-targets.ts'
import type { Annotation } from '../fields.ts'
import { apply, type Matrix } from '../matrix.ts'

export type PlacedLink = { readonly target: string; readonly box: Box }

export function placeLinks(annotations: readonly Annotation[], toPage: Matrix): PlacedLink[] {
  return annotations.flatMap(({ subtype, unsafeUrl, rect }) => {
    if (subtype !== 'Link' || !unsafeUrl || !rect) return []
    const [ax, ay] = apply(toPage, rect[0], rect[1])
    const [bx, by] = apply(toPage, rect[2], rect[3])
    const box: Box = [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)]
    return [{ target: removePlace(unsafeUrl), box }]
  })
}

/** Removes what pdf.js adds for a place in another document: `#[0,{"name":"Fit"}]`. */
function removePlace(target: string): string {
  const index = target.indexOf('#[')
  return index > 0 && target.endsWith(']') ? target.slice(0, index) : target
}

export function addLinks(blocks: readonly Block[], links: readonly PlacedLink[]): readonly Block[] {
  const targets = new Map<Block, string[]>()
  for (const { target, box } of links) {
    const block = findNearest(blocks, box)
    if (block) targets.set(block, [...(targets.get(block) ?? []), target])
  }
  return blocks.map(block => ({ ...block, ...toLinks(targets.get(block) ?? [], block.text) }))
}

function findNearest(blocks: readonly Block[], [x0, y0, x1, y1]: Box): Block | undefined {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2]
  const distances = blocks.map(({ lines = [] }) =>
    Math.min(
      ...lines.map(({ box }) =>
        Math.hypot(Math.max(box[0] - x, 0, x - box[2]), Math.max(box[1] - y, 0, y - box[3])),
      ),
    ),
  )
  return blocks[distances.indexOf(Math.min(...distances))]
}
