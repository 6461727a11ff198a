import type { PDFPageProxy } from 'pdfjs-dist'
import { LOST_FONT } from './salvage/loose-parts.ts'

const BOLD_FONT = /bold|black|heavy|semibold|demi|-medi|cmbx|sfbx|simhei|heiti|-hei\b/i
const MONO_FONT = /mono|courier|consol|cmtt|sftt|menlo|typewriter|fixed|inconsolata|nimbusmon/i

/** What a font's name says of how its text looks. */
export type FontTraits = {
  readonly isBold: boolean
  /** All letters of one width, as code is set. */
  readonly isMono: boolean
  /** What the engine calls the font, where it is missing: what its text means is a guess. */
  readonly lostFont?: string
  /** What is read as letters are signs. */
  readonly isDingbats?: boolean
}

/** Weight and width are in the font's name; pdf.js tells names only of fonts it has prepared for drawing. */
export function fontTraits(
  page: PDFPageProxy,
  strokedFonts: ReadonlySet<string>,
): (fontName: string) => FontTraits {
  const known = new Map<string, FontTraits>()
  return fontName => {
    const cached = known.get(fontName)
    if (cached) return cached
    const font: unknown = page.commonObjs.has(fontName) ? page.commonObjs.get(fontName) : undefined
    const name = font && typeof font === 'object' && 'name' in font ? String(font.name) : ''
    const isBold = BOLD_FONT.test(name) || strokedFonts.has(fontName)
    const traits = {
      ...{ isBold, isMono: MONO_FONT.test(name), isDingbats: isDingbatsFont(name) },
      ...(name === LOST_FONT && { lostFont: fontName }),
    }
    known.set(fontName, traits)
    return traits
  }
}

/** Adobe's font of signs, one of the fourteen that need not be in a file. */
const DINGBATS_FONT = /(^|\+)(ITC)?ZapfDingbats/i

/** Signs that Unicode has elsewhere than in its block of dingbats, which is in the order of the font's codes. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '%': '☎',
  '*': '☛',
  '+': '☞',
  H: '★',
  l: '●',
  n: '■',
  s: '▲',
  t: '▼',
  u: '◆',
  w: '◗',
}

/** Of the code of the first sign, a space, to the Unicode block that begins with it. */
const TO_UNICODE = 0x2700 - 0x20

function isDingbatsFont(name: string): boolean {
  return DINGBATS_FONT.test(name)
}

/**
 * Text in Zapf Dingbats whose codes were read as letters, because the file says that it is encoded as letters are: a ■ for
 * each `n`. The mapping is Adobe's (zdingbat.txt), of the codes that are letters and marks of ASCII.
 */
export function readDingbats(text: string): string {
  return text.replace(
    /[!-~]/g,
    code => ELSEWHERE[code] ?? String.fromCharCode(code.charCodeAt(0) + TO_UNICODE),
  )
}
