/** Code pages by the lower 10 bits of a locale, which are its language ([MS-LCID] 2.2). Other languages use that of Western Europe. */
const CODE_PAGES: Readonly<Record<number, number>> = {
  1: 1256,
  2: 1251,
  4: 936,
  5: 1250,
  8: 1253,
  13: 1255,
  14: 1250,
  17: 932,
  18: 949,
  21: 1250,
  24: 1250,
  25: 1251,
  26: 1250,
  27: 1250,
  28: 1250,
  30: 874,
  31: 1254,
  32: 1256,
  34: 1251,
  35: 1251,
  36: 1250,
  37: 1257,
  38: 1257,
  39: 1257,
  41: 1256,
  42: 1258,
  47: 1251,
}
/** Locales of traditional Chinese: Taiwan, Hong Kong and Macao. */
const TRADITIONAL_CHINESE = new Set([0x0404, 0x0c04, 0x1404])

export function findLocaleCodePage(locale: number): number {
  return TRADITIONAL_CHINESE.has(locale) ? 950 : (CODE_PAGES[locale & 0x3ff] ?? 1252)
}
