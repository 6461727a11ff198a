import type { TextItem } from 'pdfjs-dist/types/src/display/api.js'

const SOFT_HYPHEN = '\u00ad'

/** Number of characters before a soft hyphen by which its place is found again. More than the longest word parts have. */
const CONTEXT = 24

/**
 * Soft hyphens that a page draws. The engine leaves them out of the text, so that a word that is parted by one would become two.
 * Each is remembered by the characters drawn before it, without blanks.
 */
export class SoftHyphens {
  readonly #contexts = new Set<string>()
  /** Glyphs of the last drawing operators, as many as hold the context if each draws one. */
  readonly #recent: (readonly unknown[])[] = []

  /** Follows one drawing operator. */
  addGlyphs(glyphs: readonly unknown[]): void {
    for (const [index, glyph] of glyphs.entries()) {
      if (readGlyph(glyph) === SOFT_HYPHEN) this.#contexts.add(this.#readContext(glyphs, index))
    }
    this.#recent.push(glyphs)
    if (this.#recent.length > CONTEXT) this.#recent.shift()
  }

  /** Puts each soft hyphen that ended an item back at its end. */
  restore(items: readonly TextItem[]): readonly TextItem[] {
    if (this.#contexts.size === 0) return items
    let context = ''
    return items.map(item => {
      context = (context + removeBlanks(item.str)).slice(-CONTEXT)
      const isParted = /\p{L}$/u.test(item.str) && this.#contexts.has(context)
      return isParted ? { ...item, str: item.str + SOFT_HYPHEN } : item
    })
  }

  #readContext(glyphs: readonly unknown[], end: number): string {
    let context = ''
    for (const glyph of glyphs.slice(0, end).reverse()) {
      context = removeBlanks(readGlyph(glyph)) + context
      if (context.length >= CONTEXT) return context.slice(-CONTEXT)
    }
    for (const earlier of this.#recent.toReversed()) {
      context = removeBlanks(earlier.map(readGlyph).join('')) + context
      if (context.length >= CONTEXT) return context.slice(-CONTEXT)
    }
    return context
  }
}

/** Ligatures are one glyph but several characters of an item. */
function removeBlanks(text: string): string {
  return text.normalize('NFKC').replace(/[\s\u00ad]/g, '')
}

/** Distances between glyphs are numbers. */
function readGlyph(glyph: unknown): string {
  return typeof glyph === 'object' && glyph !== null && 'unicode' in glyph
    ? String(glyph.unicode)
    : ''
}
