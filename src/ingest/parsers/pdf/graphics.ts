import type { PDFPageProxy } from 'pdfjs-dist'
import { loadEngine } from './engine.ts'
import { type Matrix, multiply } from './matrix.ts'
import { type Rule, rulesOf } from './rules.ts'

/** What is drawn on a page besides text. */
type Graphics = {
  readonly rules: readonly Rule[]
  readonly images: number
  /** Area of all pictures, in square points: scanners cut a page into strips. */
  readonly imageArea: number
  /** Lines and shapes drawn; letters drawn as shapes are not text. */
  readonly paths: number
  /** Characters drawn, but blanks: more than were read where some lie beyond the edges of the page. */
  readonly characters: number
  /** Fonts whose outlines are stroked as well as filled: bold without a bold font. */
  readonly strokedFonts: ReadonlySet<string>
}

/** Beyond this a page is a drawing, and its lines are no table's. */
const MAX_RULES = 20_000
/** A picture smaller than this is a bullet or an ornament. */
const MIN_IMAGE_AREA = 100

/** The text rendering mode that fills and strokes. */
const FILL_AND_STROKE = 2

type State = { readonly matrix: Matrix; readonly font: string; readonly mode: number }

/** Follow the drawing operators of a page; `toPage` maps its coordinates to points from the top left. */
export async function readGraphics(page: PDFPageProxy, toPage: Matrix): Promise<Graphics> {
  const { OPS } = await loadEngine()
  const { fnArray, argsArray } = await page.getOperatorList()
  const drawing = new Drawing(toPage)
  for (const [index, operator] of fnArray.entries()) {
    const args: unknown[] = argsArray[index] ?? []
    switch (operator) {
      case OPS.save:
        drawing.save()
        break
      case OPS.paintFormXObjectBegin:
        drawing.save(args[0] as Matrix | null) // pdf.js passes six numbers or null
        break
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        drawing.restore(fnArray[index - 1] === OPS.transform || fnArray[index - 1] === OPS.setGState)
        break
      case OPS.transform:
        drawing.transform(args as unknown as Matrix) // six numbers
        break
      case OPS.setFont:
        drawing.setFont(String(args[0]))
        break
      case OPS.setTextRenderingMode:
        drawing.setTextMode(Number(args[0]))
        break
      case OPS.showText:
        drawing.showText(args[0])
        break
      case OPS.beginAnnotation:
      case OPS.endAnnotation:
        drawing.setAnnotation(operator === OPS.beginAnnotation)
        break
      case OPS.constructPath:
        if (args[0] !== OPS.endPath) drawing.path(args, args[0] !== OPS.fill && args[0] !== OPS.eoFill)
        break
    }
  }
  return drawing.graphics()
}

/** The state of the pen, and what it has drawn so far. */
class Drawing {
  #state: State
  readonly #saved: State[] = []
  readonly #rules: Rule[] = []
  readonly #strokedFonts = new Set<string>()
  readonly #filledFonts = new Set<string>()
  #images = 0
  #imageArea = 0
  #paths = 0
  #characters = 0
  #isAnnotation = false

  constructor(matrix: Matrix) {
    this.#state = { matrix, font: '', mode: 0 }
  }

  save(matrix?: Matrix | null): void {
    this.#saved.push(this.#state)
    if (matrix) this.transform(matrix)
  }

  /**
   * Pictures are not decoded (that takes ten times the rest), and pdf.js leaves those out of its list:
   * what stays of one is a scaling with nothing drawn after it.
   */
  restore(isUndrawn: boolean): void {
    const { matrix } = this.#state
    const area = Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2])
    if (isUndrawn && area > MIN_IMAGE_AREA) {
      this.#images++
      this.#imageArea += area
    }
    this.#state = this.#saved.pop() ?? this.#state
  }

  transform(matrix: Matrix): void {
    this.#state = { ...this.#state, matrix: multiply(this.#state.matrix, matrix) }
  }

  setFont(font: string): void {
    this.#state = { ...this.#state, font }
  }

  setTextMode(mode: number): void {
    this.#state = { ...this.#state, mode }
  }

  /** What stands in annotations is no text of the page. */
  setAnnotation(isAnnotation: boolean): void {
    this.#isAnnotation = isAnnotation
  }

  showText(glyphs: unknown): void {
    if (Array.isArray(glyphs) && !this.#isAnnotation) this.#characters += glyphs.filter(isDrawn).length
    const fonts = this.#state.mode === FILL_AND_STROKE ? this.#strokedFonts : this.#filledFonts
    fonts.add(this.#state.font)
  }

  path(args: readonly unknown[], isStroked: boolean): void {
    this.#paths++
    const [, [coordinates]] = args as [number, [ArrayLike<number> | null]] // as pdf.js builds the operator
    if (!coordinates || this.#rules.length > MAX_RULES) return
    this.#rules.push(...rulesOf(coordinates, this.#state.matrix, isStroked))
  }

  graphics(): Graphics {
    const strokedFonts = new Set([...this.#strokedFonts].filter(font => !this.#filledFonts.has(font)))
    const [rules, images, imageArea, paths] = [this.#rules, this.#images, this.#imageArea, this.#paths]
    return { rules, images, imageArea, paths, strokedFonts, characters: this.#characters }
  }
}

/** Between glyphs stand the distances to the next as numbers. */
function isDrawn(glyph: unknown): boolean {
  return typeof glyph === 'object' && glyph !== null && 'isSpace' in glyph && !glyph.isSpace
}
