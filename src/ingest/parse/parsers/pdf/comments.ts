import type { Block } from '../../../block.ts'
import { type Annotation, isSeen } from './fields.ts'

/** Remarks about a page. Text typed onto it is read in its place. */
const REMARKS = new Set([
  'Text',
  'Line',
  'Square',
  'Circle',
  'Polygon',
  'PolyLine',
  'Highlight',
  'Underline',
  'Squiggly',
  'StrikeOut',
  'Stamp',
  'Caret',
  'Ink',
  'FileAttachment',
])

export function readComments(annotations: readonly Annotation[], page: number): Block[] {
  return annotations.flatMap(annotation => {
    const { subtype = '', contentsObj, titleObj } = annotation
    const text = contentsObj?.str?.replace(/\s+/g, ' ').trim()
    if (!REMARKS.has(subtype) || !text || !isSeen(annotation)) return []
    const author = titleObj?.str?.trim()
    const name = author ? `Comment by ${author}` : 'Comment'
    return [{ kind: 'paragraph', text: `${name}: ${text}`, page }]
  })
}
