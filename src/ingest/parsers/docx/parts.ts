import type { ZipArchive } from '../../detection/zip.ts'

/** A Word file as mammoth asks for it: its parts by name, as text in an encoding or as bytes. */
export type DocxParts = {
  exists(part: string): boolean
  read(part: string, encoding?: string): Promise<string | Uint8Array>
}

/** The parts of an archive, inflated under its limits when they are asked for, their formulas made text. */
export function docxParts(archive: ZipArchive): DocxParts {
  const names = new Set(archive.entryNames)
  return {
    exists: part => names.has(part),
    async read(part, encoding) {
      const bytes = (await archive.read(part)) ?? Buffer.alloc(0)
      if (!encoding) return new Uint8Array(bytes)
      if (encoding === 'base64') return bytes.toString('base64')
      return formulasAsText(new TextDecoder(encoding).decode(bytes))
    },
  }
}

/** What marks how the parts of a formula stand to each other, as people write it on one line. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/<\/m:num>/g, '<m:t>/</m:t>'],
  [/<m:sup>/g, '<m:t>^</m:t>'],
  [/<m:sub>/g, '<m:t>_</m:t>'],
]

/** Mammoth passes formulas over; as runs of text they are read. */
function formulasAsText(xml: string): string {
  if (!xml.includes('<m:oMath')) return xml
  return xml
    .replace(/<m:oMathParaPr>[\s\S]*?<\/m:oMathParaPr>|<\/?m:oMathPara>/g, '')
    .replace(/<m:oMath(?:\s[^>]*)?>([\s\S]*?)<\/m:oMath>/g, (_, formula: string) => {
      const signed = SIGNS.reduce((text, [mark, sign]) => text.replace(mark, sign), formula)
      const text = [...signed.matchAll(/<m:t(?:\s[^>]*)?>([^<]*)<\/m:t>/g)].map(([, written]) => written).join('')
      return `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
    })
}
