import { type Block, indentNestedText } from '../../../block.ts'
import { toLinks } from '../link-targets.ts'
import { type Elevation, toElevatedText } from '../raised-text.ts'
import { formatBeforeItem, formatListNumber, type Numbering } from './list-numbers.ts'
import { readOfficeMath } from './math.ts'
import { findLinkTarget, type Relation } from './ooxml.ts'
import { findRelationId } from './xml.ts'
import {
  findChild,
  findChildren,
  findDescendants,
  readElementText,
  type XmlElement,
} from './xml-tree.ts'

const COUNTED_BY: readonly (readonly [string, Numbering])[] = [
  ['alphaLc', 'a'],
  ['alphaUc', 'A'],
  ['romanLc', 'i'],
  ['romanUc', 'I'],
  ['circleNum', '①'],
  ['ea1', '一'],
]

export function* readParagraphs(
  body: XmlElement | undefined,
  relations: ReadonlyMap<string, Relation> = new Map(),
): Iterable<Block> {
  const numbers: number[] = []
  for (const paragraph of findChildren(body, 'p')) {
    const text = readParagraphText(paragraph)
    if (text === '') continue
    const properties = findChild(paragraph, 'pPr')
    const level = Math.min(8, Number(properties?.attributes.lvl) || 0)
    const number = countNumber(numbers, level, findChild(properties, 'buAutoNum'))
    const isItem = level > 0 || number !== '' || findChild(properties, 'buChar') !== undefined
    const links = readLinks(paragraph, text, relations)
    yield isItem
      ? { kind: 'list', text: indentNestedText(number + text, level), ...links }
      : { kind: 'paragraph', text, ...links }
  }
}

/** Reads the targets of a drawing or of text in it. */
export function readLinks(
  element: XmlElement,
  text: string,
  relations: ReadonlyMap<string, Relation>,
): Pick<Block, 'links'> {
  const links = [...findDescendants(element, 'hlinkClick', 'hlinkMouseOver')]
  const ids = links.map(({ attributes }) => findRelationId(attributes))
  return toLinks(
    ids.map(id => findLinkTarget(id, relations)),
    text,
  )
}

/** `numbers` has the last number of each level; resets deeper ones. */
function countNumber(numbers: number[], level: number, numbering: XmlElement | undefined): string {
  numbers.length = Math.min(numbers.length, level + (numbering ? 1 : 0))
  if (!numbering) return ''
  const last = numbers[level]
  const number = last === undefined ? Number(numbering.attributes.startAt) || 1 : last + 1
  numbers[level] = number
  const { type = '' } = numbering.attributes
  const formatted = formatListNumber(
    number,
    COUNTED_BY.find(([name]) => type.startsWith(name))?.[1] ?? '1',
  )
  if (type.endsWith('Plain')) return formatBeforeItem(formatted)
  if (type.endsWith('ParenBoth')) return formatBeforeItem(`(${formatted})`)
  return formatBeforeItem(`${formatted}${type.endsWith('ParenR') ? ')' : '.'}`)
}

export function readDrawingLine(body: XmlElement | undefined): string {
  return findChildren(body, 'p').map(readParagraphText).join(' ').replace(/\s+/g, ' ').trim()
}

function readParagraphText(paragraph: XmlElement): string {
  return findChildren(paragraph, 'r', 'fld', 'br', 'm', 'oMathPara', 'AlternateContent')
    .map(run => {
      if (run.name === 'br') return '\n'
      return run.name === 'r' || run.name === 'fld'
        ? toElevatedText(readElementText(findChild(run, 't')), findElevation(run))
        : readOfficeMath(run)
    })
    .join('')
    .replaceAll('\v', '\n')
    .trim()
}

/** `baseline` is in thousandths of a per cent of the font's size. */
function findElevation(run: XmlElement): Elevation | undefined {
  const baseline = Number(findChild(run, 'rPr')?.attributes.baseline) || 0
  return baseline > 0 ? 'raised' : baseline < 0 ? 'lowered' : undefined
}

export function readAlternative({ name, attributes }: XmlElement): string {
  const texts = /^(?:docPr|cNvPr)$/.test(name)
    ? [attributes.title, attributes.descr]
    : [attributes.alt]
  return texts.join(' ').trim()
}

/** A shape and the form for older programs share their id. */
export function countAlternatives(drawing: XmlElement | undefined): number {
  const shapes = [...findDescendants(drawing, 'cNvPr')].filter(shape => readAlternative(shape))
  const links = [...findDescendants(drawing, 'hlinkClick', 'hlinkHover')]
  const tips = links.filter(({ attributes }) => attributes.tooltip?.trim())
  return new Set(shapes.map(({ attributes }) => attributes.id)).size + tips.length
}

const DRAWN_TEXT = [
  ...['txbxContent', 'p', 'tbl', 't', 'oMath', 'chart', 'relIds', 'textpath', 'blip'],
] as const

export function chooseAlternative(element: XmlElement): XmlElement | undefined {
  const [choice] = findChildren(element, 'Choice')
  const [readable] = findDescendants(choice, ...DRAWN_TEXT)
  return readable ? choice : (findChild(element, 'Fallback') ?? choice)
}
