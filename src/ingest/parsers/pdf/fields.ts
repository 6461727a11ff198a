import type { PDFDocumentProxy } from 'pdfjs-dist'
import { apply, type Matrix } from './matrix.ts'

/** What is used of an annotation of pdf.js, which types it as anything. */
export type Annotation = {
  readonly pageIndex?: number
  readonly subtype?: string
  readonly rect?: readonly [number, number, number, number]
  readonly annotationFlags?: number
  readonly fieldType?: string
  readonly fieldValue?: unknown
  readonly password?: boolean
  readonly options?: readonly { readonly exportValue: string; readonly displayValue: string }[]
  readonly contentsObj?: { readonly str?: string }
  readonly defaultAppearanceData?: { readonly fontSize?: number }
}

/** A line that was filled in, placed on the page in points from the top left. */
type FilledIn = Readonly<Record<'x0' | 'x1' | 'top' | 'bottom' | 'baseline' | 'size', number>> & {
  readonly text: string
}

/** Sizes of text, in points, where the field leaves it to the program that shows it. */
const USUAL_SIZE = 10
const LEADING = 1.2
const ASCENT = 0.85
const DESCENT = 0.2
/** Flags of what is not shown: hidden, and not viewed. */
const UNSEEN = 0x02 | 0x20
/** Nobody fills in more on a page. */
const MAX_FIELDS = 2_000

/** pdf.js's numbers of what is filled in: text typed onto a page, and fields of forms. */
const TYPES = new Set([3, 20])

/**
 * What was filled in or typed onto each page, by its number: it is no part of a page's own text. Documents that show no
 * sign of either are not looked through, which would take a quarter of all their time where they have many links.
 */
export async function readFields({
  document,
  namesTypedText,
}: {
  readonly document: PDFDocumentProxy
  readonly namesTypedText: boolean
}): Promise<ReadonlyMap<number, readonly Annotation[]>> {
  if (!namesTypedText && !(await document.getFieldObjects().catch(() => null))) return new Map() // damaged, or none
  const all: readonly Annotation[] | null = await document.getAnnotationsByType(TYPES, new Set()).catch(() => []) // damaged: the pages have their text
  const byPage = new Map<number, Annotation[]>()
  for (const annotation of all ?? []) {
    const page = (annotation.pageIndex ?? 0) + 1
    byPage.set(page, [...(byPage.get(page) ?? []), annotation].slice(0, MAX_FIELDS))
  }
  return byPage
}

/** The lines of the fields of a page, placed on it. */
export function filledIn(annotations: readonly Annotation[], toPage: Matrix): FilledIn[] {
  return annotations.flatMap(annotation => {
    const text = textOf(annotation)
    return text ? placed(text, annotation, toPage) : []
  })
}

function textOf({
  subtype,
  fieldType,
  fieldValue,
  password,
  annotationFlags = 0,
  options,
  contentsObj,
}: Annotation): string {
  if (annotationFlags & UNSEEN) return ''
  if (subtype === 'FreeText') return contentsObj?.str ?? ''
  if (fieldType === 'Tx') return typeof fieldValue === 'string' && !password ? fieldValue : ''
  if (fieldType !== 'Ch') return ''
  const chosen = Array.isArray(fieldValue) ? fieldValue : [fieldValue]
  return chosen
    .filter(value => typeof value === 'string')
    .map(value => options?.find(({ exportValue }) => exportValue === value)?.displayValue ?? value)
    .join(', ')
}

/** Its lines one below the other, from the top of its rectangle. */
function placed(text: string, { rect = [0, 0, 0, 0], defaultAppearanceData }: Annotation, toPage: Matrix): FilledIn[] {
  const [ax, ay] = apply(toPage, rect[0], rect[1])
  const [bx, by] = apply(toPage, rect[2], rect[3])
  const [x0, top, bottom] = [Math.min(ax, bx), Math.min(ay, by), Math.max(ay, by)]
  const lines = text.split(/\r\n?|\n/)
  const size =
    defaultAppearanceData?.fontSize || Math.min(USUAL_SIZE, (bottom - top) / lines.length / LEADING) || USUAL_SIZE
  const room = Math.max(0, bottom - top - lines.length * size * LEADING) / 2
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const baseline = top + room + (index * LEADING + ASCENT) * size
    const x1 = Math.max(Math.max(ax, bx), x0 + 1)
    const box = { x0, x1, top: baseline - ASCENT * size, bottom: baseline + DESCENT * size }
    return { text: line.trim(), ...box, baseline, size }
  })
}
