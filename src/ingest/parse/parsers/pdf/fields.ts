import type { PDFDocumentProxy } from 'pdfjs-dist'
import { apply, type Matrix } from './matrix.ts'

export type Annotation = {
  readonly id?: string
  readonly pageIndex?: number
  readonly subtype?: string
  readonly rect?: readonly [number, number, number, number]
  readonly annotationFlags?: number
  readonly fieldType?: string
  readonly fieldValue?: unknown
  readonly password?: boolean
  readonly textContent?: readonly string[]
  readonly combo?: boolean
  readonly options?: readonly { readonly exportValue: string; readonly displayValue: string }[]
  readonly contentsObj?: { readonly str?: string }
  readonly titleObj?: { readonly str?: string }
  readonly file?: unknown
  /** Target of a link that leaves the document, as written. */
  readonly unsafeUrl?: string
  readonly defaultAppearanceData?: { readonly fontSize?: number }
  readonly checkBox?: boolean
  readonly radioButton?: boolean
  readonly exportValue?: string
  readonly buttonValue?: string
  /** 0: left, 1: middle, 2: right. */
  readonly textAlignment?: number | null
}

/** Text that an annotation draws, its rectangle in points from the bottom left. */
export type Appearance = {
  readonly id: string
  readonly rect: readonly [number, number, number, number]
  readonly text: string
}

type FilledIn = Readonly<Record<'x0' | 'x1' | 'top' | 'bottom' | 'baseline' | 'size', number>> & {
  readonly text: string
}

const CHARACTER = 0.55
const WIDE_CHARACTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/gu
/** Points, so that its lines match those beside it. */
const USUAL_SIZE = 10
const LEADING = 1.2
const ASCENT = 0.85
const DESCENT = 0.2
/** Hidden or not viewed (ISO 32000-1, table 165). */
const UNSEEN = 0x02 | 0x20
/** Protects against generated forms; nobody fills in more. */
const MAX_FIELDS = 2_000

/** A number, date or time, which fields may show in another form. */
const FIGURES = /^[-+\d.,:/\s]+$/

/** pdf.js's numbers of annotations that carry text or a file: all but pop-ups and media. */
const TYPES = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 20])

/** Reads annotations by page. Skips documents without any sign of them, to save time. */
export async function readFields({
  document,
  namesAnnotations,
}: {
  readonly document: PDFDocumentProxy
  readonly namesAnnotations: boolean
}): Promise<ReadonlyMap<number, readonly Annotation[]>> {
  if (!namesAnnotations && !(await document.getFieldObjects().catch(() => null))) return new Map() // damaged, or none
  const all: readonly Annotation[] | null = await document
    .getAnnotationsByType(TYPES, new Set())
    .catch(() => []) // damaged: the pages still have their text
  const byPage = new Map<number, Annotation[]>()
  for (const annotation of all ?? []) {
    const page = (annotation.pageIndex ?? 0) + 1
    byPage.set(page, [...(byPage.get(page) ?? []), annotation].slice(0, MAX_FIELDS))
  }
  return byPage
}

export function readFilledIn(annotations: readonly Annotation[], toPage: Matrix): FilledIn[] {
  return annotations.flatMap(annotation => {
    const text = readAnnotationText(annotation)
    return text ? placeText(text, annotation, toPage) : []
  })
}

/** Reads the text of signatures, stamps and watermarks, which no field contains. */
export function readAppearances(
  appearances: readonly Appearance[],
  annotations: readonly Annotation[],
  toPage: Matrix,
): FilledIn[] {
  const byId = new Map(annotations.map(annotation => [annotation.id, annotation]))
  return appearances.flatMap(({ id, rect, text }) => {
    const annotation = byId.get(id) ?? {}
    if (hasReadValue(annotation)) return []
    const { contentsObj } = annotation
    const drawn = text.replace(/\s+/g, ' ').trim()
    return contentsObj?.str?.includes(drawn) ? [] : placeText(drawn, { rect }, toPage)
  })
}

export function isSeen({ annotationFlags = 0 }: Annotation): boolean {
  return (annotationFlags & UNSEEN) === 0
}

