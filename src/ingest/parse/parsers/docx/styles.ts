import { findAttribute } from '../office/xml.ts'
import { findChild, findChildren, type XmlElement } from '../office/xml-tree.ts'

type DocxStyle = {
  readonly name: string
  readonly basedOn: string | undefined
  readonly outlineLevel: number | undefined
  readonly numId: string | undefined
  readonly listLevel: string | undefined
  readonly isHidden: boolean
}

export type DocxStyles = ReadonlyMap<string, DocxStyle>

/** Protects against cycles. */
const MAX_ANCESTORS = 10
/** HTML has six levels, so that they are the same in every format. */
const MAX_HEADING_LEVEL = 6
/** Level of body text (ECMA-376, 17.9.19 counts headings from 0 to 8). */
const BODY_TEXT = 9

export function readValue(
  parent: XmlElement | undefined,
  ...path: readonly string[]
): string | undefined {
  const element = findChild(parent, ...path)
  return element && (findAttribute(element.attributes, 'val') ?? '')
}

export function isSwitchedOn(properties: XmlElement | undefined, name: string): boolean {
  const value = readValue(properties, name)
  return value !== undefined && !/^(?:0|false|off|none)$/.test(value)
}

export function readStyles(root: XmlElement | undefined): DocxStyles {
  const styles = new Map<string, DocxStyle>()
  for (const element of findChildren(root, 'style')) {
    const id = findAttribute(element.attributes, 'styleId')
    const name = readValue(element, 'name')
    if (!id || !name) continue
    const properties = findChild(element, 'pPr')
    const level = readValue(properties, 'outlineLvl')
    styles.set(id, {
      name: name.toLowerCase(),
      basedOn: readValue(element, 'basedOn'),
      outlineLevel: level === undefined ? undefined : Number(level),
      numId: readValue(properties, 'numPr', 'numId'),
      listLevel: readValue(properties, 'numPr', 'ilvl'),
      isHidden: isSwitchedOn(findChild(element, 'rPr'), 'vanish'),
    })
  }
  return styles
}

export function findHeadingLevel(id: string | undefined, styles: DocxStyles): number | undefined {
  if (id === undefined) return undefined
  const style = styles.get(id)
  if (!style) return parseHeadingName(id.replace(/^Heading(?=\d)/, 'heading '))
  if (style.name === 'title') return 1
  const level = findOutlineLevel(style, styles)
  return level === undefined ? undefined : Math.min(MAX_HEADING_LEVEL, level + 1)
}

function findOutlineLevel(style: DocxStyle, styles: DocxStyles): number | undefined {
  let current: DocxStyle | undefined = style
  for (let step = 0; current && step < MAX_ANCESTORS; step++) {
    const heading = parseHeadingName(current.name)
    const level = current.outlineLevel ?? (heading === undefined ? undefined : heading - 1)
    if (level !== undefined) return level < BODY_TEXT ? level : undefined
    current = styles.get(current.basedOn ?? '')
  }
  return undefined
}

function parseHeadingName(name: string): number | undefined {
  const level = /^heading ([1-9])$/i.exec(name)?.[1]
  return level === undefined ? undefined : Math.min(MAX_HEADING_LEVEL, Number(level))
}

export function findListStyle(
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
