import type { OoxmlPackage } from '../ooxml.ts'
import { type Elevation, elevated } from '../raised-text.ts'
import { xmlEvents } from '../xml.ts'
import { at, textOf, type XmlElement, XmlTrees } from '../xml-tree.ts'

/** The strings that cells refer to by number. The part is read as it inflates; only the strings are kept. */
export async function sharedStrings(pack: OoxmlPackage, part: string | undefined): Promise<readonly string[]> {
  const source = part && pack.stream(part)
  if (!source) return []
  const trees = new XmlTrees(name => name === 'si')
  const strings: string[] = []
  for await (const events of xmlEvents(source)) {
    for (const event of events) {
      const item = trees.add(event)
      if (item) strings.push(detached(richText(item)))
    }
  }
  return strings
}

/** Text in runs of several fonts is one text; how East Asian words are read aloud is left out. */
export function richText(item: XmlElement): string {
  return item.children
    .map(child => {
      if (typeof child === 'string' || child.name === 'rPh') return ''
      return child.name === 't' ? elevated(textOf(child), elevationOf(item)) : richText(child)
    })
    .join('')
    .replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

function elevationOf(run: XmlElement): Elevation | undefined {
  const align = at(run, 'rPr', 'vertAlign')?.attributes.val
  return align === 'superscript' ? 'raised' : align === 'subscript' ? 'lowered' : undefined
}

/** A copy, since a slice would keep alive the whole piece of XML it was cut from. */
function detached(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
