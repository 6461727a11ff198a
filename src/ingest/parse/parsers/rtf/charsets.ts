import { loadIconv } from '../../detection/iconv.ts'

/** Keyed by a font's charset number. 0 and 1 mean the document's own code page. */
const FONT_CODE_PAGES: Readonly<Record<number, number>> = {
  77: 10_000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
}

const NAMES: Readonly<Record<number, string>> = {
  10000: 'macintosh',
  936: 'gb18030',
  932: 'shift_jis',
  20866: 'koi8-r',
  21866: 'koi8-u',
  50220: 'iso-2022-jp',
  51932: 'euc-jp',
  51949: 'euc-kr',
  54936: 'gb18030',
  65001: 'utf-8',
}

/** Number before those of the charsets of ISO 8859. */
const ISO_8859 = 28_590

export const DEFAULT_CODE_PAGE = 1252

export function findCodePage(fontCharset: number): number | undefined {
  return FONT_CODE_PAGES[fontCharset]
}

export function decodeBytes(bytes: string, codePage: number): string {
  const name = NAMES[codePage] ?? `cp${codePage}`
  return loadIconv().decode(
    Buffer.from(bytes, 'latin1'),
    loadIconv().encodingExists(name) ? name : `cp${DEFAULT_CODE_PAGE}`,
  )
}

/** Expects a code page of Windows. */
export function findCharsetName(codePage: number): string | undefined {
  const isIso = codePage > ISO_8859 && codePage <= ISO_8859 + 16
  const name = isIso ? `iso-8859-${codePage - ISO_8859}` : (NAMES[codePage] ?? `cp${codePage}`)
  return name === 'iso-2022-jp' || loadIconv().encodingExists(name) ? name : undefined
}
