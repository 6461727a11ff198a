import type { Block } from '../block.ts'
import { type Elevation, elevated } from './raised-text.ts'
import { at, elements, textOf, type XmlElement } from './xml-tree.ts'

/** The paragraphs of a shape's text, in DrawingML: list items where they have a bullet or a number. */
export function* drawingParagraphs(body: XmlElement | undefined): Iterable<Block> {
  const numbers: number[] = []
  for (const paragraph of elements(body, 'p')) {
    const text = paragraphText(paragraph)
    if (text === '') continue
    const properties = at(paragraph, 'pPr')
    const number = nextNumber(numbers, properties)
    if (number !== undefined) yield { kind: 'list', text: `${number}. ${text}` }
    else yield { kind: at(properties, 'buChar') ? 'list' : 'paragraph', text }
  }
}

/** The number of a paragraph that has one; `numbers` holds the last of each level and forgets those of deeper ones. */
function nextNumber(numbers: number[], properties: XmlElement | undefined): number | undefined {
  const level = Math.min(8, Number(properties?.attributes.lvl) || 0)
  const numbering = at(properties, 'buAutoNum')
  numbers.length = Math.min(numbers.length, level + (numbering ? 1 : 0))
  if (!numbering) return undefined
  const last = numbers[level]
  const number = last === undefined ? Number(numbering.attributes.startAt) || 1 : last + 1
  numbers[level] = number
  return number
}

/** All the text of a shape on one line. */
export function drawingLine(body: XmlElement | undefined): string {
  return elements(body, 'p').map(paragraphText).join(' ').replace(/\s+/g, ' ').trim()
}

/** Runs and fields joined; line breaks and vertical tabs are line breaks. */
function paragraphText(paragraph: XmlElement): string {
  return elements(paragraph, 'r', 'fld', 'br', 'm', 'oMathPara', 'AlternateContent')
    .map(run => {
      if (run.name === 'br') return '\n'
      return run.name === 'r' || run.name === 'fld' ? elevated(textOf(at(run, 't')), elevationOf(run)) : mathText(run)
    })
    .join('')
    .replaceAll('\v', '\n')
    .trim()
}

/** `baseline` is in thousandths of a per cent of the font's size. */
function elevationOf(run: XmlElement): Elevation | undefined {
  const baseline = Number(at(run, 'rPr')?.attributes.baseline) || 0
  return baseline > 0 ? 'raised' : baseline < 0 ? 'lowered' : undefined
}

/** Formulas: the text of what is shown, not of the picture that stands in for it elsewhere. */
function mathText(element: XmlElement): string {
  if (element.name === 'Fallback') return ''
  if (element.name === 't') return textOf(element)
  return elements(element).map(mathText).join('')
}
