/** One style of `word/styles.xml`, as far as headings and lists need it. */
export type DocxStyle = {
  readonly name: string
  readonly basedOn?: string
  readonly readOutlineLevel?: number
  /** List that paragraphs of the style are in. */
  readonly numId?: string
  readonly listLevel?: string
}

export type DocxStyles = ReadonlyMap<string, DocxStyle>

/** Maximum length of a chain of styles. Protects against cycles. */
const MAX_ANCESTORS = 10

/** Meaning of Word's own styles that mammoth does not know. Contents lists repeat the headings and are omitted. */
const BASE_STYLE_MAP = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='caption'] => figcaption:fresh",
  "p[style-name='Caption'] => figcaption:fresh",
  ...Array.from({ length: 9 }, (_, index) => `p[style-name='toc ${index + 1}'] => !`),
  "p[style-name='table of figures'] => !",
]

/** Mammoth's style map for a document: house styles with an outline level are headings, whatever their names. */
export function buildStyleMap(styles: DocxStyles): string[] {
  const rules = [...BASE_STYLE_MAP]
  for (const style of styles.values()) {
    const level = outlineLevel(style, styles)
    if (
      level === undefined ||
      /['\\\]]/.test(style.name) ||
      /^(title|toc \d|heading \d)$/i.test(style.name)
    )
      continue
    rules.push(`p[style-name='${style.name}'] => h${level}:fresh`)
  }
  return rules
}

/** Reads the styles of paragraphs and lists, by id. */
export function readStyles(xml: string): DocxStyles {
  const styles = new Map<string, DocxStyle>()
  for (const [element, attributes = ''] of xml.matchAll(/<w:style\b([^>]*)>[\s\S]*?<\/w:style>/g)) {
    const id = /w:styleId="([^"]*)"/.exec(attributes)?.[1]
    const name = /<w:name\b[^>]*w:val="([^"]*)"/.exec(element)?.[1]
    if (!id || !name || !/w:type="(?:paragraph|numbering)"/.test(attributes)) continue
    const level = /<w:outlineLvl\b[^>]*w:val="(\d)"/.exec(element)?.[1]
    const basedOn = /<w:basedOn\b[^>]*w:val="([^"]*)"/.exec(element)?.[1]
    const numId = /<w:numId\b[^>]*w:val="([^"]*)"/.exec(element)?.[1]
    const listLevel = /<w:ilvl\b[^>]*w:val="(\d)"/.exec(element)?.[1]
    styles.set(id, {
      name,
      basedOn,
      readOutlineLevel: level === undefined ? undefined : Number(level),
      numId,
      listLevel,
    })
  }
  return styles
}

/** 1 to 6, from the style or what it is based on; Word counts from 0, and 9 means body text. */
export function outlineLevel(style: DocxStyle, styles: DocxStyles): number | undefined {
  let current: DocxStyle | undefined = style
  for (let step = 0; current && step < MAX_ANCESTORS; step++) {
    const named = /^heading (\d)$/i.exec(current.name)?.[1]
    const level = current.readOutlineLevel ?? (named ? Number(named) - 1 : undefined)
    if (level !== undefined) return level > 8 ? undefined : Math.min(6, level + 1)
    current = current.basedOn ? styles.get(current.basedOn) : undefined
  }
  return undefined
}

/** The nearest that is in a list: the style itself, or what it is based on. */
export function readListStyle(
  id: string | undefined,
  styles: DocxStyles,
): { id: string; style: DocxStyle } | undefined {
  let current = id
  for (let step = 0; current && step < MAX_ANCESTORS; step++) {
    const style = styles.get(current)
    if (style?.numId !== undefined) return { id: current, style }
    current = style?.basedOn
  }
  return undefined
}
