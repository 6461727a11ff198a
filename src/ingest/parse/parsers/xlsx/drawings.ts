import type { Block } from '../../../block.ts'
import type { SkippedText } from '../../skipped-text.ts'
import { hasDrawnShapes, readChartTitles, readDiagram } from '../office/charts.ts'
import { chooseAlternative, countAlternatives, readParagraphs } from '../office/drawing-text.ts'
import type { OoxmlPackage } from '../office/ooxml.ts'
import { findRelationId } from '../office/xml.ts'
import {
  findChildren,
  findDescendants,
  readElementText,
  type XmlElement,
} from '../office/xml-tree.ts'

/** Fonts, places and page numbers in a header (ECMA-376, 18.3.1.46). */
const HEADER_CODES = /&(?:"[^"]*"|K[\dA-F]{6}|\d+|.)/g

const TEXTS_OF_RULE = ['prompt', 'promptTitle', 'error', 'errorTitle'] as const
export const ASIDES = new Set(['headerFooter', 'dataValidation', 'hyperlink', 'scenario'])

export function countAside(element: XmlElement | undefined, skipped: SkippedText): void {
  if (!element || !ASIDES.has(element.name)) return
  const { name, attributes } = element
  if (name === 'headerFooter') countPrintedText(element, skipped)
  else if (name === 'scenario') skipped.add('scenarios')
  else if (name === 'hyperlink') skipped.add('text alternatives', attributes.tooltip ? 1 : 0)
  else {
    const isListed = readElementText(findChildren(element, 'formula1')[0]).startsWith('"')
    if (isListed || TEXTS_OF_RULE.some(text => attributes[text]?.trim()))
      skipped.add('validation texts')
  }
}

export async function countRelated(
  pack: OoxmlPackage,
  sheet: string,
  skipped: SkippedText,
): Promise<void> {
  for (const { type, target } of (await pack.readRelations(sheet)).values()) {
    if (type === 'image') skipped.add('pictures')
    if (type === 'ctrlProp') skipped.add('form controls')
    if (type === 'table' && (await pack.readTree(target))?.attributes.comment)
      skipped.add('text alternatives')
    if (type !== 'drawing') continue
    const drawing = await pack.readTree(target)
    skipped.add('pictures', [...findDescendants(drawing, 'pic')].length)
    skipped.add('text alternatives', countAlternatives(drawing))
    for (const chart of await pack.findRelations(target, 'chart'))
      skipped.add('text boxes', hasDrawnShapes(await pack.readTree(chart.target)) ? 1 : 0)
  }
}

export async function countForeignData(
  pack: OoxmlPackage,
  workbook: string,
  skipped: SkippedText,
): Promise<void> {
  for (const { type, target } of (await pack.readRelations(workbook)).values()) {
    if (type === 'externalLink') skipped.add('linked files')
    if (type !== 'pivotCacheDefinition') continue
    const [source] = findDescendants(await pack.readTree(target), 'worksheetSource')
    const isOwn = source && findRelationId(source.attributes) === undefined
    if (!isOwn) skipped.add('pivot tables')
  }
}

function countPrintedText(element: XmlElement, skipped: SkippedText): void {
  for (const child of findChildren(element)) {
    if (hasPrintedText(readElementText(child)))
      skipped.add(/Header$/.test(child.name) ? 'headers' : 'footers')
  }
}

export function hasPrintedText(text: string): boolean {
  return /\p{L}/u.test(text.replace(HEADER_CODES, ''))
}

function* listShapes(element: XmlElement | undefined): Iterable<XmlElement> {
  for (const child of findChildren(element)) {
    if (['txBody', 'chart', 'relIds'].includes(child.name)) yield child
    else yield* listShapes(child.name === 'AlternateContent' ? chooseAlternative(child) : child)
  }
}

export async function* readDrawings(pack: OoxmlPackage, sheet: string): AsyncGenerator<Block> {
  for (const { target } of await pack.findRelations(sheet, 'drawing')) {
    const drawing = await pack.readTree(target)
    const relations = await pack.readRelations(target)
    for (const shape of listShapes(drawing)) {
      if (shape.name === 'txBody') {
        yield* readParagraphs(shape)
        continue
      }
      const id = findRelationId(shape.attributes, shape.name === 'chart' ? 'id' : 'dm') ?? ''
      const tree = await pack.readTree(relations.get(id)?.target)
      yield* shape.name === 'relIds' ? readDiagram(tree) : readChartTitles(tree)
    }
  }
}

export async function* readComments(pack: OoxmlPackage, part: string): AsyncGenerator<Block> {
  const conversations = new Set<string>()
  for (const { target } of await pack.findRelations(part, 'threadedComment')) {
    for (const comment of findChildren(await pack.readTree(target), 'threadedComment')) {
      conversations.add(comment.attributes.ref ?? '')
      yield* readComment(comment)
    }
  }
  for (const { target } of await pack.findRelations(part, 'comments')) {
    const list = findChildren(await pack.readTree(target), 'commentList')[0]
    for (const comment of findChildren(list, 'comment'))
      if (!conversations.has(comment.attributes.ref ?? '')) yield* readComment(comment)
  }
}

function* readComment(comment: XmlElement): Iterable<Block> {
  const text = readElementText(findChildren(comment, 'text')[0]).trim()
  if (text) yield { kind: 'paragraph', text: `${comment.attributes.ref}: ${text}` }
}
