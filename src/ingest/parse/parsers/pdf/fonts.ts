import type { PDFPageProxy } from 'pdfjs-dist'
import { LOST_FONT } from './salvage/loose-parts.ts'

const BOLD_FONT = /bold|black|heavy|semibold|demi|-medi|cmbx|sfbx|simhei|heiti|-hei\b/i
const MONO_FONT = /mono|courier|consol|cmtt|sftt|menlo|typewriter|fixed|inconsolata|nimbusmon/i

export type FontTraits = {
  readonly isBold: boolean
  readonly isMono: boolean
  /** Name of a missing font, without which the text is a guess. */
  readonly lostFont?: string
  readonly isDingbats?: boolean
}

/** Reads font names, which pdf.js has only for prepared fonts. */
export function createFontReader(
  page: PDFPageProxy,
  strokedFonts: ReadonlySet<string>,
): (fontName: string) => FontTraits {
  const cache = new Map<string, FontTraits>()
  return fontName => {
    const cached = cache.get(fontName)
    if (cached) return cached
    const font: unknown = page.commonObjs.has(fontName) ? page.commonObjs.get(fontName) : undefined
    const name = font && typeof font === 'object' && 'name' in font ? String(font.name) : ''
    const isBold = BOLD_FONT.test(name) || strokedFonts.has(fontName)
    const traits = {
      isBold,
      isMono: MONO_FONT.test(name),
      isDingbats: isDingbatsFont(name),
      ...(name === LOST_FONT && { lostFont: fontName }),
    }
    cache.set(fontName, traits)
    return traits
  }
}

const DINGBATS_FONT = /(^|\+)(ITC)?ZapfDingbats/i

/** Signs that Unicode has outside of its dingbats. */
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

const TO_UNICODE = 0x2700 - 0x20

function isDingbatsFont(name: string): boolean {
  return DINGBATS_FONT.test(name)
}

/** Decodes Zapf Dingbats: a ■ for each `n`, by Adobe's mapping (zdingbat.txt). */
export function readDingbats(text: string): string {
  return text.replace(
    /[!-~]/g,
    code => ELSEWHERE[code] ?? String.fromCharCode(code.charCodeAt(0) + TO_UNICODE),
  )
}

const FIRST_RADICAL = 0x2e80

/**
 * Characters that look like the radicals U+2E80 to U+2EF3, in order; the radical itself if
 * there is none (EquivalentUnifiedIdeograph.txt 15.0).
 */
const UNIFIED_CHARACTERS =
  '⺀厂乛乚乙亻冂⺇刀刂卜㔾小小兀尣尢⺑巳幺彑⺕忄心扌攵⺚旡日' +
  '月歺母民氵氺灬爫爫丬牛犭王⺪目示礻⺮糹纟罓罒㓁冗⺵羊⺷⺸耂' +
  '肀聿肉⺽艹艹艹虎衤覀西见角⻇讠贝⻊车辶辶辶邑钅長镸长门⻕阝' +
  '雨青韦页风飞食⻞飠饣⻡马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟'

const RADICAL = /[\u2e80-\u2fd5]/g

/** Most Chinese fonts draw a radical and its character by one glyph: `⻔` for `门`. */
export function replaceRadicals(text: string): string {
  return text.replace(
    RADICAL,
    sign => UNIFIED_CHARACTERS[sign.charCodeAt(0) - FIRST_RADICAL] ?? sign.normalize('NFKC'),
  )
}
