import type { PDFPageProxy } from 'pdfjs-dist'
import { z } from 'zod'
import { loadEngine } from './engine.ts'
import type { Appearance } from './fields.ts'
import { LetterSpacing, readWords, type TextState } from './letter-spacing.ts'
import { type Matrix, multiply, toMatrix } from './matrix.ts'
import { type Rule, toRules } from './rules.ts'
import { SoftHyphens } from './soft-hyphens.ts'

type Graphics = {
  readonly rules: readonly Rule[]
  readonly images: number
  /** Square points of all pictures: scanners cut a page into strips. */
  readonly imageArea: number
  readonly paths: number
  /** Without blanks; some may lie beyond the edges. */
  readonly characters: number
  /** Stroked as well as filled: bold without a bold font. */
  readonly strokedFonts: ReadonlySet<string>
  readonly softHyphens: SoftHyphens
  readonly letterSpacing: LetterSpacing
  readonly appearances: readonly Appearance[]
}

/** Bounded, so that a drawing, whose lines belong to no table, costs little. */
const MAX_RULES = 20_000
/** Square points, so that bullets and ornaments are not read. */
const MIN_IMAGE_AREA = 100
/** Area of the unit square if nothing is scaled, so that larger tiles of a scan are told apart. */
const UNSCALED_AREA = 1.5

/** Text rendering mode (ISO 32000-1, table 106). */
const FILL_AND_STROKE = 2

/** Identifier and rectangle in points from the bottom left. */
const ANNOTATION = z
  .tuple([z.string(), z.tuple([z.number(), z.number(), z.number(), z.number()])])
  .rest(z.unknown())

type State = TextState & {
  readonly matrix: Matrix
  readonly font: string
  readonly mode: number
  /** Shapes are filled with copies of a drawing, perhaps a picture. */
  readonly isTiled: boolean
}

const START = {
  font: '',
  size: 1,
  characterSpacing: 0,
  wordSpacing: 0,
  mode: 0,
  isTiled: false,
}

/** `toPage` maps to points from the top left. */
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
        drawing.restore()
        break
      case OPS.transform:
        drawing.transform(toMatrix(args.map(Number)))
        break
      case OPS.setFont:
        drawing.setFont(String(args[0]), Number(args[1]))
        break
      case OPS.setCharSpacing:
      case OPS.setWordSpacing:
        drawing.setSpacing(operator === OPS.setCharSpacing, Number(args[0]))
        break
      case OPS.moveText:
      case OPS.nextLine:
      case OPS.setTextMatrix:
        drawing.moveText()
        break
      case OPS.setTextRenderingMode:
        drawing.setTextMode(Number(args[0]))
        break
      case OPS.showText:
        drawing.showText(args[0])
        break
      case OPS.setFillColorN:
        drawing.setTiled(args[0] === 'TilingPattern')
        break
      case OPS.setFillRGBColor:
        drawing.setTiled(false)
        break
      case OPS.shadingFill:
        drawing.drawShade()
        break
      case OPS.beginAnnotation:
      case OPS.endAnnotation:
        drawing.setAnnotation(operator === OPS.beginAnnotation ? args : undefined)
        break
      case OPS.constructPath:
        if (args[0] !== OPS.endPath)
          drawing.drawPath(args, args[0] !== OPS.fill && args[0] !== OPS.eoFill)
        break
    }
  }
  return drawing.getGraphics()
}

class Drawing {
  #state: State
  readonly #saved: State[] = []
  readonly #rules: Rule[] = []
  readonly #strokedFonts = new Set<string>()
  readonly #filledFonts = new Set<string>()
  readonly #softHyphens = new SoftHyphens()
  readonly #letterSpacing = new LetterSpacing()
  #images = 0
  #imageArea = 0
  #paths = 0
  #characters = 0
  #appearance: { -readonly [Key in keyof Appearance]: Appearance[Key] } | undefined
  readonly #appearances: Appearance[] = []
  /** The unit square was placed and nothing drawn since. */
  #isUndrawn = false

