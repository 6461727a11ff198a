/** One style of `word/styles.xml`, as far as headings need it. */
type Style = { readonly name: string; readonly basedOn?: string; readonly outlineLevel?: number }

/** What Word's own styles mean, beyond what mammoth knows; contents lists repeat the headings and are left out. */
const BASE_STYLE_MAP = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='caption'] => figcaption:fresh",
  "p[style-name='Caption'] => figcaption:fresh",
  ...Array.from({ length: 9 }, (_, index) => `p[style-name='toc ${index + 1}'] => !`),
  "p[style-name='table of figures'] => !",
]

/** Mammoth's style map for a document: house styles with an outline level are headings, whatever their names. */
export function styleMap(stylesXml: string): string[] {
  const styles = readStyles(stylesXml)
  const rules = [...BASE_STYLE_MAP]
  for (const style of styles.values()) {
    const level = outlineLevel(style, styles)
    if (level === undefined || /['\\\]]/.test(style.name) || /^(title|toc \d|heading \d)$/i.test(style.name)) continue
    rules.push(`p[style-name='${style.name}'] => h${level}:fresh`)
  }
  return rules
}

function readStyles(xml: string): ReadonlyMap<string, Style> {
  const styles = new Map<string, Style>()
  for (const [element, attributes] of xml.matchAll(/<w:style\b([^>]*)>[\s\S]*?<\/w:style>/g)) {
    const id = /w:styleId="([^"]*)"/.exec(attributes!)?.[1]
    const name = /<w:name\b[^>]*w:val="([^"]*)"/.exec(element)?.[1]
    if (!id || !name || !/w:type="paragraph"/.test(attributes!)) continue
    const level = /<w:outlineLvl\b[^>]*w:val="(\d)"/.exec(element)?.[1]
    const basedOn = /<w:basedOn\b[^>]*w:val="([^"]*)"/.exec(element)?.[1]
    styles.set(id, { name, basedOn, outlineLevel: level === undefined ? undefined : Number(level) })
  }
  return styles
}

/** 1 to 6, from the style or what it is based on; Word counts from 0, and 9 means body text. */
function outlineLevel(style: Style, styles: ReadonlyMap<string, Style>): number | undefined {
  let current: Style | undefined = style
  for (let step = 0; current && step < 10; step++) {
    const named = /^heading (\d)$/i.exec(current.name)?.[1]
    const level = current.outlineLevel ?? (named ? Number(named) - 1 : undefined)
    if (level !== undefined) return level > 8 ? undefined : Math.min(6, level + 1)
    current = current.basedOn ? styles.get(current.basedOn) : undefined
  }
  return undefined
}