/** Counts texts that are hidden, and choices of lists that show only what is chosen. */
export function countUnreadTexts(annotation: Annotation): { hidden: number; choices: number } {
  if (!isSeen(annotation)) {
    const isHidden = annotation.fieldType !== 'Btn' && readValue(annotation) !== ''
    return { hidden: isHidden ? 1 : 0, choices: 0 }
  }
  const { combo, options = [], fieldValue } = annotation
  const unchosen = options.filter(({ exportValue }) => !isChosen(exportValue, fieldValue))
  return { hidden: 0, choices: combo ? unchosen.length : 0 }
}

function hasReadValue({ subtype, fieldType, checkBox, radioButton }: Annotation): boolean {
  if (fieldType === 'Btn') return checkBox === true || radioButton === true
  return fieldType === 'Tx' || fieldType === 'Ch' || subtype === 'FreeText'
}

function readAnnotationText(annotation: Annotation): string {
  return isSeen(annotation) ? readValue(annotation) : ''
}

function readValue(annotation: Annotation): string {
  const { subtype, fieldType, contentsObj } = annotation
  if (fieldType === 'Btn') return readMark(annotation)
  if (fieldType === 'Tx') return readTypedText(annotation)
  if (fieldType === 'Ch') return readChoices(annotation)
  return subtype === 'FreeText' ? (contentsObj?.str ?? '') : ''
}

function readTypedText({ fieldValue, password, textContent = [] }: Annotation): string {
  if (password) return ''
  const typed = typeof fieldValue === 'string' ? fieldValue : ''
  const displayText = textContent.join('\n')
  const isFormatted =
    FIGURES.test(typed) && /\d/.test(displayText) && displayText.replace(/\s/g, '') !== typed
  return isFormatted || typed === '' ? displayText : typed
}

function readChoices({ fieldValue, combo, options = [] }: Annotation): string {
  if (!combo && options.length > 0)
    return options
      .map(({ exportValue, displayValue }) =>
        formatMark(isChosen(exportValue, fieldValue), displayValue),
      )
      .join(' ')
  const chosen = Array.isArray(fieldValue) ? fieldValue : [fieldValue]
  return chosen
    .filter(value => typeof value === 'string')
    .map(value => options.find(({ exportValue }) => exportValue === value)?.displayValue ?? value)
    .join(', ')
}

function isChosen(value: string, fieldValue: unknown): boolean {
  return Array.isArray(fieldValue) ? fieldValue.includes(value) : fieldValue === value
}

export function formatMark(isMarked: boolean, label: string): string {
  return `${isMarked ? '☑' : '☐'} ${label}`.trim()
}

function readMark({
  checkBox,
  radioButton,
  fieldValue,
  exportValue,
  buttonValue,
}: Annotation): string {
  if (!checkBox && !radioButton) return ''
  return formatMark(fieldValue === (radioButton ? buttonValue : exportValue), '')
}

function placeText(text: string, annotation: Annotation, toPage: Matrix): FilledIn[] {
  const { rect = [0, 0, 0, 0], defaultAppearanceData, textAlignment } = annotation
  const [ax, ay] = apply(toPage, rect[0], rect[1])
  const [bx, by] = apply(toPage, rect[2], rect[3])
  const left = Math.min(ax, bx)
  const right = Math.max(ax, bx)
  const top = Math.min(ay, by)
  const bottom = Math.max(ay, by)
  const lines = text.split(/\r\n?|\n/)
  const size =
    defaultAppearanceData?.fontSize ||
    Math.min(USUAL_SIZE, (bottom - top) / lines.length / LEADING) ||
    USUAL_SIZE
  const room = Math.max(0, bottom - top - lines.length * size * LEADING) / 2
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const baseline = top + room + (index * LEADING + ASCENT) * size
    const width = Math.max(1, Math.min(right - left, estimateLineWidth(line) * size))
    const x0 = left + ((textAlignment ?? 0) * Math.max(0, right - left - width)) / 2
    const box = {
      x0,
      x1: x0 + width,
      top: baseline - ASCENT * size,
      bottom: baseline + DESCENT * size,
    }
    return { text: line.trim(), ...box, baseline, size }
  })
}

/** Returns em. */
function estimateLineWidth(line: string): number {
  const wide = line.match(WIDE_CHARACTER)?.length ?? 0
  return wide + (line.length - wide) * CHARACTER
}