  constructor(matrix: Matrix) {
    this.#state = { ...START, matrix }
  }

  save(matrix?: Matrix | null): void {
    this.#saved.push(this.#state)
    if (matrix) this.transform(matrix)
  }

  restore(): void {
    this.#endPicture()
    this.#state = this.#saved.pop() ?? this.#state
  }

  transform(matrix: Matrix): void {
    this.#endPicture()
    this.#state = { ...this.#state, matrix: multiply(this.#state.matrix, matrix) }
    this.#isUndrawn = true
  }

  /**
   * pdf.js omits undecoded pictures: decoding would take ten times the rest. A scaling without
   * a drawing remains of each.
   */
  #endPicture(): void {
    if (this.#isUndrawn) this.#addPicture(measureArea(this.#state.matrix))
    this.#isUndrawn = false
  }

  #addPicture(area: number): void {
    if (area > MIN_IMAGE_AREA) this.#images++
    if (area > UNSCALED_AREA) this.#imageArea += area
  }

  setFont(font: string, size: number): void {
    this.#state = { ...this.#state, font, size }
  }

  setSpacing(isOfCharacters: boolean, spacing: number): void {
    const name = isOfCharacters ? 'characterSpacing' : 'wordSpacing'
    this.#state = { ...this.#state, [name]: spacing }
  }

  moveText(): void {
    if (this.#appearance) this.#appearance.text += ' '
  }

  setTextMode(mode: number): void {
    this.#state = { ...this.#state, mode }
  }

  setTiled(isTiled: boolean): void {
    this.#state = { ...this.#state, isTiled }
  }

  drawShade(): void {
    this.#isUndrawn = false
  }

  setAnnotation(args: readonly unknown[] | undefined): void {
    if (this.#appearance) this.#appearances.push(this.#appearance)
    const { data } = ANNOTATION.safeParse(args)
    this.#appearance = data && { id: data[0], rect: data[1], text: '' }
  }

  showText(glyphs: unknown): void {
    this.#isUndrawn = false
    if (Array.isArray(glyphs) && this.#appearance)
      this.#appearance.text += readWords(glyphs, this.#state)
    else if (Array.isArray(glyphs)) {
      this.#characters += glyphs.filter(isDrawn).length
      this.#softHyphens.addGlyphs(glyphs)
      this.#letterSpacing.addGlyphs(glyphs, this.#state)
    }
    const fonts = this.#state.mode === FILL_AND_STROKE ? this.#strokedFonts : this.#filledFonts
    fonts.add(this.#state.font)
  }

  drawPath(args: readonly unknown[], isStroked: boolean): void {
    this.#isUndrawn = false
    this.#paths++
    const [, [coordinates], bounds] = args as [
      number,
      [ArrayLike<number> | null],
      Float32Array | null,
    ]
    if (this.#state.isTiled && bounds) this.#addPicture(measureArea(this.#state.matrix, bounds))
    if (!coordinates || this.#rules.length > MAX_RULES) return
    this.#rules.push(...toRules(coordinates, this.#state.matrix, isStroked))
  }

  getGraphics(): Graphics {
    this.#endPicture()
    const strokedFonts = new Set(
      [...this.#strokedFonts].filter(font => !this.#filledFonts.has(font)),
    )
    return {
      rules: this.#rules,
      images: this.#images,
      imageArea: this.#imageArea,
      paths: this.#paths,
      characters: this.#characters,
      softHyphens: this.#softHyphens,
      letterSpacing: this.#letterSpacing,
      appearances: this.#appearances,
      strokedFonts,
    }
  }
}

function measureArea(
  matrix: Matrix,
  [x0 = 0, y0 = 0, x1 = 1, y1 = 1]: Iterable<number> = [],
): number {
  return Math.abs((matrix[0] * matrix[3] - matrix[1] * matrix[2]) * (x1 - x0) * (y1 - y0))
}

function isDrawn(glyph: unknown): boolean {
  return typeof glyph === 'object' && glyph !== null && 'isSpace' in glyph && !glyph.isSpace
}
