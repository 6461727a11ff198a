/**
 * What pdf.js needs of the browser's `DOMMatrix` to read text and lines. It would take it from a native canvas, an
 * optional package that draws pages, which nothing here does: so that a PDF is read alike with and without that.
 */
export class AffineMatrix {
  a = 1
  b = 0
  c = 0
  d = 1
  e = 0
  f = 0

  scaleSelf(x: number, y: number): this {
    this.a *= x
    this.b *= x
    this.c *= y
    this.d *= y
    return this
  }

  translateSelf(x: number, y: number): this {
    this.e += this.a * x + this.c * y
    this.f += this.b * x + this.d * y
    return this
  }
}
