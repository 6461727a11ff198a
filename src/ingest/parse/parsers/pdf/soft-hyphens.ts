import type { TextItem } from 'pdfjs-dist/types/src/display/api.js'

const SOFT_HYPHEN = '\u00ad'

/** Characters that identify a place; word parts are shorter. */
const CONTEXT = 24

/** Restores soft hyphens, which the engine drops: those within a line are drawn as hyphens. */
export class SoftHyphens {
  readonly #contexts = new Set<string>()
  readonly #recent: (readonly unknown[])[] = []

  addGlyphs(glyphs: readonly unknown[]): void {
    for (const [index, glyph] of glyphs.entries()) {
      if (readGlyph(glyph) === SOFT_HYPHEN) this.#contexts.add(this.#readContext(glyphs, index))
    }
    this.#recent.push(glyphs)
    if (this.#recent.length > CONTEXT) this.#recent.shift()
  }

  restore(items: readonly TextItem[]): readonly TextItem[] {
    if (this.#contexts.size === 0) return items
    let context = ''
    return items.map((item, index) => {
      const isParted = /\p{L}$/u.test(item.str) && !isContinued(item, items[index + 1])
      let str = ''
      for (const [offset, character] of [...item.str].entries()) {
        context = (context + removeBlanks(character)).slice(-CONTEXT)
        str += character
        const isHyphen = character.trim() !== '' && this.#contexts.has(context)
        const isLast = offset === item.str.length - 1
        if (isHyphen) str += isLast && isParted ? SOFT_HYPHEN : '-'
      }
      return str === item.str ? item : { ...item, str }
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

function isContinued(item: TextItem, next: TextItem | undefined): boolean {
  return next !== undefined && !item.hasEOL && next.str.trim() !== '' && !next.hasEOL
}

/** Ligatures are one glyph but several characters. */
function removeBlanks(text: string): string {
  return text.normalize('NFKC').replace(/[\s\u00ad]/g, '')
}

/** Numbers between glyphs are distances. */
export function readGlyph(glyph: unknown): string {
  return typeof glyph === 'object' && glyph !== null && 'unicode' in glyph
    ? String(glyph.unicode)
    : ''
}
